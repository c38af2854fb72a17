// Schedules: the learning rate, and the weights in the reward.
#include <algorithm>

#include "method/beliefs.h"
#include "method/learner.h"

namespace vic {

AdamSettings Learner::adam(double rate) const {
  // the rate falls linearly from its full value to its final share
  const auto all = static_cast<double>(settings().all_updates());
  const double left = 1 - std::min(1.0, static_cast<double>(state_.update) / all);
  const double share = settings().final_rate + (1 - settings().final_rate) * left;
  return {.learning_rate = rate * share, .beta_1 = settings().beta_1, .beta_2 = settings().beta_2};
}

double Learner::alpha() const {
  const double past = std::max(0.0, policy_updates()) - settings().alpha_start;
  if (past < 0) return 0;
  return settings().alpha * (past < settings().alpha_ramp ? past / settings().alpha_ramp : 1);
}

double Learner::more_lambda() const {
  const double past = std::max(0.0, policy_updates()) - settings().lambda_start;
  if (past >= settings().lambda_ramp) return 0;
  const double left = past < 0 ? 1 : 1 - past / settings().lambda_ramp;
  return (settings().lambda_first - settings().lambda) * left;
}

// The objective of b is (1 - lambda) D + lambda H. Only D needs the bonus, which is scaled by the
// weight that D has at the end of the schedule.
double Learner::entropy_bonus() const {
  const double control = rewards_by_belief(agent_) ? std::max(0.0, 1 - settings().lambda) : 1;
  const double bonus = settings().entropy_bonus * control;
  if (settings().entropy_end == 0) return bonus;
  const double past = std::max(0.0, policy_updates() / settings().entropy_end);
  return bonus * std::max(0.0, 1 - past);
}

}  // namespace vic
