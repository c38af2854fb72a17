// Sweeps over an unrolled world: visits forward, values backward.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "oracle/unrolled.h"

namespace vic {

// Where a policy goes.
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
// and asks `row(t, i, q)` for the value of the row itself; q is empty in a forced row. Returns the
// value of the first row.
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
        const int begin = world.first[s * world.A + a], end = world.first[s * world.A + a + 1];
        double q = 0;
        for (int e = begin; e < end; ++e) {
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

// The external reward that the best policy earns.
struct BestReward {
  double value = 0;  // expected undiscounted return
  Policy policy;     // deterministic; terminates where nothing is left to gain
};
BestReward best_reward(const Unrolled& unrolled);

}  // namespace vic
