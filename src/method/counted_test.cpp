// `counted`: D + lambda N from pi_q and counts, without a transition model.
#include <gtest/gtest.h>

#include <cmath>

#include "method/learner.h"
#include "support/named_world.h"
#include "support/small_settings.h"

namespace vic {
namespace {

Agent agent_of(const TabularWorld& world, const char* algorithm, double lambda) {
  TrainSettings settings = small_settings(algorithm);
  settings.lambda = lambda;
  return make_agent(&world, settings);
}

// with the pi_p and pi_q of implicit VIC: its control, and the rest of the surprise by counts
TEST(Counted, RewardsControlAndWhatIsLeftOfTheSurprise) {
  const TabularWorld world = world_named("line-noisy");
  const Agent implicit = agent_of(world, "implicit", 0);
  Batch batch;
  ActorWorkspace work;
  sample_options(batch, implicit, *make_sampler(implicit), work, 200, {.seed = 3});
  std::vector<double> p_f(world.S, 0);
  for (int r = 0; r < batch.histories.rows(); ++r) {
    p_f[batch.histories.state[r]] += batch.ended[r] / 200.0;
  }
  Scores scores;
  const std::vector<double> control = intrinsic_rewards(scores, implicit, batch);
  for (double lambda : {0.0, 0.3, 1.0}) {
    Scores own;
    const Agent agent = agent_of(world, "counted", lambda);
    const std::vector<double> reward = intrinsic_rewards(own, agent, batch);
    for (int r = 0; r < batch.histories.rows(); ++r) {
      if (batch.ended[r] == 0) continue;
      const double surprise = -std::log(p_f[batch.histories.state[r]]);
      EXPECT_NEAR(reward[r], (1 - lambda) * control[r] + lambda * surprise, 1e-9);
    }
  }
}

// with lambda = 1 it is marginal, and learns the same
TEST(Counted, CoversAsMarginalDoes) {
  const TabularWorld world = world_named("line-noisy");
  TrainSettings settings = small_settings("counted");
  settings.lambda = 1;
  settings.warm_up = 0;
  Learner counted(make_agent(&world, settings));
  settings.algorithm = "marginal";
  Learner marginal(make_agent(&world, settings));
  for (int u = 0; u < 5; ++u) counted.update(), marginal.update();
  EXPECT_NEAR(counted.metrics().reward, marginal.metrics().reward, 1e-6);
  const auto& own = counted.agent().pi_p().net().parameters().values;
  const auto& other = marginal.agent().pi_p().net().parameters().values;
  // but for rounding
  for (std::size_t i = 0; i < own.size(); ++i) EXPECT_NEAR(own[i], other[i], 1e-4F);
}

// the critic has nothing to say about control, which is left to b(s_0)
TEST(Counted, TheCriticExpectsThePartThatIsSurprise) {
  const TabularWorld world = world_named("line-noisy");
  const auto score_with = [&](double lambda) {
    TrainSettings settings = small_settings("counted");
    settings.lambda = lambda;
    settings.critic = CriticKind::belief;
    settings.td = 0.5;
    settings.batch = 200;
    Learner learner(make_agent(&world, settings));
    learner.update();
    const Agent& agent = learner.agent();
    Batch batch;
    Scores scores;
    sample_options(batch, agent, *make_sampler(agent), scores.policy, 200, {.seed = 3});
    scores.decisions.read(batch, agent.encoding);
    for (std::size_t i = 1; i < agent.models.size(); ++i) {
      scores.models.resize(agent.models.size() - 1);
      agent.models[i].model.net().encode(scores.models[i - 1].work.net, batch.tree(),
                                         batch.inputs.view());
    }
    RunningFrequencies recent(1, world.S);
    recent.add(ends_of(batch, {}), 0);
    score(scores, agent, {.batch = batch, .recent = recent, .encoded = true});
    for (int r = 0; r < batch.histories.rows(); ++r) {
      if (batch.ended[r] == 0) continue;
      EXPECT_NEAR(scores.critic.reward[r], -lambda * std::log(recent.p(0, batch.cell[r])), 1e-9);
    }
    return scores.critic.V;
  };
  const std::vector<double> whole = score_with(1), part = score_with(0.3);
  ASSERT_EQ(whole.size(), part.size());
  EXPECT_GT(whole[0], 0.5);
  for (std::size_t r = 0; r < whole.size(); ++r) EXPECT_NEAR(part[r], 0.3 * whole[r], 1e-9);
}

}  // namespace
}  // namespace vic
