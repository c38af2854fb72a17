// Thirty-five rooms, Figure 5: 15 x 15, y grows downward. The paper's text gives size, number of
// rooms, start and moves; the map is reconstructed from them. A room absorbs.
//
//   ...............
//   .#R.#R.#R.#R.#R
//   ...............
//   .#R.#R.#R.#R.#X    X: the special room at (14,3)
//   ...............
//   .#R.#R.#R.#R.#R
//   S..............    the start at (0,6)
//   .#R.#R.#R.#R.#R
//   ...............
//   .#R.#R.#R.#R.#R
//   ...............
//   .#R.#R.#R.#R.#R
//   ...............
//   .#R.#R.#R.#R.#R
//   ...............
#include "world/map.h"
#include "world/registry.h"

namespace vic {
namespace {

struct Rooms35Settings {
  int T_max = 25;
  double noise = 0.3;
  std::string start = "0,6";
  double step_reward = -0.1;
  double room_reward = 1;
  double special_reward = 100;

  template <class Visitor>
  void visit(Visitor&& field) {
    field("T_max", T_max, Range{2, 100000}, "actions in an option, the termination included");
    field("noise", noise, Range{0, 1}, "probability that a move stays");
    field("start", start, Range{}, "the cell x,y every option starts in");
    field("step_reward", step_reward, Range{-1e9, 1e9}, "external reward of every move");
    field("room_reward", room_reward, Range{-1e9, 1e9}, "external reward on entering a room");
    field("special_reward", special_reward, Range{-1e9, 1e9},
          "external reward on entering the special room, 14,3");
  }
};

TabularWorld make_rooms_35(const std::string& name, const Rooms35Settings& settings) {
  constexpr int side = 15;
  std::vector<std::string> lines;
  for (int y = 0; y < side; ++y) {
    std::string line;
    for (int x = 0; x < side; ++x) line += y % 2 == 0 ? '.' : ".#R"[x % 3];
    lines.push_back(line);
  }
  lines[3][14] = 'X';
  MapWorld map{.name = name,
               .T_max = settings.T_max,
               .lines = std::move(lines),
               .kinds = {{'.', CellKind{}},
                         {'#', CellKind{.wall = true}},
                         {'R', CellKind{.absorbing = true, .reward = settings.room_reward}},
                         {'X', CellKind{.absorbing = true, .reward = settings.special_reward}}},
               .moves = sticky_directions({"up", "down", "right"}, settings.noise),
               .step_reward = settings.step_reward,
               .starts = {Cell{.row = 6, .column = 0}}};
  return started_at(build(map), settings.start);
}

}  // namespace

std::vector<WorldEntry> rooms_35_worlds() {
  return {world_entry<Rooms35Settings>("rooms-35", "Fig. 5",
                                       "rooms that absorb; up, down, right, and moves may fail",
                                       make_rooms_35, {})};
}

}  // namespace vic
