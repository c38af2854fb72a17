// Practice. pi_q learned what leads to s_f from what the policy happened to do; sent to goals again
// and again, and rewarded for arriving, it learns what leads there best.
#pragma once

#include <span>

#include "method/rollout.h"

namespace vic {

struct PracticeSettings {
  int updates = 0;
  int batch = 256;
  double learning_rate = 1e-3;  // falls linearly to a tenth
  int seed = 1;
};

// Improves a policy that is told its goal, by the policy gradient of the probability that it ends
// there. Goals are drawn from `goals`, all alike, and each has a running baseline. Only `policy`
// changes.
void practise(Predictor& policy, const TabularWorld& world, const Encoding& encoding,
              std::span<const int> goals, const PracticeSettings& settings);

}  // namespace vic
