// p(s_f | s_0) as an exponential moving average over batches: of states, or of cells of them.
#pragma once

#include <span>
#include <vector>

#include "method/batch.h"

namespace vic {

struct RunningFrequencies {
  int S = 0;
  std::vector<double> sum;     // (X, S), a row for each start
  std::vector<double> weight;  // (X) what a row adds up to

  RunningFrequencies() = default;
  RunningFrequencies(int X, int states)
      : S(states), sum(static_cast<std::size_t>(X) * states, 0), weight(X, 0) {}

  // Whether an option of the start has been seen, and how often such options ended in s.
  bool knows(int x) const { return weight[x] > 0; }
  double p(int x, int s) const { return sum[static_cast<std::size_t>(x) * S + s] / weight[x]; }

  // Mean over the starts that are known of the entropy of p(. | s_0).
  double mean_entropy() const;

  // start_of (roots): the start that a root of the batch is.
  void add(const Batch& batch, double decay, std::span<const int> start_of);
};

}  // namespace vic
