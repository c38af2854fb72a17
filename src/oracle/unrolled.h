// A world unrolled over time: level t holds every situation the agent can be in after t moves; and
// sweeps over it: visits forward, values backward.
//
// A situation is everything that a policy may depend on. For the entropy of s_f the state and the
// time are enough, and the rows of a level are states. For directed information the whole history
// matters, and the rows are histories: a tree. Everything the oracle computes is a sweep over such
// levels, forward or backward, and is the same for both.
#pragma once

#include <optional>
#include <span>
#include <utility>
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

// One number per row, level by level.
using Rows = std::vector<std::vector<double>>;  // (T_max)(N_t)

// A policy: the probability of each action in each row, the termination action last.
using Policy = std::vector<std::vector<double>>;  // (T_max)(N_t, A + 1)

// Rows are the states that can be occupied after exactly t moves. Throws a UsageError where the
// levels would exceed the oracle's limit of memory.
Unrolled unroll_states(const TabularWorld& world);

// Rows are histories (s_0, a_0, ..., s_t). Empty where there are more than `largest_rows`.
std::optional<Unrolled> unroll_histories(const TabularWorld& world, long largest_rows);

// The same for histories that enumerate_histories has found.
Unrolled unroll_histories(const TabularWorld& world, const Histories& tree);

// Every available action with the same probability; termination in forced rows.
Policy uniform_policy(const Unrolled& unrolled);

// ---- sweeps

// The visits of a policy.
struct Flow {
  Rows visits;              // probability that the option passes through the row
  std::vector<double> p_f;  // (S) p(s_f)
};

void flow(Flow& out, const Unrolled& unrolled, const Policy& policy);
Flow flow(const Unrolled& unrolled, const Policy& policy);

// The expectation, under a policy with this flow, of a payoff for the row in which the option ends.
double expected_payoff(const Unrolled& unrolled, const Policy& policy, const Flow& flow,
                       const Rows& payoff);

// Backward induction. For each row, last level first, computes the value of its moves from the
// values of its children,
//
//   q[a] = sum_s' p(s' | s, a) (gain(s, s') + value of the child),
//
// and takes `row(t, i, q)` as the value of the row; q is empty in a forced row. Returns the value
// of the first row.
template <class Gain, class Row>
double backward(const Unrolled& unrolled, Gain&& gain, Row&& row) {
  const TabularWorld& world = *unrolled.world;
  std::vector<double> moves(world.A), value, next_value;
  for (int t = world.T_max - 1; t >= 0; --t) {
    const Level& level = unrolled.levels[t];
    value.resize(level.rows());
    for (int i = 0; i < level.rows(); ++i) {
      if (level.forced(i)) {
        value[i] = row(t, i, std::span<const double>());
        continue;
      }
      const int s = level.state[i];
      const int* child = &level.child[level.first[i]];
      for (int a = 0; a < world.A; ++a) {
        double q = 0;
        for (int e = world.begin(s, a); e < world.end(s, a); ++e) {
          q += world.p[e] * (gain(s, world.next[e]) + next_value[*child++]);
        }
        moves[a] = q;
      }
      value[i] = row(t, i, std::span<const double>(moves));
    }
    std::swap(value, next_value);
  }
  return next_value[0];
}

// The largest expectation that any policy can have of a payoff for the row in which it ends.
double best_payoff(const Unrolled& unrolled, const Rows& payoff);

// The expected undiscounted external reward of the best policy.
double best_reward(const Unrolled& unrolled);

}  // namespace vic
