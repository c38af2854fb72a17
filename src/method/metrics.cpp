#include "method/metrics.h"

namespace vic {

Metrics metrics_of(const Means& means, const Agent& agent, bool has_critic) {
  const auto loss = [&](Role role) {
    return agent.find(role) == nullptr ? 0 : means.loss[agent.place_of(role) - 1];
  };
  Metrics metrics{.reward = means.reward,
                  .external = means.external,
                  .intrinsic = means.intrinsic,
                  .bonus = means.bonus,
                  .length = means.length,
                  .loss_pi_q = loss(Role::pi_q) + loss(Role::skill_discriminator),
                  .loss_rho_p = loss(Role::rho_p),
                  .loss_rho_q = loss(Role::rho_q)};
  if (agent.find(Role::belief) != nullptr) metrics.loss_b = loss(Role::belief);
  if (has_critic) metrics.critic = critic_correlation(means.critic);
  return metrics;
}

}  // namespace vic
