// Histories: the distinct beginnings of a set of options, as a prefix tree.
//
// Level t holds the distinct histories tau_t = (s_0, a_0, ..., s_t) that are still alive, one row
// each, with the row of its beginning in the level before, the last action and the present state. A
// row thus stands for a whole history, and an option for the row in which it terminates. A batch of
// options shares most of its beginnings; what depends on the history is computed once per row.
#pragma once

#include <optional>
#include <vector>

#include "world/tabular.h"

namespace vic {

struct Histories {
  std::vector<int> first;   // (levels + 1) level t is the rows [first[t], first[t + 1])
  std::vector<int> parent;  // (R) a row of the level before; -1 in level 0
  std::vector<int> action;  // (R) a_t-1; -1 in level 0
  std::vector<int> state;   // (R) s_t

  int levels() const { return static_cast<int>(first.size()) - 1; }
  int rows() const { return static_cast<int>(state.size()); }

  // Makes room: up to this many, rows and levels are added without moving those that are there.
  void reserve(int most_rows, int most_levels);

  // Forgets everything and makes level 0 of one row, the start.
  void begin(int s_0);

  // Adds a row to the level that is being made, and returns its number.
  int add(int parent_row, int last_action, int s);

  // Ends the level that is being made.
  void close_level() { first.push_back(rows()); }
};

// All histories that an option can have in a world, children in the order of the world's table.
// Nothing where there are more than `largest_rows`.
std::optional<Histories> enumerate_histories(const TabularWorld& world, long largest_rows);

}  // namespace vic
