// Fine-tuning. pi_q, or b, learned what leads to s_f from what the policy happened to do; sent to
// goals again and again, and rewarded for arriving, it learns what leads there best.
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

// A goal: where options that are conditioned on it begin, and the cell in which they arrive.
struct TrainingGoal {
  Beginning beginning;
  int cell = 0;
};

// Improves the goal policy of a learner's agent by the policy gradient of the probability that it
// ends where it is sent. Goals are drawn from `goals`, uniformly, and each has a running baseline;
// no two of them are conditioned on the same. Nothing but that policy changes. `progress`, if any,
// is called after every update. Throws an Error where the agent has no goal policy.
void fine_tune(Learner& learner, Sampler& sampler, std::span<const TrainingGoal> goals,
               const FineTuning& settings, const std::function<void(int update)>& progress);

}  // namespace vic
