// Practice. pi_q learned what leads to s_f from what the policy happened to do; sent to goals again
// and again, and rewarded for arriving, it learns what leads there best.
#pragma once

#include <functional>
#include <span>

#include "method/stage.h"

namespace vic {

struct PracticeSettings {
  int updates = 0;
  int batch = 256;
  double learning_rate = 1e-3;  // falls linearly to a tenth
  int seed = 1;
};

// A goal: where options begin that are told it, and the cell in which they arrive.
struct PracticeGoal {
  Beginning beginning;
  int cell = 0;
};

// Improves a policy that is told its goal, by the policy gradient of the probability that it ends
// there. Goals are drawn from `goals`, all alike, and each has a running baseline; no two of them
// are told the same. Only the policy changes. `progress`, if any, hears of every update.
void practise(const Actor& actor, Stage& stage, std::span<const PracticeGoal> goals,
              const PracticeSettings& settings, const std::function<void(int update)>& progress);

}  // namespace vic
