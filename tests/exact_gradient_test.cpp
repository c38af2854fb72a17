// Updates over all options in place of a batch, train.gradient = exact, against the oracle.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.h"
#include "oracle/control.h"
#include "support/exact_gradient.h"

namespace vic {
namespace {

TrainSettings exact_settings(const char* algorithm) {
  TrainSettings settings = defaults_of(find_algorithm(algorithm));
  settings.gradient = GradientKind::exact;
  settings.warm_up = 0;
  return settings;
}

double norm(const std::vector<double>& x) {
  double sum = 0;
  for (double value : x) sum += value * value;
  return std::sqrt(sum);
}

// with a rate of zero nothing is learned, and without memory Adam's mean is the gradient
void expect_exact_gradient(const char* name, const char* algorithm) {
  SCOPED_TRACE(fmt::format("{} on {}", algorithm, name));
  const Whole whole(name);
  TrainSettings settings = exact_settings(algorithm);
  settings.critic = CriticKind::none;
  settings.encoding = StateCode::onehot;
  settings.hidden = 8;
  settings.entropy_bonus = 0.1;
  settings.entropy_end = 0;
  settings.learning_rate = settings.policy_rate = settings.beta_1 = settings.beta_2 = 0;
  Learner learner(make_agent(&whole.world, settings));
  for (AgentModel& model : learner.agent().models) {
    for (float& x : model.model.net().parameters().values) x *= 8;
  }
  const std::vector<double> exact =
      exact_gradient(learner.agent(), whole, payoffs(learner.agent(), whole));
  learner.update();
  const Block<float>& mean = learner.state().optimizers[0].adam.mean;
  std::vector<double> difference;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    difference.push_back(-static_cast<double>(mean[i]) - exact[i]);
  }
  EXPECT_GT(norm(exact), 0.01);
  EXPECT_LT(norm(difference), 1e-4 * norm(exact));
  EXPECT_GT(norm(difference), 0) << "one is computed in float";
}

TEST(ExactGradient, IsThatOfTheExpectation) {
  for (const char* algorithm : {"implicit", "transition", "mixture", "belief", "open-loop"}) {
    expect_exact_gradient("tree-noisy", algorithm);
  }
  expect_exact_gradient("line-noisy", "transition");
}

TEST(ExactGradient, WeighsEveryOptionByItsProbability) {
  const Whole whole("line-noisy");
  Learner learner(make_agent(&whole.world, exact_settings("marginal")));
  for (int update = 0; update < 3; ++update) {
    const Flow visited = flow(whole.unrolled, exact_policy(learner.agent(), whole));
    learner.update();
    const Batch& batch = learner.shards()[0].batch;
    ASSERT_EQ(batch.histories.rows(), whole.tree.rows());
    std::vector<double> p_f(whole.world.S, 0);
    double all = 0;
    for (int r = 0; r < batch.histories.rows(); ++r) {
      p_f[batch.histories.state[r]] += batch.ended[r] / batch.options;
      all += batch.ended[r] / batch.options;
    }
    EXPECT_NEAR(all, 1, 1e-12);
    for (int s = 0; s < whole.world.S; ++s) EXPECT_NEAR(p_f[s], visited.p_f[s], 1e-6);
  }
}

// without samples, -log p of the present policy has mean H, to the precision of a float
TEST(ExactGradient, TheMeanRewardOfMarginalIsCoverage) {
  const Whole whole("tree-noisy");
  TrainSettings settings = exact_settings("marginal");
  settings.count_decay = 0;
  Learner learner(make_agent(&whole.world, settings));
  for (int update = 0; update < 20; ++update) {
    const double H = measure(whole.unrolled, exact_policy(learner.agent(), whole)).H;
    learner.update();
    EXPECT_NEAR(learner.metrics().reward, H, 1e-5);
  }
}

TEST(ExactGradient, ReachesTheOptimumOfTheNoisyLine) {
  const Whole whole("line-noisy");
  TrainSettings settings = exact_settings("marginal");
  settings.count_decay = 0;
  settings.learning_rate = 3e-3;
  settings.updates = 400;
  Learner learner(make_agent(&whole.world, settings));
  for (int update = 0; update < settings.updates; ++update) learner.update();
  const double H = measure(whole.unrolled, exact_policy(learner.agent(), whole)).H;
  EXPECT_GE(H, 0.999 * 2.19398);
  EXPECT_LE(H, 2.19398 + 1e-5);
}

TEST(ExactGradient, IsTheSameOnTwoThreads) {
  const Whole whole("line-noisy");
  std::vector<Block<float>> values;
  for (int threads : {1, 2}) {
    TrainSettings settings = exact_settings("transition");
    settings.threads = threads;
    Learner learner(make_agent(&whole.world, settings));
    for (int update = 0; update < 5; ++update) learner.update();
    values.push_back(learner.agent().pi_p().net().parameters().values);
  }
  EXPECT_EQ(values[0], values[1]);
}

std::string refusal(const char* world_name, TrainSettings settings) {
  Overrides none;
  const TabularWorld world = load_world(world_name, none);
  try {
    make_agent(&world, settings);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(ExactGradient, IsRefusedWhereOptionsCannotAllBeWeighed) {
  EXPECT_EQ(refusal("rooms-35", exact_settings("marginal")),
            "train.gradient = exact weighs every history of rooms-35, and there are more than "
            "200000; take sampled, or a smaller world.T_max.");
  EXPECT_EQ(refusal("line-noisy", exact_settings("diayn")),
            "train.gradient = exact weighs the options of one policy from one start; take sampled "
            "with train.starts = all and with skills.");
  EXPECT_EQ(refusal("line-noisy", exact_settings("marginal")), "");
}

}  // namespace
}  // namespace vic
