// From nets to tables: what a policy does in every history of a world.
#pragma once

#include <optional>

#include "method/learner.h"
#include "oracle/unrolled.h"
#include "world/histories.h"

namespace vic {

class TreePolicy {
 public:
  // Lets the policy read the tree of all histories; `unrolled` is the same tree. What is given must
  // outlive this, and the policy may not be asked anything else meanwhile.
  TreePolicy(Predictor& policy, const Encoding& encoding, const Unrolled& unrolled,
             const Histories& histories);

  // Fills a table of the tree's shape: the policy as it is told `goal`, -1 for nothing, at a
  // temperature (method/actor.h).
  void fill(Policy& table, int goal = -1, double temperature = 1);

 private:
  Predictor& policy_;
  const Unrolled& unrolled_;
  const Histories& histories_;
  HistoryInputs<float> inputs_;
  Queries queries_;
};

// pi_p on the tree of all histories. Where it is told an option, the mean over the options: what
// somebody sees who is not told.
struct PolicyTable {
  Policy policy;
  // I(Omega; s_f) of what is chosen in advance: the number of an explicit option, or the actions of
  // an open loop. Elsewhere Omega is what happened, and I = H(s_f).
  std::optional<double> I;
};
PolicyTable tabulate(Learner& learner, const Unrolled& unrolled, const Histories& histories);

}  // namespace vic
