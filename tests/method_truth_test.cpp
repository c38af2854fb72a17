// The method against the truth: its policy gradient against the exact one from enumeration, and the
// learned policy against the exact optimum. It is here because method/ itself must not include the
// oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "method/learner.h"
#include "oracle/ascent.h"
#include "oracle/control.h"
#include "oracle/unrolled.h"
#include "support/exact_gradient.h"

namespace vic {
namespace {

// Mean and standard error of the gradients of many batches, as `update` itself takes them: with a
// rate of zero nothing is learned, and without memory Adam's mean is the gradient of the loss.
struct Sampled {
  std::vector<double> mean, error;

  Sampled(Learner& learner, int batches) {
    const Block<float>& last = learner.state().optimizers[0].adam.mean;
    std::vector<double> square(last.size(), 0);
    mean.assign(last.size(), 0);
    for (int n = 0; n < batches; ++n) {
      learner.update();
      for (std::size_t i = 0; i < last.size(); ++i) {
        const double up = -static_cast<double>(last[i]);
        mean[i] += up / batches;
        square[i] += up * up / batches;
      }
    }
    for (std::size_t i = 0; i < last.size(); ++i) {
      error.push_back(std::sqrt(std::max(0.0, square[i] - mean[i] * mean[i]) / batches));
    }
  }
};

// the squared distance of two gradients in standard errors: its mean over the parameters is 1 in
// expectation for the true gradient, and varies more the more the parameters are correlated
struct Distance {
  double mean_square = 0, largest = 0;

  Distance(const Sampled& sampled, const std::vector<double>& gradient) {
    int n = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      // parameters that nothing passes through: padding, and states that cannot be seen
      if (sampled.error[i] < 1e-9) continue;
      const double z = (sampled.mean[i] - gradient[i]) / sampled.error[i];
      mean_square += z * z;
      largest = std::max(largest, std::abs(z));
      ++n;
    }
    EXPECT_GT(n, 500);
    mean_square /= n;
  }
};

// the parameters in which the exact gradient stands out most
std::vector<std::size_t> clearest(const Sampled& sampled, const std::vector<double>& gradient) {
  std::vector<std::size_t> order(gradient.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto clear = [&](std::size_t i) {
    return sampled.error[i] < 1e-9 ? 0 : std::abs(gradient[i]) / sampled.error[i];
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return clear(i) > clear(j); });
  order.resize(10);
  return order;
}

void expect_policy_gradient(const char* name, const char* algorithm, TrainSettings settings = {}) {
  SCOPED_TRACE(fmt::format("{} on {}", algorithm, name));
  const Whole whole(name);
  settings.algorithm = algorithm;
  settings.encoding = StateCode::onehot;
  settings.hidden = 8;
  settings.warm_up = 0;
  settings.learning_rate = settings.beta_1 = settings.beta_2 = 0;
  Learner learner(make_agent(&whole.world, settings));
  // models with clear preferences: with small initial weights all rewards are nearly the same
  for (AgentModel& model : learner.agent().models) {
    for (float& x : model.model.net().parameters().values) x *= 8;
  }
  const Block<float>& values = learner.agent().pi_p().net().parameters().values;
  const Block<float> before = values;
  const Rows payoff = payoffs(learner.agent(), whole);
  const std::vector<double> gradient = exact_gradient(learner.agent(), whole, payoff);
  const Sampled sampled(learner, /*batches=*/400);
  EXPECT_EQ(values, before) << "nothing is to be learned here";

  const Distance distance(sampled, gradient);
  EXPECT_LT(distance.mean_square, 3);
  EXPECT_LT(distance.largest, 5);
  for (std::size_t i : clearest(sampled, gradient)) {
    EXPECT_NEAR(sampled.mean[i], gradient[i], 4 * sampled.error[i]) << "parameter " << i;
    EXPECT_GT(std::abs(gradient[i]), 10 * sampled.error[i]) << "too much noise to tell anything";
  }
  // the test can fail: for no gradient, and for one that is a tenth too long
  std::vector<double> longer = gradient;
  for (double& g : longer) g *= 1.1;
  EXPECT_GT(Distance(sampled, std::vector<double>(gradient.size(), 0)).mean_square, 20);
  EXPECT_GT(Distance(sampled, longer).mean_square, 10);
}

TEST(MethodTruth, MeanOfThePolicyGradientIsTheExactOneForImplicit) {
  expect_policy_gradient("tree-noisy", "implicit");
}

TEST(MethodTruth, MeanOfThePolicyGradientIsTheExactOneForTransition) {
  expect_policy_gradient("line-noisy", "transition");
}

// the reward of Algorithm 2 has densities where that of Algorithm 1 has probabilities
TEST(MethodTruth, MeanOfThePolicyGradientIsTheExactOneForMixture) {
  expect_policy_gradient("tree-noisy", "mixture");
}

// with the critic and TD(1) too: the term it subtracts has mean 0, however wrong b may be
TEST(MethodTruth, MeanOfThePolicyGradientIsTheExactOneForBelief) {
  for (CriticKind critic : {CriticKind::none, CriticKind::belief}) {
    for (double lambda : {0.0, 1.0}) {
      TrainSettings settings;
      settings.critic = critic;
      settings.lambda = lambda;
      settings.batch = 1024;
      expect_policy_gradient("tree-noisy", "belief", settings);
    }
  }
}

TEST(MethodTruth, TheEntropyBonusAddsTheExactGradientOfTheEntropy) {
  TrainSettings settings;
  settings.entropy_bonus = 3;
  expect_policy_gradient("tree-noisy", "implicit", settings);
}

// exact measures of the learned policy
Control measure(const Agent& agent, const Whole& whole) {
  return measure(whole.unrolled, exact_policy(agent, whole));
}

Control learn(const Whole& whole, const char* algorithm, int warm_up, int updates) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.warm_up = warm_up;
  settings.updates = updates;
  Learner learner(make_agent(&whole.world, settings));
  EXPECT_LT(measure(learner.agent(), whole).H, 0.9 * std::log(whole.world.S))
      << "nothing left to learn";
  for (int u = 0; u < warm_up + updates; ++u) learner.update();
  return measure(learner.agent(), whole);
}

TEST(MethodTruth, TransitionAndMixtureReachTheOptimumOfTheNoisyLine) {
  const Whole whole("line-noisy");
  const Unrolled states = unroll_states(whole.world);
  const AscentLimits limits{.gap = 1e-6, .transitions = 1e9, .least_policy = 1e-60};
  const double H_max = maximise(states, entropy_gradient(states), limits, {}).value;
  EXPECT_NEAR(H_max, 2.19398, 1e-5);
  for (const char* algorithm : {"transition", "mixture"}) {
    const Control control = learn(whole, algorithm, /*warm_up=*/500, /*updates=*/1500);
    EXPECT_GE(control.H, 0.985 * H_max) << algorithm;
    EXPECT_LE(control.H, H_max + 1e-6) << algorithm;
  }
}

TEST(MethodTruth, ImplicitReachesTheOptimumOfTheLine) {
  const Control control = learn(Whole("line"), "implicit", /*warm_up=*/100, /*updates=*/1500);
  EXPECT_GE(control.H, 0.985 * std::log(9));
  EXPECT_NEAR(control.D, control.H, 1e-9) << "there is no chance in this world";
}

TEST(MethodTruth, MarginalReachesTheOptimumOfTheTree) {
  const Control control = learn(Whole("tree"), "marginal", /*warm_up=*/100, /*updates=*/1500);
  EXPECT_GE(control.H, 0.98 * std::log(15));
}

// its steps are 3 to 6 units long, and sigma is measured in them
TEST(MethodTruth, MixtureReachesTheOptimumOfTheFerry) {
  const Whole ferry(VIC_SOURCE_DIR "/examples/ferry.toml");
  const Control control = learn(ferry, "mixture", /*warm_up=*/500, /*updates=*/1000);
  EXPECT_GE(control.H, 0.985 * std::log(4));
}

// The optimum of E[r_E] + bonus * entropy by a soft dynamic programme, and the value of a policy.
TEST(MethodTruth, RewardAloneReachesTheSoftOptimumOfASmallRewardWorld) {
  const Whole whole("rooms-35", {{"world.T_max", "5", "a test"}, {"world.noise", "0.1", "a test"}});
  const TabularWorld& world = whole.world;
  TrainSettings settings;
  settings.algorithm = "reward";
  settings.alpha = 1;
  settings.entropy_bonus = 0.02;
  settings.warm_up = 0;
  settings.updates = 1000;
  const auto gain = [&](int s, int s_next) { return world.reward(s, s_next); };
  const double soft_best = backward(whole.unrolled, gain, [&](int, int, std::span<const double> q) {
    double sum = 1;
    for (double value : q) sum += std::exp(value / settings.entropy_bonus);
    return settings.entropy_bonus * std::log(sum);
  });
  const auto earned = [&](const Policy& policy) {
    return backward(whole.unrolled, gain, [&](int t, int i, std::span<const double> q) {
      double sum = 0;
      for (std::size_t a = 0; a < q.size(); ++a) sum += policy[t][i * (world.A + 1) + a] * q[a];
      return sum;
    });
  };
  const double best = best_reward(whole.unrolled);
  EXPECT_GT(best, 0.2) << "nothing to earn";
  Learner learner(make_agent(&world, settings));
  const auto soft = [&] {
    const Policy policy = exact_policy(learner.agent(), whole);
    return earned(policy) + settings.entropy_bonus * decision_entropy(whole, policy);
  };
  EXPECT_LT(soft(), soft_best - 0.3);
  for (int u = 0; u < settings.updates; ++u) learner.update();
  EXPECT_LE(soft(), soft_best + 1e-6);
  EXPECT_GE(soft(), soft_best - 0.02);
  EXPECT_GE(earned(exact_policy(learner.agent(), whole)), best - 0.03);
}

}  // namespace
}  // namespace vic
