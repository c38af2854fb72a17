// Histories: the distinct prefixes of a set of options, as a prefix tree.
//
// Level t holds the distinct histories tau_t = (s_0, a_0, ..., s_t) that are still alive, one row
// each: the row of its prefix in the level before, the last action and the present state. A row
// thus stands for a whole history, and an option is the row in which it terminates. The options of
// a batch share most of their prefixes; whatever depends on the history is computed once per row.
// Level 0 has a row for each start: the roots, usually one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "world/tabular.h"

namespace vic {

struct Histories {
  std::vector<int> first;   // (levels + 1) level t is the rows [first[t], first[t + 1])
  std::vector<int> parent;  // (R) a row of the level before; -1 in level 0
  std::vector<int> action;  // (R) a_t-1; -1 in level 0
  std::vector<int> state;   // (R) s_t
  std::vector<int> root;    // (R) the row of level 0 that the history begins with

  int roots() const { return first[1]; }
  int levels() const { return static_cast<int>(first.size()) - 1; }
  int rows() const { return static_cast<int>(state.size()); }

  // Reserves memory: up to this many, rows and levels are added without moving earlier ones.
  void reserve(int most_rows, int most_levels);

  // Clears everything and makes level 0, of one root or of several.
  void begin(int s_0) { begin(std::span(&s_0, 1)); }
  void begin(std::span<const int> states);

  // Adds a row to the level that is being made, and returns its number.
  int add(int parent_row, int last_action, int s);

  // Ends the level that is being made.
  void close_level() { first.push_back(rows()); }
};

// All histories that an option can have in a world, children in the order of the world's table.
// Empty where there are more than `largest_rows`.
std::optional<Histories> enumerate_histories(const TabularWorld& world, long largest_rows);

}  // namespace vic
