// A world unrolled over time: level t holds every situation the agent can be in after t moves.
//
// A situation is all that a policy may look at. For the entropy of s_f the state and the time are
// enough, and the rows of a level are states. For directed information the whole history matters,
// and the rows are histories: a tree. Everything the oracle computes is a sweep over such levels,
// forward or backward, and does not ask which of the two it is walking on.
#pragma once

#include <optional>
#include <vector>

#include "world/histories.h"
#include "world/tabular.h"

namespace vic {

struct Level {
  std::vector<int> state;  // (N) s_t of each row
  std::vector<int> first;  // (N + 1) where the row's entries of `child` begin
  // The row of the next level that each transition leads to, in the order of the world's table for
  // the row's state. A row without children is forced: only termination is left.
  std::vector<int> child;

  int rows() const { return static_cast<int>(state.size()); }
  bool forced(int row) const { return first[row] == first[row + 1]; }
};

struct Unrolled {
  const TabularWorld* world = nullptr;  // must outlive this
  std::vector<Level> levels;            // (T_max)

  long rows() const;
  long transitions() const;
};

// One number a row, level by level.
using Rows = std::vector<std::vector<double>>;  // (T_max)(N_t)

// A policy: the probability of each action in each row, the termination action last.
using Policy = std::vector<std::vector<double>>;  // (T_max)(N_t, A + 1)

// Rows are the states that can be occupied after exactly t moves. Throws a UsageError where the
// levels would not fit the memory that an oracle may take.
Unrolled unroll_states(const TabularWorld& world);

// Rows are histories (s_0, a_0, ..., s_t). Nothing where there are more than `largest_rows`.
std::optional<Unrolled> unroll_histories(const TabularWorld& world, long largest_rows);

// The same for histories that enumerate_histories has found.
Unrolled unroll_histories(const TabularWorld& world, const Histories& tree);

// Every available action with the same probability; termination in forced rows.
Policy uniform_policy(const Unrolled& unrolled);

}  // namespace vic
