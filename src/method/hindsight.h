// The objective of the paper: implicit VIC and Algorithms 1 and 2.
//
//   r = sum_t [log pi_q - log pi_p] + lambda sum_t [log rho_q - log rho_p]
#pragma once

#include "method/algorithm.h"

namespace vic {

class HindsightObjective : public Objective {
 public:
  void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const override;
};

// The same for every lambda without a transition model: what of -log p(s_f) is not control is
// chance, option by option, and p(s_f) is counted.
//
//   r = control + lambda (-log p(s_f) - control),   control = sum_t [log pi_q - log pi_p]
class CountedObjective : public HindsightObjective {
 public:
  void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const override;
};

// pi_q alone, or with rho_p and rho_q, which predict the next state or the step there.
std::vector<ModelSpec> control_models(const TrainSettings& settings);
std::vector<ModelSpec> transition_models(const TrainSettings& settings);
std::vector<ModelSpec> mixture_models(const TrainSettings& settings);

}  // namespace vic
