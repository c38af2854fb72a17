// The settings for long horizons: schedules, rates, and the reward alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"
#include "method/learner.h"
#include "support/options.h"
#include "support/random_world.h"
#include "support/small_settings.h"
#include "world/registry.h"

namespace vic {
namespace {

TabularWorld rooms(const char* T_max) {
  Overrides overrides({{"world.T_max", T_max, "a test"}});
  return load_world("rooms-35", overrides);
}

TEST(Schedule, AlphaWaitsThenRisesAndTheBonusFalls) {
  const TabularWorld world = rooms("5");
  TrainSettings settings = small_settings("marginal");
  settings.alpha = 30;
  settings.alpha_start = 10;
  settings.alpha_ramp = 20;
  settings.entropy_bonus = 0.5;
  settings.entropy_end = 40;
  Learner learner(make_agent(&world, settings));
  for (int u = 0; u < 60; ++u) {
    // counted in updates of the policy, the first of which follows the warm-up of 5
    const int policy_update = u - 5;
    const double risen = std::clamp((policy_update - 10) / 20.0, 0.0, 1.0);
    const double fallen = std::clamp(policy_update / 40.0, 0.0, 1.0);
    EXPECT_NEAR(learner.alpha(), 30 * risen, 1e-12) << u;
    EXPECT_NEAR(learner.entropy_bonus(), 0.5 * (1 - fallen), 1e-12) << u;
    learner.update();
  }
}

TEST(Schedule, ByDefaultBothActFromTheFirstUpdateToTheLast) {
  const TabularWorld world = rooms("5");
  TrainSettings settings = small_settings("marginal");
  settings.warm_up = 1;
  settings.alpha = 30;
  settings.entropy_bonus = 0.5;
  Learner learner(make_agent(&world, settings));
  for (int u = 0; u < 3; ++u) {
    EXPECT_EQ(learner.alpha(), 30);
    EXPECT_EQ(learner.entropy_bonus(), 0.5);
    learner.update();
  }
}

TEST(Schedule, TheBonusOfBeliefBelongsToControl) {
  const TabularWorld world = rooms("4");
  TrainSettings settings = small_settings("belief");
  settings.entropy_bonus = 0.5;
  const auto bonus = [&](double lambda) {
    settings.lambda = lambda;
    return Learner(make_agent(&world, settings)).entropy_bonus();
  };
  EXPECT_EQ(bonus(0), 0.5);
  EXPECT_NEAR(bonus(0.7), 0.15, 1e-12);
  EXPECT_EQ(bonus(1), 0);
  EXPECT_EQ(bonus(2), 0);
}

TEST(Schedule, LambdaComesFromOneToItsValue) {
  const TabularWorld world = rooms("4");
  for (const char* algorithm : {"belief", "transition"}) {
    TrainSettings settings = small_settings(algorithm);
    settings.lambda = 0.2;
    settings.lambda_ramp = 10;
    Learner falling(make_agent(&world, settings));
    settings.lambda_ramp = 0;
    Learner constant(make_agent(&world, settings));
    settings.lambda = 1;
    Learner whole(make_agent(&world, settings));
    for (int u = 0; u < 20; ++u) {
      const double fallen = std::clamp((u - 5) / 10.0, 0.0, 1.0);
      EXPECT_NEAR(falling.more_lambda(), 0.8 * (1 - fallen), 1e-12) << u;
      EXPECT_EQ(constant.more_lambda(), 0);
      for (Learner* learner : {&falling, &constant, &whole}) learner->update();
      // until the policy learns, they differ in the reward alone
      if (u > 5) continue;
      EXPECT_EQ(falling.metrics().reward, whole.metrics().reward) << algorithm;
      EXPECT_NE(falling.metrics().reward, constant.metrics().reward) << algorithm;
    }
  }
}

TEST(Schedule, LambdaStaysAtItsFirstValueUntilItStarts) {
  const TabularWorld world = rooms("4");
  // to a smaller value, to a larger one, and all at once
  for (const auto& [lambda, ramp] : {std::pair{0.2, 4}, {1.0, 4}, {0.2, 0}}) {
    TrainSettings settings = small_settings("belief");
    settings.lambda = lambda;
    settings.lambda_ramp = ramp;
    settings.lambda_first = 0.9;
    settings.lambda_start = 6;
    Learner moving(make_agent(&world, settings));
    settings.lambda = 0.9;
    Learner constant(make_agent(&world, settings));
    for (int u = 0; u < 20; ++u) {
      const int past = u - 5 - 6;
      const double left = past < 0 ? 1 : past >= ramp ? 0 : 1 - past / double(ramp);
      EXPECT_NEAR(moving.more_lambda(), (0.9 - lambda) * left, 1e-12) << u;
      moving.update();
      constant.update();
      // while lambda is the same, only the last bits differ
      if (u >= 10) continue;
      EXPECT_NEAR(moving.metrics().reward, constant.metrics().reward, 1e-3) << u;
    }
    EXPECT_GT(std::abs(moving.metrics().reward - constant.metrics().reward), 0.01);
    settings.lambda_start = settings.lambda_ramp = 0;
    EXPECT_THROW(make_agent(&world, settings), UsageError) << "a first value of no duration";
  }
}

TEST(Schedule, ThePolicyMayHaveARateOfItsOwn) {
  const TabularWorld world = rooms("5");
  for (const double policy_rate : {0.0, 0.02}) {
    TrainSettings settings = small_settings("implicit");
    settings.warm_up = 0;
    settings.final_rate = 1;
    settings.beta_1 = settings.beta_2 = 0;
    settings.policy_rate = policy_rate;
    Learner learner(make_agent(&world, settings));
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& values = learner.agent().models[i].model.net().parameters().values;
      const Block<float> before = values;
      learner.update();
      double largest = 0;
      for (std::size_t k = 0; k < values.size(); ++k) {
        largest = std::max(largest, std::abs(static_cast<double>(values[k] - before[k])));
      }
      // without Adam's averages every parameter that has a gradient moves by the rate itself
      const bool own = i == 0 && policy_rate > 0;
      EXPECT_NEAR(largest, own ? policy_rate : settings.learning_rate, 1e-5);
    }
  }
}

// reward has one model, and its reward is the external one
TEST(Schedule, RewardAloneIsTheExternalReward) {
  const TabularWorld world = rooms("8");
  TrainSettings settings = small_settings("reward");
  settings.alpha = 3;
  Learner learner(make_agent(&world, settings));
  EXPECT_EQ(learner.agent().models.size(), 1u);
  for (int u = 0; u < 10; ++u) {
    learner.update();
    EXPECT_NEAR(learner.metrics().reward, 3 * learner.metrics().external, 1e-9);
  }
  EXPECT_LT(learner.metrics().external, 0) << "a step costs something";
}

TEST(Schedule, RewardNeedsAReward) {
  const auto message = [](const TabularWorld& world, const TrainSettings& settings) {
    try {
      make_agent(&world, settings);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  Overrides none;
  TrainSettings settings = small_settings("reward");
  EXPECT_EQ(message(rooms("5"), settings),
            "The algorithm reward learns from the external reward alone, and here there is none: "
            "train.alpha is 0.");
  settings.alpha = 1;
  EXPECT_EQ(message(load_world("line", none), settings),
            "The algorithm reward learns from the external reward alone, and here there is none: "
            "line has no external reward.");
}

}  // namespace
}  // namespace vic
