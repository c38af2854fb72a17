// The belief form: control and chance by Bayes' rule from b(s_f | tau, a), in place of pi_q, rho_p
// and rho_q.
//
//   control  log pi_q - log pi_p   = log b(s_f | tau_t, a_t) - log b(s_f | tau_t)
//   chance   log rho_q - log rho_p = log b(s_f | tau_t+1) - log b(s_f | tau_t, a_t)
//
// They telescope to -log b(s_f | s_0). docs/belief.md has the derivation.
#pragma once

#include "method/algorithm.h"

namespace vic {

// r = sum_t control + lambda sum_t chance.
class BeliefObjective : public Objective {
 public:
  void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const override;
};

}  // namespace vic
