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

// The same without a transition model, for every lambda: option by option, the part of -log p(s_f)
// that is not control is chance, and p(s_f) comes from running counts.
//
//   r = control + lambda (-log p(s_f) - control),   control = sum_t [log pi_q - log pi_p]
class CountedObjective : public HindsightObjective {
 public:
  void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const override;
};

// pi_q alone; with rho_p and rho_q over the next state; or with both over the step to it.
std::vector<ModelSpec> control_models(const TrainSettings& settings);
std::vector<ModelSpec> transition_models(const TrainSettings& settings);
std::vector<ModelSpec> mixture_models(const TrainSettings& settings);

}  // namespace vic
