// What a policy does in a simulated world, exactly: every sequence of actions is played, and the
// policy says how likely it is.
#pragma once

#include "eval/evaluate.h"

namespace vic {

// Sets H, D and N, and the control that the agent's models can steer. Does nothing where the
// sequences have more histories than settings.histories, and where chance comes between the actions
// of a policy that sees it. Throws what `step` throws.
void evaluate_all_options(Evaluation& evaluation, const Agent& agent, const EvalSettings& settings,
                          const Step& step);

}  // namespace vic
