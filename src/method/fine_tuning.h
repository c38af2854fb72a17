// Fine-tuning. In training, pi_q or b learns what leads to s_f only from options that pi_p happened
// to sample. Here options are sampled from the goal policy, and rewarded for ending in their goal.
#pragma once

#include <functional>
#include <span>

#include "method/learner.h"

namespace vic {

struct FineTuning {
  int updates = 0;
  int batch = 256;
  double learning_rate = 1e-3;  // falls linearly to a tenth
  int seed = 1;
};

// A goal: the beginning of options that are conditioned on it, and the cell in which they arrive.
struct TrainingGoal {
  Beginning beginning;
  int cell = 0;
};

// Improves the goal policy of a learner's agent by the policy gradient of the probability of ending
// in the goal. Goals are drawn uniformly from `goals`, whose Beginning::goal must differ, and each
// has a running baseline. Only that policy changes. `progress`, if any, is called after every
// update. Throws an Error where the agent has no goal policy.
void fine_tune(Learner& learner, Sampler& sampler, std::span<const TrainingGoal> goals,
               const FineTuning& settings, const std::function<void(int update)>& progress);

}  // namespace vic
