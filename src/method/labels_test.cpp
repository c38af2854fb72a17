#include "method/labels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "method/learner.h"
#include "support/named_world.h"

namespace vic {
namespace {

TrainSettings settings_for(const char* algorithm, int options) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.options = options;
  settings.warm_up = 50;
  settings.hidden = 16;
  return settings;
}

TEST(Labels, OptionsAreDrawnFromThePriorAndSorted) {
  const TabularWorld world = world_named("line-noisy");
  TrainSettings settings = settings_for("explicit", 5);
  settings.prior = "learned";
  Learner learner(world, settings);
  // a prior that is far from uniform
  Predictor& prior = *learner.labels()->predictors().at(1);
  for (float& x : prior.model().parameters().values) x *= 15;
  const std::vector<double> p = learner.labels()->prior();
  std::vector<Beginning> beginnings;
  constexpr int B = 20000;
  learner.begin_in_s_0(beginnings, B, {.seed = 3});
  std::vector<double> share(5, 0);
  for (int b = 0; b < B; ++b) {
    EXPECT_EQ(beginnings[b].state, world.s_0);
    EXPECT_LE(beginnings[std::max(b - 1, 0)].told, beginnings[b].told);
    share[beginnings[b].told] += 1.0 / B;
  }
  double distance = 0;
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(share[i], p[i], 5 * std::sqrt(p[i] * (1 - p[i]) / B) + 1e-6);
    distance += std::abs(p[i] - 0.2);
  }
  EXPECT_GT(distance, 0.1) << "a uniform prior shows nothing";
}

// q, asked about one state at a time
std::vector<double> log_q(Learner& learner, int s) {
  Histories start;
  start.begin(learner.world().s_0);
  HistoryInputs<float> inputs;
  inputs.append(start, 0, learner.encoding(), learner.world().A);
  Predictor& q = *learner.labels()->predictors()[0];
  q.model().encode(tree_of(start, 1), inputs.view());
  const auto p = q.probabilities({.row = {0}, .action = {}, .goal = {s}});
  std::vector<double> out(learner.labels()->size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::log(double(p(0, Index(i))));
  return out;
}

TEST(Labels, TheRewardIsWhatQKnowsMoreThanThePrior) {
  for (const char* algorithm : {"explicit", "diayn"}) {
    const TabularWorld world = world_named("tree-noisy");
    Learner learner(world, settings_for(algorithm, 6));
    for (int i = 0; i < 200; ++i) learner.update();
    std::vector<Beginning> beginnings;
    learner.begin_in_s_0(beginnings, 100, {.seed = 9});
    Rollout rollout(world, learner.encoding());
    Batch batch;
    HistoryInputs<float> inputs;
    rollout.draw(batch, inputs, learner.pi_p(), beginnings, {.seed = 9});
    const std::vector<double> rewards = learner.intrinsic_rewards(batch, inputs);
    const Histories& tree = batch.histories;
    double largest = 0;
    for (int row = 0; row < tree.rows(); ++row) {
      if (batch.ended[row] == 0) continue;
      const int option = batch.told[tree.root[row]];
      double expected = 0;
      for (int r = row; r >= 0; r = tree.parent[r]) {
        const bool counts = std::string(algorithm) == "explicit" ? r == row : r >= tree.roots();
        if (counts) expected += log_q(learner, tree.state[r])[option] + std::log(6.0);
      }
      EXPECT_NEAR(rewards[row], expected, 1e-4) << algorithm;
      largest = std::max(largest, std::abs(expected));
    }
    EXPECT_GT(largest, 0.1) << "rewards of zero show nothing";
  }
}

TEST(Labels, TheOptionOfAGoalIsTheOneThatEndsThere) {
  const TabularWorld world = world_named("line");
  TrainSettings settings = settings_for("explicit", 4);
  settings.learning_rate = 5e-3;
  settings.hidden = 32;
  Learner learner(world, settings);
  for (int i = 0; i < 3000; ++i) learner.update();
  // nearly all that two bits can carry, and q knows which option went where
  EXPECT_GT(learner.metrics().reward, 0.95 * std::log(4.0));
  std::vector<Beginning> beginnings;
  learner.begin_in_s_0(beginnings, 200, {.seed = 5});
  Rollout rollout(world, learner.encoding());
  Batch batch;
  HistoryInputs<float> inputs;
  rollout.draw(batch, inputs, learner.pi_p(), beginnings, {.seed = 5});
  int right = 0;
  for (int r = 0; r < batch.histories.rows(); ++r) {
    if (batch.ended[r] == 0) continue;
    const bool guessed =
        learner.told_for(batch.histories.state[r]) == batch.told[batch.histories.root[r]];
    right += guessed ? batch.ended[r] : 0;
  }
  EXPECT_GE(right, 180);
}

TEST(Labels, ALearnedPriorFollowsWhatPays) {
  const TabularWorld world = world_named("line");
  TrainSettings settings = settings_for("explicit", 3);
  settings.prior = "learned";
  Learner learner(world, settings);
  Labels& labels = *learner.labels();
  Rollout rollout(world, learner.encoding());
  Batch batch;
  HistoryInputs<float> inputs;
  std::vector<Beginning> beginnings;
  const std::vector<double> before = labels.prior();
  for (std::uint32_t u = 0; u < 30; ++u) {
    learner.begin_in_s_0(beginnings, 60, {.seed = 2, .update = u});
    rollout.draw(batch, inputs, learner.pi_p(), beginnings, {.seed = 2, .update = u});
    // option 1 pays, option 2 costs
    std::vector<double> gain(batch.histories.rows());
    for (std::size_t r = 0; r < gain.size(); ++r) {
      const int option = batch.told[batch.histories.root[r]];
      gain[r] = option == 1 ? 1 : option == 2 ? -1 : 0;
    }
    labels.learn_prior(batch, gain, {.learning_rate = 1e-2}, u);
  }
  EXPECT_GT(labels.prior()[1], before[1] + 0.2);
  EXPECT_LT(labels.prior()[2], before[2] - 0.1);
}

TEST(Labels, WrongSettingsAreRefused) {
  const TabularWorld world = world_named("line");
  TrainSettings settings = settings_for("explicit", 4);
  settings.prior = "flat";
  EXPECT_THROW(Learner(world, settings), UsageError);
  settings.prior = "uniform";
  settings.starts = "all";
  EXPECT_THROW(Learner(world, settings), UsageError);
  settings.starts = "some";
  EXPECT_THROW(Learner(world, settings), UsageError);
}

}  // namespace
}  // namespace vic
