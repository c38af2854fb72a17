// What a policy was asked in a batch, what it decided, and what came of it: the policy gradient.
#pragma once

#include <span>
#include <vector>

#include "method/batch.h"
#include "model/predictor.h"

namespace vic {

struct Decisions {
  Queries queries;           // the rows that had a choice, in order, as a rollout asks about them
  Outcomes outcomes;         // one for each decision of the batch
  std::vector<float> scale;  // (D) the gain of the options that decided so, their shares weighed

  // Fills queries and outcomes.
  void read(const Batch& batch, const ActionCode& actions);

  // The query about a row that had a choice.
  int query_of(int row) const { return query_of_[row]; }

  // Fills scale from the gain (R) of an option that ended in each row: the reward minus a baseline.
  void weigh(const Batch& batch, std::span<const double> gain);

 private:
  std::vector<int> query_of_;      // (R)
  std::vector<double> advantage_;  // (R) summed over the options of the subtree
};

}  // namespace vic
