#include "world/map.h"

#include <fmt/core.h>

#include "base/error.h"

namespace vic {
namespace {

Shift direction(const std::string& name) {
  if (name == "left") return {-1, 0, 1};
  if (name == "right") return {1, 0, 1};
  if (name == "up") return {0, -1, 1};
  if (name == "down") return {0, 1, 1};
  fail_usage("There is no direction '{}'; known are left, right, up and down.", name);
}

}  // namespace

TabularWorld build(const MapWorld& map) {
  std::vector<std::string> move_names;
  for (const Move& move : map.moves) move_names.push_back(move.name);
  WorldBuilder builder(map.name, move_names, map.T_max);
  builder.set_step_reward(map.step_reward);

  // number the cells that can be stood on
  const int height = static_cast<int>(map.lines.size());
  const int width = static_cast<int>(map.lines.front().size());
  std::vector<int> numbers;  // (height, width) the state of each cell, -1 for a wall
  Picture picture{.lines = map.lines, .cells = {}};
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const CellKind& kind = map.kinds.at(map.lines[row][column]);
      if (kind.wall) {
        numbers.push_back(-1);
        continue;
      }
      const int x = column - map.origin_x, y = row - map.origin_y;
      const int s = height == 1
                        ? builder.add_state(fmt::format("{}", x), {static_cast<double>(x)})
                        : builder.add_state(fmt::format("{},{}", x, y),
                                            {static_cast<double>(x), static_cast<double>(y)});
      if (kind.absorbing) builder.set_absorbing(s);
      if (kind.reward != 0) builder.set_enter_reward(s, kind.reward);
      picture.cells.push_back({row, column});
      numbers.push_back(s);
    }
  }
  const auto state_at = [&](int row, int column) {
    const bool inside = row >= 0 && row < height && column >= 0 && column < width;
    return inside ? numbers[row * width + column] : -1;
  };

  // follow every shift of every move from every cell; a blocked one stays
  std::vector<Outcome> outcomes;
  for (int s = 0; const Cell& cell : picture.cells) {
    for (int a = 0; const Move& move : map.moves) {
      outcomes.clear();
      for (const Shift& shift : move.shifts) {
        const int target = state_at(cell.row + shift.dy, cell.column + shift.dx);
        outcomes.push_back({target < 0 ? s : target, shift.p});
      }
      builder.set_outcomes(s, a++, outcomes);
    }
    ++s;
  }

  for (const Cell& start : map.starts) builder.add_start(state_at(start.row, start.column));
  builder.set_picture(std::move(picture));
  return builder.build(state_at(map.starts.front().row, map.starts.front().column));
}

std::vector<Move> noisy_directions(const std::vector<std::string>& names, double noise) {
  std::vector<Move> moves;
  const double share = noise / static_cast<double>(names.size() - 1);
  for (const std::string& name : names) {
    Move move{name, {}};
    for (const std::string& other : names) {
      move.shifts.push_back(direction(other));
      move.shifts.back().p = other == name ? 1 - noise : share;
    }
    moves.push_back(move);
  }
  return moves;
}

std::vector<Move> sticky_directions(const std::vector<std::string>& names, double noise) {
  std::vector<Move> moves;
  for (const std::string& name : names) {
    Shift shift = direction(name);
    shift.p = 1 - noise;
    moves.push_back({name, {shift, Shift{.dx = 0, .dy = 0, .p = noise}}});
  }
  return moves;
}

}  // namespace vic
