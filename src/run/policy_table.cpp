#include "run/policy_table.h"

#include <span>

#include "method/rollout.h"

namespace vic {

TreePolicy::TreePolicy(Predictor& policy, const Encoding& encoding, const Unrolled& unrolled,
                       const Histories& histories)
    : policy_(policy), unrolled_(unrolled), histories_(histories) {
  inputs_.append(histories, 0, encoding, unrolled.world->A);
  policy.model().encode(tree_of(histories, histories.levels() - 1), inputs_.view());
}

void TreePolicy::fill(Policy& table, int goal, double temperature) {
  const int A = unrolled_.world->A;
  for (int t = 0; t + 1 < histories_.levels(); ++t) {
    const Level& level = unrolled_.levels[t];
    queries_.clear();
    for (int i = 0; i < level.rows(); ++i) {
      if (level.forced(i)) continue;
      queries_.row.push_back(histories_.first[t] + i);
      if (goal >= 0) queries_.goal.push_back(goal);
    }
    if (queries_.size() == 0) continue;
    const MatrixView<const float> p = policy_.probabilities(queries_, histories_.first[t]);
    for (int q = 0; q < queries_.size(); ++q) {
      const std::span<double> row(&table[t][(queries_.row[q] - histories_.first[t]) * (A + 1)],
                                  A + 1);
      for (int a = 0; a <= A; ++a) row[a] = double(p(q, a));
      temper(row, temperature);
    }
  }
}

}  // namespace vic
