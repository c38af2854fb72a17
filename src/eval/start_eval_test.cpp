#include "eval/start_eval.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "support/named_world.h"

namespace vic {
namespace {

TrainSettings from_everywhere(const char* algorithm = "implicit") {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.starts = Starts::all;
  settings.warm_up = 200;
  settings.learning_rate = 5e-3;
  settings.policy_rate = 1e-3;
  settings.hidden = 32;
  return settings;
}

// one net learns what each start allows: near the ends of the line there are fewer places to go
TEST(StartEval, EachStartComesToTheLogarithmOfItsPlaces) {
  const TabularWorld world = world_named("line");
  Learner learner(make_agent(&world, from_everywhere()));
  for (int i = 0; i < 3200; ++i) learner.update();
  for (const StartControl& one : evaluate_starts(learner.agent(), {}, 100)) {
    const auto places = started_at(world, one.start).final_states().size();
    const double H_max = std::log(static_cast<double>(places));
    ASSERT_TRUE(one.exact);
    EXPECT_LE(one.H, H_max + 1e-9);
    EXPECT_GT(one.H, 0.95 * H_max) << one.start;
    EXPECT_NEAR(*one.D, one.H, 1e-9) << "no chance here";
  }
}

TEST(StartEval, WhatIsDrawnIsNearWhatIsCounted) {
  const TabularWorld world = world_named("line-noisy");
  for (const char* algorithm : {"implicit", "explicit"}) {
    Learner learner(make_agent(&world, from_everywhere(algorithm)));
    for (int i = 0; i < 500; ++i) learner.update();
    EvalSettings settings;
    const auto exact = evaluate_starts(learner.agent(), settings, 100);
    settings.histories = 1;
    const auto drawn = evaluate_starts(learner.agent(), settings, 5000);
    ASSERT_EQ(exact.size(), drawn.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      EXPECT_FALSE(drawn[i].exact);
      // twice the interval: about four standard errors
      EXPECT_NEAR(drawn[i].H, exact[i].H, 2 * drawn[i].ci95) << algorithm;
      EXPECT_NEAR(*exact[i].D + *exact[i].N, exact[i].H, 1e-9);
    }
  }
}

TEST(StartEval, RefusesARunOfOneStart) {
  const TabularWorld world = world_named("line");
  TrainSettings settings = from_everywhere();
  settings.starts = Starts::one;
  Learner learner(make_agent(&world, settings));
  EXPECT_THROW(evaluate_starts(learner.agent(), {}, 100), UsageError);
}

}  // namespace
}  // namespace vic
