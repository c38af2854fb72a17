// What a policy does in a simulated world: options drawn from it, and what they did.
#pragma once

#include <vector>

#include "eval/evaluate.h"
#include "sim/survey.h"

namespace vic {

// The states (T + 1, n) of options of the agent's policy, the start first. Its world must be
// simulated.
std::vector<std::vector<double>> sample_states(const Agent& agent, int options, int seed);

// What they did.
Survey survey_of(const Simulator& world, const std::vector<std::vector<double>>& options);

// What is measured in a simulated world: a survey of its options, their H, and how surely the goal
// policy ends where they did.
Evaluation evaluate_simulated(const Agent& agent, const EvalSettings& settings);

}  // namespace vic
