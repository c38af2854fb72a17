// Alarms: what an agent reports that cannot be right, or is not wanted, in sentences.
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

// Updates between two looks at a training.
inline constexpr long alarm_interval = 200;

// Of a training: from its metrics at an update, and those of an update so many before. There are
// none before the policy has learned for so many updates.
std::vector<Alarm> training_alarms(const Agent& agent, const Metrics& before, const Metrics& now);

// Of an evaluation. What has learned for fewer updates is not measured by its reward and models.
std::vector<Alarm> evaluation_alarms(const Learner& learner, const Evaluation& evaluation,
                                     const Reference& reference);

}  // namespace vic
