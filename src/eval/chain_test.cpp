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

// a step that may go back has no value before the state behind it has one
TEST(Chain, PlansWithOptionsThatMayLeadBack) {
  OptionModel model;
  for (int s = 0; s < 4; ++s) {
    model.first.push_back(static_cast<int>(model.entries.size()));
    if (s == 1) model.entries.push_back({1, 0, 1, {{0, 0.5}, {2, 0.5}}});
    if (s == 0) model.entries.push_back({0, 0, 1, {{0, 0.5}, {1, 0.5}}});
    if (s == 2) model.entries.push_back({2, 0, 1, {{3, 1.0}}});
  }
  model.first.push_back(static_cast<int>(model.entries.size()));
  // the walk from 1: half of the time it is over, else two moves lead back to 1 on average
  const Plan plan = plan_to(model, 4, 2);
  EXPECT_NEAR(plan.moves[1], 4, 1e-6);
  EXPECT_NEAR(plan.moves[0], 6, 1e-6);
  EXPECT_TRUE(std::isinf(plan.moves[3]));
  EXPECT_EQ(plan.option[3], -1);
  // nothing leads from 0 or 1 to 3 but through 2
  EXPECT_NEAR(plan_to(model, 4, 3).moves[0], 7, 1e-6);
  // two of three steps lead back: the way over n states takes 2^n moves or so, and has no plan
  OptionModel drift;
  for (int s = 0; s < 40; ++s) {
    drift.first.push_back(s);
    drift.entries.push_back({s, 0, 1, {{std::max(0, s - 1), 2.0 / 3}, {s + 1, 1.0 / 3}}});
  }
  drift.first.insert(drift.first.end(), 2, 40);
  const Plan far = plan_to(drift, 41, 40);
  EXPECT_TRUE(std::isinf(far.moves[0]));
  EXPECT_EQ(far.option[0], -1);
  // from 0 the expected moves to n solve to 6 (2^n - 1) - 3 n
  const Plan near = plan_to(drift, 41, 8);
  EXPECT_NEAR(near.moves[0], 6 * 255 - 24, 1e-3);
  // an option that may be lost for ever is none
  model.entries.back().ends = {{3, 0.5}, {0, 0.5}};
  EXPECT_TRUE(std::isinf(plan_to(model, 4, 1).moves[2]));
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
  EXPECT_TRUE(std::isfinite(plan.moves[world.s_0]));
  const Journey journey = travel(learner.agent(), plan, model, greedy, 10);
  EXPECT_TRUE(journey.arrived);
  EXPECT_EQ(journey.states.size(), 9U);
  EXPECT_GE(journey.stops.size(), 3U);
  EXPECT_FALSE(travel(learner.agent(), plan, model, greedy, 1).arrived);

  settings.starts = Starts::one;
  Learner alone(make_agent(&world, settings));
  EXPECT_THROW(try_options(alone.agent(), greedy, 1), UsageError);
}

// each skill is tried from everywhere, however many states there are
TEST(Chain, SkillsFollowEachOther) {
  const TabularWorld world = started_at(world_named("line"), "-4");
  TrainSettings settings;
  settings.algorithm = "explicit";
  settings.starts = Starts::all;
  settings.skills = 3;
  settings.warm_up = 0;
  settings.hidden = 16;
  Learner learner(make_agent(&world, settings));
  for (int i = 0; i < 20; ++i) learner.update();
  const OptionModel model = try_options(learner.agent(), {}, 4);
  ASSERT_EQ(model.entries.size(), std::size_t(world.S) * 3);
  for (const OptionModelEntry& one : model.entries) EXPECT_LT(one.goal, 3);
  const Plan plan = plan_to(model, world.S, world.find_state("4"));
  EXPECT_TRUE(std::isfinite(plan.moves[world.s_0]));
  const Journey journey = travel(learner.agent(), plan, model, {}, 1000);
  EXPECT_GE(journey.stops.size(), 3U) << "no option has more than four moves";
}

}  // namespace
}  // namespace vic
