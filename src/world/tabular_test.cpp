#include "world/tabular.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"

namespace vic {
namespace {

// two states: "go" moves on with probability p and stays otherwise; the second state absorbs
WorldBuilder two_states(double p) {
  WorldBuilder builder("pair", {"go"}, 3);
  builder.add_state("a", {0});
  builder.add_state("b", {1});
  builder.set_outcomes(0, 0, std::vector<Outcome>{{1, p}, {0, 0.5}, {0, 0.5 - p}});
  builder.set_absorbing(1);
  return builder;
}

TEST(WorldBuilder, MergesSuccessorsAndEmptiesAbsorbingStates) {
  const TabularWorld world = two_states(0.25).build(0);
  EXPECT_EQ(world.first, (std::vector<int>{0, 2, 2}));
  EXPECT_EQ(world.next, (std::vector<int>{0, 1}));
  EXPECT_EQ(world.p, (std::vector<double>{0.75, 0.25}));
  EXPECT_FALSE(world.deterministic());
  EXPECT_EQ(world.reachable_in(0), (std::vector<char>{1, 0}));
  EXPECT_EQ(world.reachable_in(1), (std::vector<char>{1, 1}));
}

TEST(WorldBuilder, DropsImpossibleOutcomes) {
  EXPECT_TRUE(two_states(0).build(0).deterministic());
}

TEST(WorldBuilder, RefusesWhatIsNotAWorld) {
  const auto with = [](std::vector<Outcome> outcomes) {
    WorldBuilder builder("bad", {"go"}, 3);
    builder.add_state("a", {});
    builder.set_outcomes(0, 0, outcomes);
    return builder;
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NO_THROW(with({{0, 1}}).build(0));
  EXPECT_THROW(with({{0, 0.9}}).build(0), UsageError);
  EXPECT_THROW(with({{0, nan}}).build(0), UsageError);
  EXPECT_THROW(with({{0, 2}, {0, -1}}).build(0), UsageError);
  EXPECT_THROW(with({{1, 1}}).build(0), UsageError);
  EXPECT_THROW(with({}).build(0), UsageError);
  EXPECT_THROW(WorldBuilder("bad", {"go"}, 1).build(0), UsageError);
  EXPECT_THROW(WorldBuilder("bad", {}, 3).build(0), UsageError);
  EXPECT_THROW(with({{0, 1}}).set_enter_reward(0, nan), UsageError);
  EXPECT_THROW(with({{0, 1}}).set_step_reward(nan), UsageError);
  EXPECT_THROW(with({{0, 1}}).add_state("b", {1.0}), UsageError);
}

TEST(TabularWorld, FindsStatesByName) {
  const TabularWorld world = two_states(0.25).build(0);
  EXPECT_EQ(world.find_state("b"), 1);
  EXPECT_EQ(world.find_state("( b )"), 1);
  EXPECT_THROW(world.find_state("c"), UsageError);
  EXPECT_THROW(started_at(world, "b"), UsageError) << "b absorbs";
}

TEST(TabularWorld, PaysForEnteringButNotForStaying) {
  WorldBuilder builder = two_states(0.25);
  builder.set_step_reward(-1);
  builder.set_enter_reward(0, 5);
  builder.set_enter_reward(1, 10);
  const TabularWorld world = builder.build(0);
  EXPECT_EQ(world.reward(0, 1), 9);
  EXPECT_EQ(world.reward(0, 0), -1);
}

TEST(CheckSize, RefusesWorldsBeyondTheMemory) {
  EXPECT_NO_THROW(check_size("world.size", 1e6, 4, 4));
  EXPECT_THROW(check_size("world.size", 1e8, 4, 4), UsageError);
  EXPECT_THROW(check_size("world.size", 1e6, 100, 100), UsageError);
}

}  // namespace
}  // namespace vic
