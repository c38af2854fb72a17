// Exact evaluation in small simulated worlds: every sequence of actions is played, weighted by its
// probability under the policy.
#pragma once

#include "eval/evaluate.h"

namespace vic {

// Sets H, D and N, and the control that the agent's models can steer. Does nothing if there are
// more than settings.histories histories, or if the world is stochastic and the policy sees its
// states. Throws what `step` throws.
void evaluate_all_options(Evaluation& evaluation, const Agent& agent, const EvalSettings& settings,
                          const Step& step);

}  // namespace vic
