// What a policy does with a body: options drawn from it, and what they did.
#pragma once

#include <vector>

#include "eval/record.h"
#include "sim/survey.h"

namespace vic {

// The states (T + 1, n) of options of the agent's policy, the start first. Its world must be
// simulated.
std::vector<std::vector<double>> sample_states(const Agent& agent, int options, int seed);

// What they did.
Survey survey_of(const PhysicsWorld& world, const std::vector<std::vector<double>>& options);

// What is known of a physics world without a learner: random actions, which every policy must beat.
Json random_baseline_json(const PhysicsWorld& world);

// A run's survey beside that, for evaluation.json.
Json physics_evaluation_json(const Learner& learner, const Evaluation& evaluation,
                             const Json& truth);

// What is measured in a simulated world: a survey of its options, their H, and how surely the goal
// policy ends where they did.
Evaluation evaluate_simulated(const Agent& agent, const EvalSettings& settings);

}  // namespace vic
