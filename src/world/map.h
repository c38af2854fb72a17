// Worlds drawn as maps: a rectangle of characters, their meanings, and moves that shift the agent
// with given probabilities. A shift off the map or into a wall has no effect.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "world/tabular.h"

namespace vic {

// The meaning of a character of the map.
struct CellKind {
  bool wall = false;
  bool absorbing = false;  // once inside, only termination is left
  double reward = 0;       // paid on entering
};

// A possible outcome of a move: a shift of the agent by (dx, dy), where y grows downward.
struct Shift {
  int dx = 0;
  int dy = 0;
  double p = 0;
};

struct Move {
  std::string name;
  std::vector<Shift> shifts;  // probabilities sum to 1
};

struct MapWorld {
  std::string name;
  int T_max = 0;
  std::vector<std::string> lines;  // (height) strings of one width
  std::map<char, CellKind> kinds;  // every character of the lines is listed
  std::vector<Move> moves;
  double step_reward = 0;          // paid for every move
  int origin_x = 0, origin_y = 0;  // the cell whose coordinates are zero
  std::vector<Cell> starts;        // at least one; the options begin at the first
};

// The table of a map. States are the cells that are not walls, in reading order; a map of one line
// has one coordinate, any other has two. States are named by their coordinates, "x" or "x,y".
TabularWorld build(const MapWorld& map);

// The four moves of a grid and the two of a line. A move goes where its name says with probability
// 1 - noise and in each of the other directions with an equal share of the noise.
std::vector<Move> noisy_directions(const std::vector<std::string>& names, double noise);

// Moves in these directions (left, up, right, down) that stay in place with probability `noise`.
std::vector<Move> sticky_directions(const std::vector<std::string>& names, double noise);

}  // namespace vic
