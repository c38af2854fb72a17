// A room with a television (ours): it attracts coverage, and not control (docs/noisy-tv.md).
//
//   ... ~~~~~~~~~    a room of nine cells, y grows downward; S is the start, 1,1
//   .S. ~~~~~~~~~    right of 2,1 is the television: it shows one of its pictures at random, all
//   ... ~~~~~~~~~    with the same probability, and absorbs
#include <fmt/core.h>

#include <algorithm>

#include "world/registry.h"

namespace vic {
namespace {

constexpr int room_side = 3;

struct NoisyTvSettings {
  int T_max = 3;
  int pictures = 27;
  std::string start = "1,1";

  template <class Visitor>
  void visit(Visitor&& field) {
    field("T_max", T_max, Range{2, 100000}, "actions in an option, the termination included");
    field("pictures", pictures, Range{1, 100000}, "what the television may show");
    field("start", start, Range{}, "the cell x,y every option starts in");
  }
};

TabularWorld make_noisy_tv(const std::string& name, const NoisyTvSettings& settings) {
  const int pictures = settings.pictures;
  check_size("world.pictures", room_side * room_side + pictures, 4, 2);
  WorldBuilder builder(name, {"left", "up", "right", "down"}, settings.T_max);
  Picture picture;
  const auto add = [&](const std::string& state, int x, int y) {
    picture.cells.push_back({y, x});
    return builder.add_state(state, {static_cast<double>(x), static_cast<double>(y)});
  };
  for (int s = 0; s < room_side * room_side; ++s) {
    add(fmt::format("{},{}", s % room_side, s / room_side), s % room_side, s / room_side);
  }
  std::vector<Outcome> television;
  for (int k = 0; k < pictures; ++k) {
    // in columns, a wall's width away from the room
    const int s = add(fmt::format("tv{}", k + 1), room_side + 1 + k / room_side, k % room_side);
    builder.set_absorbing(s);
    television.push_back({s, 1.0 / pictures});
  }
  picture.lines.assign(
      room_side, std::string(room_side, '.') + std::string(1 + (pictures + 2) / room_side, ' '));
  for (int k = 0; k < pictures; ++k)
    picture.lines[k % room_side][room_side + 1 + k / room_side] = '~';
  builder.set_picture(std::move(picture));

  for (int s = 0; s < room_side * room_side; ++s) {
    const int x = s % room_side, y = s / room_side;
    const auto stay_inside = [](int place) { return std::clamp(place, 0, room_side - 1); };
    const auto cell = [](int column, int row) { return row * room_side + column; };
    const int next[] = {cell(stay_inside(x - 1), y), cell(x, stay_inside(y - 1)),
                        cell(stay_inside(x + 1), y), cell(x, stay_inside(y + 1))};
    for (int a = 0; a < 4; ++a) builder.set_outcomes(s, a, std::vector<Outcome>{{next[a], 1}});
  }
  builder.set_outcomes(room_side + room_side - 1, 2, television);
  return started_at(builder.build(room_side + 1), settings.start);
}

}  // namespace

std::vector<WorldEntry> noisy_tv_worlds() {
  return {world_entry<NoisyTvSettings>(
      "noisy-tv", "ours", "a room, and a television that shows anything", make_noisy_tv, {})};
}

}  // namespace vic
