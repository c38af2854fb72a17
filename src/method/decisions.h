// What a policy decided in a batch, and what came of it: the policy gradient.
#pragma once

#include <span>
#include <vector>

#include "method/batch.h"
#include "model/model.h"

namespace vic {

struct Decisions {
  Queries queries;           // the rows that had a choice, in the order in which they are sampled
  Targets targets;           // one for each decision of the batch
  std::vector<float> scale;  // (D) the advantage of the options that decided so, by their shares

  // Fills queries and targets.
  void read(const Batch& batch, const Encoding& encoding);

  // The query about a row that had a choice.
  int query_of(int row) const { return query_of_[row]; }

  // Fills scale from the advantage (R) of an option that ended in each row: the reward minus a
  // baseline.
  void set_advantages(const Batch& batch, std::span<const double> advantage);

 private:
  std::vector<int> query_of_;  // (R)
  std::vector<double> sum_;    // (R) work space: over the options of the subtree
};

}  // namespace vic
