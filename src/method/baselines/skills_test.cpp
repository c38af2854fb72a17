#include "method/baselines/skills.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "method/learner.h"
#include "sim/world.h"
#include "support/named_world.h"

namespace vic {
namespace {

TrainSettings settings_for(const char* algorithm, int skills) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.skills = skills;
  settings.warm_up = 50;
  settings.hidden = 16;
  return settings;
}

// a batch of an agent's options
Batch sample_batch(const Agent& agent, int B, RolloutAddress address) {
  ActorWorkspace work;
  Batch batch;
  sample_options(batch, agent, *make_sampler(agent), work, B, address);
  return batch;
}

TEST(Skills, AreDrawnFromThePriorAndSorted) {
  const TabularWorld world = world_named("line-noisy");
  TrainSettings settings = settings_for("explicit", 5);
  settings.prior = SkillPrior::learned;
  Agent agent = make_agent(&world, settings);
  // a prior that is far from uniform
  Model& prior = agent.models.at(agent.place_of(Role::skill_prior)).model;
  for (float& x : prior.net().parameters().values) x *= 15;
  const std::vector<double> p = skill_prior(agent);
  std::vector<Beginning> beginnings;
  constexpr int B = 20000;
  agent.algorithm->objective->begin(beginnings, agent, B, {.seed = 3});
  std::vector<double> share(5, 0);
  for (int b = 0; b < B; ++b) {
    EXPECT_EQ(beginnings[b].state, world.s_0);
    EXPECT_LE(beginnings[std::max(b - 1, 0)].goal, beginnings[b].goal);
    share[beginnings[b].goal] += 1.0 / B;
  }
  double distance = 0;
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(share[i], p[i], 5 * std::sqrt(p[i] * (1 - p[i]) / B) + 1e-6);
    distance += std::abs(p[i] - 0.2);
  }
  EXPECT_GT(distance, 0.1) << "a uniform prior shows nothing";
}

// q, queried about one start and one state at a time
std::vector<double> log_q(const Agent& agent, int s_0, int s) {
  Histories start;
  start.begin(s_0);
  HistoryInputs<float> inputs;
  inputs.append(start, 0, agent.encoding, *agent.codes);
  const Model& q = *agent.find(Role::skill_discriminator);
  ModelWorkspace work;
  q.net().encode(work.net, tree_of(start, 1), inputs.view());
  const auto p = q.probabilities(work, {.row = {0}, .action = {}, .goal = {s}}, *agent.codes);
  std::vector<double> out(agent.settings.skills);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::log(double(p(0, Index(i))));
  return out;
}

// compares the rewards of a batch's options with separate queries of q
void expect_rewards_of_q(const Agent& agent, const Batch& batch) {
  Scores scores;
  const std::vector<double>& rewards = intrinsic_rewards(scores, agent, batch);
  const Histories& tree = batch.histories;
  const std::string& algorithm = agent.settings.algorithm;
  double largest = 0;
  for (int row = 0; row < tree.rows(); ++row) {
    if (batch.ended[row] == 0) continue;
    const int root = tree.root[row], skill = batch.goal[root];
    double expected = 0;
    for (int r = row; r >= 0; r = tree.parent[r]) {
      const bool counts = algorithm == "explicit" ? r == row : r >= tree.roots();
      if (!counts) continue;
      expected += log_q(agent, tree.state[root], tree.state[r])[skill] + std::log(6.0);
    }
    EXPECT_NEAR(rewards[row], expected, 1e-4) << algorithm;
    largest = std::max(largest, std::abs(expected));
  }
  EXPECT_GT(largest, 0.1) << "rewards of zero show nothing";
}

TEST(Skills, TheRewardIsWhatQKnowsMoreThanThePrior) {
  for (const char* algorithm : {"explicit", "diayn"}) {
    const TabularWorld world = world_named("tree-noisy");
    Learner learner(make_agent(&world, settings_for(algorithm, 6)));
    for (int i = 0; i < 200; ++i) learner.update();
    expect_rewards_of_q(learner.agent(), sample_batch(learner.agent(), 100, {.seed = 9}));
  }
}

TEST(Skills, BeginAnywhere) {
  for (const char* algorithm : {"explicit", "diayn"}) {
    const TabularWorld world = world_named("tree-noisy");
    TrainSettings settings = settings_for(algorithm, 6);
    settings.starts = Starts::all;
    Learner learner(make_agent(&world, settings));
    for (int i = 0; i < 200; ++i) learner.update();
    const Batch& batch = learner.shards()[0].batch;
    // every start, with several skills
    const Histories& tree = batch.histories;
    std::set<int> starts, skills;
    for (int root = 0; root < tree.roots(); ++root) {
      starts.insert(tree.state[root]);
      skills.insert(batch.goal[root]);
    }
    EXPECT_GT(starts.size(), 5U);
    EXPECT_EQ(skills.size(), 6U);
    expect_rewards_of_q(learner.agent(), batch);
  }
}

TEST(Skills, TheSkillOfAGoalIsTheOneThatEndsThere) {
  const TabularWorld world = world_named("line");
  TrainSettings settings = settings_for("explicit", 4);
  settings.learning_rate = 5e-3;
  settings.hidden = 32;
  Learner learner(make_agent(&world, settings));
  for (int i = 0; i < 3000; ++i) learner.update();
  // nearly all of the two bits, and q recognises the skills
  EXPECT_GT(learner.metrics().reward, 0.95 * std::log(4.0));
  const Agent& agent = learner.agent();
  const Batch batch = sample_batch(agent, 200, {.seed = 5});
  int right = 0;
  for (int r = 0; r < batch.histories.rows(); ++r) {
    if (batch.ended[r] == 0) continue;
    const int skill = condition_for(agent, batch.histories.state[r]);
    right += skill == batch.goal[batch.histories.root[r]] ? batch.count(r) : 0;
  }
  EXPECT_GE(right, 180);
}

TEST(Skills, ALearnedPriorFollowsWhatPays) {
  const TabularWorld world = world_named("line");
  TrainSettings settings = settings_for("explicit", 3);
  settings.prior = SkillPrior::learned;
  Agent agent = make_agent(&world, settings);
  Model& model = agent.models.at(agent.place_of(Role::skill_prior)).model;
  Optimizer<float> optimizer(model.net());
  const std::unique_ptr<Sampler> sampler = make_sampler(agent);
  const RunningFrequencies none;
  Batch batch;
  Scores scores;
  const std::vector<double> before = skill_prior(agent);
  for (std::uint32_t u = 0; u < 30; ++u) {
    sample_options(batch, agent, *sampler, scores.policy, 60, {.seed = 2, .update = u});
    score(scores, agent, {.batch = batch, .recent = none});
    // skill 1 pays, skill 2 costs
    std::vector<double> advantage(batch.histories.rows());
    for (std::size_t r = 0; r < advantage.size(); ++r) {
      const int skill = batch.goal[batch.histories.root[r]];
      advantage[r] = skill == 1 ? 1 : skill == 2 ? -1 : 0;
    }
    agent.algorithm->objective->set_advantages(scores, agent, batch, advantage);
    ModelScore& prior = scores.of(agent, Role::skill_prior);
    model.add_gradient(optimizer.gradient, prior.work, prior.queries, prior.targets, prior.weight,
                       batch.context());
    optimizer.step(model.net(), {.learning_rate = 1e-2}, u);
  }
  EXPECT_GT(skill_prior(agent)[1], before[1] + 0.2);
  EXPECT_LT(skill_prior(agent)[2], before[2] - 0.1);
}

TEST(Skills, ALearnedPriorWaitsForTheWarmUpAndQDoesNot) {
  const TabularWorld world = world_named("line-noisy");
  TrainSettings settings = settings_for("explicit", 3);
  settings.prior = SkillPrior::learned;
  settings.warm_up = 5;
  Learner learner(make_agent(&world, settings));
  const auto values = [&](Role role) {
    return learner.agent().find(role)->net().parameters().values;
  };
  const auto q = values(Role::skill_discriminator), prior = values(Role::skill_prior);
  for (int u = 0; u < 5; ++u) learner.update();
  EXPECT_NE(values(Role::skill_discriminator), q);
  EXPECT_EQ(values(Role::skill_prior), prior);
  learner.update();
  EXPECT_NE(values(Role::skill_prior), prior);
}

TEST(Skills, WrongSettingsAreRefused) {
  const TabularWorld world = world_named("line");
  TrainSettings settings = settings_for("explicit", 4);
  Overrides prior({{"train.prior", "flat", "a test"}});
  EXPECT_THROW(prior.apply("train", settings), UsageError);
  settings.starts = Starts::all;
  settings.prior = SkillPrior::learned;
  EXPECT_THROW(make_agent(&world, settings), UsageError);
  Overrides starts({{"train.starts", "some", "a test"}});
  EXPECT_THROW(starts.apply("train", settings), UsageError);
}

SimulatorPtr pendulum() {
  Overrides overrides({{"world.T", "20", "test"}, {"world.pitch_bin", "0.1", "test"}});
  return load_simulator(std::string(VIC_SOURCE_DIR) + "/examples/pendulum.xml", overrides);
}

// log q - log p of option b's skill, one query at a time: at its end, or summed along its way
double recognised(const Agent& agent, const Batch& batch, int b, bool on_the_way) {
  const Model& q = *agent.find(Role::skill_discriminator);
  const int B = batch.options, T = batch.histories.rows() / B - 1;
  double sum = 0;
  for (int t = on_the_way ? 1 : T; t <= T; ++t) {
    ModelWorkspace work;
    q.net().encode(work.net, tree_of(batch.histories, 1), batch.inputs.view());
    const auto p =
        q.probabilities(work, {.row = {b}, .action = {}, .goal = {t * B + b}}, *batch.codes);
    sum += std::log(double(p(0, batch.goal[b])) * agent.settings.skills);
  }
  return sum;
}

TEST(Skills, AreRewardedInSimulatedWorldsAsInTables) {
  const SimulatorPtr world = pendulum();
  for (const char* algorithm : {"explicit", "diayn"}) {
    TrainSettings settings = settings_for(algorithm, 4);
    settings.batch = 16;
    settings.sticky_action_logit = 2;
    Learner learner(make_agent(world.get(), settings));
    for (int i = 0; i < 5; ++i) learner.update();
    const Batch batch = sample_batch(learner.agent(), 16, {.seed = 9});
    Scores scores;
    const std::vector<double>& rewards = intrinsic_rewards(scores, learner.agent(), batch);
    std::set<double> distinct;
    for (int b = 0; b < 16; ++b) {
      const int row = batch.histories.rows() - 16 + b;
      EXPECT_NEAR(rewards[row],
                  recognised(learner.agent(), batch, b, algorithm == std::string("diayn")), 1e-4);
      distinct.insert(rewards[row]);
    }
    EXPECT_GT(distinct.size(), 4U) << "equal rewards show nothing";
  }
}

TEST(Skills, BecomeDistinctInASimulatedWorld) {
  const SimulatorPtr world = pendulum();
  TrainSettings settings = settings_for("explicit", 2);
  settings.batch = 32;
  settings.learning_rate = 5e-3;
  settings.sticky_action_logit = 2;
  Learner learner(make_agent(world.get(), settings));
  for (int i = 0; i < 120; ++i) learner.update();
  // most of the one bit of two skills
  EXPECT_GT(learner.metrics().reward, 0.8 * std::log(2.0));
}

TEST(Random, MakesEveryChoiceAlikeAndNeverLearns) {
  const SimulatorPtr simulated = pendulum();
  const TabularWorld table = world_named("line-noisy");
  for (const WorldRef world : {WorldRef(simulated.get()), WorldRef(&table)}) {
    TrainSettings settings = settings_for("random", 2);
    settings.warm_up = 0;
    settings.batch = 16;
    Learner learner(make_agent(world, settings));
    const auto before = learner.agent().pi_p().net().parameters().values;
    for (int i = 0; i < 3; ++i) learner.update();
    EXPECT_EQ(learner.agent().pi_p().net().parameters().values, before);
    const Batch batch = sample_batch(learner.agent(), 4, {.seed = 1});
    Scores scores;
    intrinsic_rewards(scores, learner.agent(), batch);
    const double choices = learner.agent().encoding.F == 1 ? learner.agent().encoding.choices
                                                           : learner.agent().encoding.L;
    for (const float log_p : scores.log_pi_p) {
      EXPECT_NEAR(log_p, -learner.agent().encoding.F * std::log(choices), 1e-5);
    }
  }
}

}  // namespace
}  // namespace vic
