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

// a map with the state number of each cell, -1 for a wall
struct Numbering {
  int width = 0, height = 0;
  std::vector<int> state;  // (height, width)

  int at(int row, int column) const {
    if (row < 0 || row >= height || column < 0 || column >= width) return -1;
    return state[row * width + column];
  }
};

}  // namespace

TabularWorld build(const MapWorld& map) {
  std::vector<std::string> move_names;
  for (const Move& move : map.moves) move_names.push_back(move.name);
  WorldBuilder builder(map.name, move_names, map.T_max);
  builder.set_step_reward(map.step_reward);

  // number the cells that can be stood on
  Numbering numbering;
  numbering.height = static_cast<int>(map.lines.size());
  numbering.width = static_cast<int>(map.lines.front().size());
  Picture picture{.lines = map.lines, .cells = {}};
  for (int row = 0; row < numbering.height; ++row) {
    for (int column = 0; column < numbering.width; ++column) {
      const char c = map.lines[row][column];
      const CellKind& kind = map.kinds.at(c);
      int s = -1;
      if (!kind.wall) {
        const int x = column - map.origin_x, y = row - map.origin_y;
        s = numbering.height == 1
                ? builder.add_state(fmt::format("{}", x), {static_cast<double>(x)})
                : builder.add_state(fmt::format("{},{}", x, y),
                                    {static_cast<double>(x), static_cast<double>(y)});
        picture.cells.push_back({row, column});
        if (kind.absorbing) builder.set_absorbing(s);
        if (kind.reward != 0) builder.set_enter_reward(s, kind.reward);
      }
      numbering.state.push_back(s);
    }
  }

  // follow every shift of every move from every cell; what is blocked stays
  std::vector<Outcome> outcomes;
  for (std::size_t s = 0; s < picture.cells.size(); ++s) {
    const Cell cell = picture.cells[s];
    for (std::size_t a = 0; a < map.moves.size(); ++a) {
      outcomes.clear();
      for (const Shift& shift : map.moves[a].shifts) {
        const int target = numbering.at(cell.row + shift.dy, cell.column + shift.dx);
        outcomes.push_back({target < 0 ? static_cast<int>(s) : target, shift.p});
      }
      builder.set_outcomes(static_cast<int>(s), static_cast<int>(a), outcomes);
    }
  }

  for (const Cell& start : map.starts) builder.add_start(numbering.at(start.row, start.column));
  builder.set_picture(std::move(picture));
  return builder.build(numbering.at(map.starts.front().row, map.starts.front().column));
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
