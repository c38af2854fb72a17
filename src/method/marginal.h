// The reward -log p(s_f | s_0), from running counts. By Bayes it is what Algorithms 1 and 2
// estimate with their hindsight models, so it has the same objective and needs no models.
#pragma once

#include "method/algorithm.h"

namespace vic {

class MarginalObjective : public Objective {
 public:
  void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const override;
};

}  // namespace vic
