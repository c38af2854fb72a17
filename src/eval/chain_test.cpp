#include "eval/chain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "support/named_world.h"

namespace vic {
namespace {

// a line of four states; leaps of two succeed nine times in ten
OptionModel small_model() {
  OptionModel model;
  for (int s = 0; s < 4; ++s) {
    model.first.push_back(static_cast<int>(model.entries.size()));
    if (s + 1 < 4) model.entries.push_back({s, s + 1, 1, {{s + 1, 1.0}}});
    if (s + 2 < 4) model.entries.push_back({s, s + 2, 1, {{s, 0.1}, {s + 2, 0.9}}});
  }
  model.first.push_back(static_cast<int>(model.entries.size()));
  return model;
}

TEST(Chain, PlansTheFewestExpectedMoves) {
  const Plan plan = plan_to(small_model(), 4, 3);
  EXPECT_EQ(plan.moves[3], 0);
  EXPECT_NEAR(plan.moves[2], 1, 1e-9);
  // a leap of two costs 1 / 0.9 moves on average
  EXPECT_NEAR(plan.moves[1], 1 / 0.9, 1e-9);
  EXPECT_NEAR(plan.moves[0], 1 + 1 / 0.9, 1e-9);
  const Plan back = plan_to(small_model(), 4, 0);
  EXPECT_TRUE(std::isinf(back.moves[3]));
  EXPECT_EQ(back.option[3], -1);
}

TEST(Chain, FewestMovesAreTheDistancesOfTheMap) {
  const TabularWorld world = world_named("four-rooms");
  const int goal = world.find_state("4,4");
  const std::vector<double> moves = fewest_moves(world, goal);
  // moves can be taken back here: the way there is as long as the way back
  const TabularWorld from = started_at(world, goal);
  for (int n = 0; n <= 40; n += 5) {
    const std::vector<char> within = from.reachable_in(n);
    for (int s = 0; s < world.S; ++s) EXPECT_EQ(within[s] != 0, moves[s] <= n) << n;
  }
}

// T_max is 5: one option goes four steps, a chain goes from end to end
TEST(Chain, GoesFartherThanOneOption) {
  const TabularWorld world = started_at(world_named("line"), "-4");
  TrainSettings settings;
  settings.algorithm = "implicit";
  settings.starts = Starts::all;
  settings.warm_up = 300;
  settings.learning_rate = 5e-3;
  settings.policy_rate = 1e-3;
  settings.hidden = 32;
  Learner learner(make_agent(&world, settings));
  for (int i = 0; i < 2300; ++i) learner.update();
  const ReachSettings greedy{.temperature = 0};
  const OptionModel model = try_options(learner.agent(), greedy, 1);
  const int goal = world.find_state("4");
  const Plan plan = plan_to(model, world.S, goal);
  EXPECT_NEAR(plan.moves[world.s_0], 8, 1e-9);
  const Journey journey = travel(learner.agent(), plan, model, greedy, 10);
  EXPECT_TRUE(journey.arrived);
  EXPECT_EQ(journey.states.size(), 9U);
  EXPECT_GE(journey.stops.size(), 3U);
  EXPECT_FALSE(travel(learner.agent(), plan, model, greedy, 1).arrived);

  settings.starts = Starts::one;
  Learner alone(make_agent(&world, settings));
  EXPECT_THROW(try_options(alone.agent(), greedy, 1), UsageError);
}

}  // namespace
}  // namespace vic
