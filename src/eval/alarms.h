// Alarms: sentences about results of an agent that cannot be right, or are undesirable.
#pragma once

#include <string>
#include <vector>

#include "eval/evaluate.h"
#include "eval/reference.h"

namespace vic {

struct Alarm {
  const char* cause;  // the same for all sentences of a kind
  std::string sentence;
};

// Updates between two checks of a run in training.
inline constexpr long alarm_interval = 200;

// Alarms of a run in training, from its metrics at an update and those of alarm_interval updates
// earlier. There are none until the policy has trained for alarm_interval updates.
std::vector<Alarm> training_alarms(const Agent& agent, const Metrics& before, const Metrics& now);

// Alarms of an evaluation. Reward and models are checked only if the policy has trained for
// alarm_interval updates.
std::vector<Alarm> evaluation_alarms(const Learner& learner, const Evaluation& evaluation,
                                     const Reference& reference);

}  // namespace vic
