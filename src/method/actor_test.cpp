#include "method/actor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "method/agent.h"
#include "method/sampler.h"
#include "method/scores.h"
#include "support/gradient_check.h"
#include "support/named_world.h"
#include "support/small_settings.h"

namespace vic {
namespace {

// the policy that is conditioned on goals by Bayes: the gradient of the log-probabilities of its
// options against their finite difference along it, where only b moves
TEST(Actor, GradientOfThePolicyThatIsSentByBayes) {
  const TabularWorld world = world_named("line-noisy");
  Agent agent = make_agent(&world, small_settings("belief"));
  for (AgentModel& model : agent.models) {
    for (float& x : model.model.net().parameters().values) x *= 5;
  }
  const Actor actor = *goal_policy_of(agent);
  Model& b = agent.models[agent.place_of(Role::belief)].model;
  ASSERT_EQ(&actor.learns(), &b);
  std::vector<Beginning> beginnings;
  for (int s : world.final_states()) beginnings.insert(beginnings.end(), 4, {world.s_0, s});
  Batch batch;
  ActorWorkspace work;
  make_sampler(agent)->sample(batch, actor, work, beginnings, {.seed = 1, .update = 0});
  Decisions decisions;
  decisions.read(batch, agent.encoding);
  for (std::size_t d = 0; d < batch.decision_row.size(); ++d) {
    decisions.scale.push_back(d % 3 == 0 ? 0.5F : -0.25F);
  }
  Block<float> gradient(b.net().parameters().values.size(), 0);
  actor.add_gradient(gradient, work, batch, decisions);

  const auto loss = [&] {
    ActorWorkspace fresh;
    actor.encode(fresh, batch.context());
    const auto p = actor.probabilities(fresh, decisions.queries, batch.context());
    double sum = 0;
    for (std::size_t d = 0; d < decisions.scale.size(); ++d) {
      sum -= double(decisions.scale[d]) *
             std::log(double(p(decisions.targets.query[d], decisions.targets.choice[d])));
    }
    return sum;
  };
  expect_slope_along(gradient, b.net().parameters().values, loss, 5e-3);
}

}  // namespace
}  // namespace vic
