// The frontier: its ends, its shape, and bounds that hold.
#include "oracle/frontier.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "oracle/ascent.h"
#include "oracle/reach.h"
#include "support/named_world.h"
#include "support/random_world.h"

namespace vic {
namespace {

ExactSettings to_gap(double gap) {
  ExactSettings settings;
  settings.gap = gap;
  return settings;
}

TEST(Frontier, RunsFromTheMaximumOfDToTheMaximumOfH) {
  for (const char* name : {"line-noisy", "tree-noisy"}) {
    const TabularWorld world = world_named(name);
    const Truth truth = find_truth(world, to_gap(1e-6), {}, optima);
    const Frontier frontier = *find_frontier(world, std::vector{0.0, 1.0}, to_gap(1e-6), 1);
    EXPECT_NEAR(frontier.points[0].value, truth.D_max->value, 2e-6) << name;
    EXPECT_NEAR(frontier.points[0].control.H, truth.D_max->control.H, 1e-4) << name;
    EXPECT_NEAR(frontier.points[1].value, truth.H_max.value, 2e-6) << name;
  }
}

// found by this oracle and kept, so that a change that moves them is seen
TEST(Frontier, OfTheNoisyLine) {
  const TabularWorld world = world_named("line-noisy");
  const Frontier frontier = *find_frontier(world, std::vector{0.0, 0.5, 0.9}, to_gap(1e-7), 1);
  EXPECT_NEAR(frontier.points[0].success, 0.4797, 2e-4);
  EXPECT_NEAR(frontier.points[1].value, 1.619877, 1e-5);
  EXPECT_NEAR(frontier.points[1].control.H, 2.0658, 2e-4);
  EXPECT_NEAR(frontier.points[1].success, 0.4196, 2e-4);
  EXPECT_NEAR(frontier.points[2].success, 0.2890, 2e-4);
  EXPECT_NEAR(frontier.best_success, 0.5835, 1e-4);
}

// a larger lambda gives more H and less D; the value is convex in lambda with slope N
TEST(Frontier, TradesControlForCoverage) {
  const TabularWorld world = world_named("tree-noisy");
  const std::vector<double> lambdas = {0, 0.25, 0.5, 0.75, 0.99, 1.01, 1.5, 2, 4};
  const Frontier frontier = *find_frontier(world, lambdas, to_gap(1e-6), 2);
  for (std::size_t k = 1; k < lambdas.size(); ++k) {
    const FrontierPoint &before = frontier.points[k - 1], &point = frontier.points[k];
    EXPECT_LE(point.control.D, before.control.D + 1e-4);
    EXPECT_GE(point.control.N, before.control.N - 1e-4);
    EXPECT_TRUE(point.lambda > 1 || point.control.H >= before.control.H - 1e-4);
    const double step = point.lambda - before.lambda;
    EXPECT_GE(point.value + point.gap, before.value + step * before.control.N);
    EXPECT_LE(point.value, before.value + before.gap + step * point.control.N + 1e-9);
  }
  // little control is left when chance has four times its weight
  EXPECT_LT(frontier.points.back().control.D, 0.01);
}

TEST(Frontier, IsASinglePointWhereThereIsNoChance) {
  const TabularWorld world = world_named("line");
  const Frontier frontier = *find_frontier(world, std::vector{0.0, 0.5, 1.0, 2.0}, to_gap(1e-6), 1);
  for (const FrontierPoint& point : frontier.points) {
    EXPECT_NEAR(point.control.D, point.control.H, 1e-9);
    EXPECT_NEAR(point.success, 1, 1e-6);
  }
  EXPECT_NEAR(frontier.points[0].control.H, std::log(9), 1e-6);
  EXPECT_NEAR(frontier.best_success, 1, 1e-12);
}

TEST(Frontier, IsTheSameToTheBitOnAnyNumberOfThreads) {
  const TabularWorld world = world_named("tree-noisy");
  const std::vector<double> lambdas = {0.3, 0.8, 1.5, 2};
  const Frontier one = *find_frontier(world, lambdas, to_gap(1e-4), 1);
  const Frontier three = *find_frontier(world, lambdas, to_gap(1e-4), 3);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    EXPECT_EQ(one.points[k].value, three.points[k].value);
    EXPECT_EQ(one.points[k].success, three.points[k].success);
  }
}

// no random policy is beyond the bounds, on either side of 1
RC_GTEST_PROP(Frontier, IsNotBeatenByRandomPolicies, ()) {
  const TabularWorld world = random_world(*rc::gen::arbitrary<std::uint64_t>());
  const std::vector<double> lambdas = {0, 0.4, 0.9, 1.3, 3};
  const Frontier frontier = *find_frontier(world, lambdas, to_gap(1e-4), 1);
  const Unrolled tree = *unroll_histories(world, 100000);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Control control = measure(tree, random_policy(tree, seed));
    for (const FrontierPoint& point : frontier.points) {
      RC_ASSERT(control.D + point.lambda * control.N <= point.value + point.gap + 1e-9);
    }
  }
  for (const FrontierPoint& point : frontier.points) {
    RC_ASSERT(point.success <= frontier.best_success + 1e-9);
  }
}

TEST(Frontier, NeedsTheTreeOfHistories) {
  ExactSettings settings;
  settings.histories = 10;
  EXPECT_FALSE(find_frontier(world_named("line-noisy"), std::vector{0.5}, settings, 1));
}

// ascents of a function that is not concave go up, and end at a local maximum
TEST(Climb, EndsHigherThanItBegan) {
  const TabularWorld world = world_named("line-noisy");
  const Unrolled tree = *unroll_histories(world, 100000);
  const Gradient gradient = control_gradient(tree, 2);
  const AscentLimits limits{
      .gap = 1e-4, .transitions = 1e8, .least_policy = least_control_policy(world)};
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Policy from = random_policy(tree, seed);
    const Control before = measure(tree, from);
    const Maximum top = climb(tree, gradient, limits, from);
    const Control after = measure(tree, top.policy);
    EXPECT_GT(top.value, before.D + 2 * before.N + 0.1);
    EXPECT_NEAR(top.value, after.D + 2 * after.N, 1e-6);
  }
}

}  // namespace
}  // namespace vic
