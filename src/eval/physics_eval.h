// What a policy does with a body: options drawn from it, and what they did.
#pragma once

#include <vector>

#include "eval/record.h"
#include "sim/survey.h"

namespace vic {

// The states (T + 1, n) of options of the learner's policy, the start first. The learner must be
// one of a physics world.
std::vector<std::vector<double>> draw_options(Learner& learner, int options, int seed);

// What they did.
Survey survey_of(const PhysicsWorld& world, const std::vector<std::vector<double>>& options);

// What is known of a physics world without a learner: random actions, which every policy must beat.
Json physics_truth_json(const PhysicsWorld& world);

// A run's survey beside that, for evaluation.json.
Json physics_evaluation_json(Learner& learner, const Evaluation& evaluation, const Json& truth);

}  // namespace vic
