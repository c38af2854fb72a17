// `counted-skills`: I(Omega; s_f) and coverage of explicit skills, from counts.
#include "method/counted_skills.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "method/learner.h"
#include "sim/world.h"
#include "support/named_world.h"
#include "support/small_settings.h"

namespace vic {
namespace {

TEST(CountedSkills, ControlIsThatOfCountsWithAFewOptionsOfTheWhole) {
  // nothing counted, or as often as in all options: no control
  EXPECT_EQ(skill_control(0.1, 0, 0), 0);
  EXPECT_NEAR(skill_control(0.1, 0.1, 50), 0, 1e-12);
  // always there: the surprise, once there are many
  EXPECT_NEAR(skill_control(0.1, 1, 1e9), std::log(10), 1e-6);
  EXPECT_LT(skill_control(0.1, 1, 10), std::log(10));
  // never there: finite
  EXPECT_NEAR(skill_control(0.1, 0, 36), std::log(0.1), 1e-12);
}

TEST(CountedSkills, RememberAsManyOptionsOfEachHoweverManyThereAre) {
  for (int skills : {8, 16, 64}) {
    TrainSettings settings;
    settings.batch = 128;
    settings.skills = skills;
    RunningFrequencies counts(skills, 1);
    std::vector<End> ends;
    for (int k = 0; k < skills; ++k) {
      ends.push_back({.options = settings.batch / double(skills), .skill = k});
    }
    for (int u = 0; u < 1000; ++u) counts.add(ends, skill_decay(settings), &End::skill);
    EXPECT_NEAR(options_of_skill(settings, counts, 3), 48, 1e-6) << skills;
  }
}

// the counts of a skill are those of the batches before, of s_f those of this one too
TEST(CountedSkills, RewardsControlAndSomeOfTheRest) {
  const TabularWorld world = world_named("line");
  for (double lambda : {0.0, 0.3, 1.0}) {
    TrainSettings settings = small_settings("counted-skills");
    settings.lambda = lambda;
    settings.skills = 4;
    settings.batch = 200;
    const Agent agent = make_agent(&world, settings);
    std::vector<Beginning> beginnings;
    agent.algorithm->objective->begin(beginnings, agent, 200, {.seed = 3});
    Batch batch;
    Scores scores;
    make_sampler(agent)->sample(batch, policy_of(agent), scores.policy, beginnings, {.seed = 3});
    RunningFrequencies recent(1, world.S), by_skill(4, world.S);
    recent.add(ends_of(batch), 0);
    const std::vector<End> before = {{.cell = world.s_0, .options = 1, .skill = 2}};
    by_skill.add(before, 0.5, &End::skill);
    score(scores, agent, {.batch = batch, .recent = recent, .by_skill = &by_skill});
    for (int r = 0; r < batch.histories.rows(); ++r) {
      if (batch.ended[r] == 0) continue;
      const double p = recent.p(0, batch.cell[r]);
      const int skill = batch.goal[batch.histories.root[r]];
      const double given = skill == 2 && batch.cell[r] == world.s_0 ? 1 : 0;
      const double control = skill_control(p, given, options_of_skill(settings, by_skill, skill));
      EXPECT_NEAR(scores.reward[r], (1 - lambda) * control - lambda * std::log(p), 1e-9);
    }
  }
}

// a minibatch is a sample of the whole batch: it has options of most skills
TEST(CountedSkills, AreMixedInEachShardOfASimulatedWorld) {
  Overrides overrides({{"world.T", "5", "test"}});
  const SimulatorPtr simulator = load_simulator("half-cheetah", overrides);
  TrainSettings settings = small_settings("counted-skills");
  settings.skills = 8;
  settings.batch = 64;
  Learner learner(make_agent(simulator.get(), settings));
  learner.update();
  ASSERT_EQ(learner.shards().size(), 4U);
  for (const Shard& shard : learner.shards()) {
    const std::set<int> skills(shard.batch.goal.begin(), shard.batch.goal.begin() + 16);
    EXPECT_GE(skills.size(), 5U);
  }
}

TEST(CountedSkills, BecomeDistinctAndCover) {
  const TabularWorld world = world_named("line");
  TrainSettings settings = small_settings("counted-skills");
  settings.lambda = 0.3;
  settings.skills = 12;
  settings.batch = 128;
  settings.learning_rate = 5e-3;
  settings.warm_up = 0;
  settings.updates = 600;
  Learner learner(make_agent(&world, settings));
  for (int u = 0; u < settings.updates; ++u) learner.update();
  // nine states, and the discriminator recognises what can be: log 9 of log 12
  const Metrics metrics = learner.metrics();
  EXPECT_GT(metrics.I_hat, 0.9 * std::log(9));
  EXPECT_LT(metrics.loss_pi_q, std::log(12) - 0.85 * std::log(9));
}

}  // namespace
}  // namespace vic
