// train.epochs: several gradient steps per batch.
#include <gtest/gtest.h>

#include <cmath>

#include "method/learner.h"
#include "support/named_world.h"
#include "support/small_settings.h"

namespace vic {
namespace {

std::vector<Block<float>> parameters_after(const Learner& learner) {
  std::vector<Block<float>> values;
  for (const AgentModel& model : learner.agent().models) {
    values.push_back(model.model.net().parameters().values);
  }
  return values;
}

TEST(Epochs, AreTheSameOnTwoThreads) {
  const TabularWorld world = world_named("line-noisy");
  for (const char* algorithm : {"mixture", "belief"}) {
    TrainSettings settings = small_settings(algorithm);
    settings.warm_up = 2;
    settings.epochs = 3;
    Learner one(make_agent(&world, settings));
    settings.threads = 2;
    Learner two(make_agent(&world, settings));
    settings.epochs = 1;
    Learner once(make_agent(&world, settings));
    for (int u = 0; u < 6; ++u) one.update(), two.update(), once.update();
    EXPECT_EQ(parameters_after(one), parameters_after(two)) << algorithm;
    EXPECT_NE(parameters_after(one), parameters_after(once)) << algorithm;
  }
}

// mean |log pi_p after - log pi_p before| over the decisions of the batch that was learned from
double moved(double clip) {
  const TabularWorld world = world_named("line-noisy");
  TrainSettings settings = small_settings("marginal");
  settings.warm_up = 0;
  settings.epochs = 60;
  settings.learning_rate = 1e-2;
  settings.final_rate = 1;
  settings.clip = clip;
  const Agent before = make_agent(&world, settings);
  Learner learner(make_agent(&world, settings));
  learner.update();
  const Batch& batch = learner.shards()[0].batch;
  Decisions decisions;
  decisions.read(batch, before.encoding);
  const auto log_p = [&](const Agent& agent) {
    ModelWorkspace work;
    std::vector<float> out;
    agent.pi_p().net().encode(work.net, batch.tree(), batch.inputs.view());
    agent.pi_p().probabilities(work, decisions.queries, *batch.codes);
    agent.pi_p().cached_log_p(out, work, decisions.targets);
    return out;
  };
  const auto old = log_p(before), now = log_p(learner.agent());
  double sum = 0;
  for (std::size_t d = 0; d < old.size(); ++d) sum += std::abs(double(now[d]) - double(old[d]));
  return sum / static_cast<double>(old.size());
}

TEST(Epochs, StayCloseToThePolicyThatSampled) {
  const double close = moved(0.1), far = moved(10);
  EXPECT_GT(close, 0.02);
  EXPECT_LT(close, 0.5);
  EXPECT_GT(far, 2 * close);
}

// hindsight models learn more from a batch, whose reported loss is from before they learned from it
TEST(Epochs, LearnMorePerBatch) {
  const TabularWorld world = world_named("line-noisy");
  const auto loss_after = [&](int epochs) {
    TrainSettings settings = small_settings("implicit");
    settings.warm_up = 100;
    settings.epochs = epochs;
    Learner learner(make_agent(&world, settings));
    const auto first = [&] {
      learner.update();
      return learner.metrics().loss_pi_q;
    };
    const double begins = first();
    for (int u = 0; u < 20; ++u) learner.update();
    return std::pair(begins, learner.metrics().loss_pi_q);
  };
  const auto once = loss_after(1), often = loss_after(4);
  EXPECT_EQ(once.first, often.first);
  EXPECT_LT(often.second, once.second);
}

}  // namespace
}  // namespace vic
