// Newton's method against the proximal ascent, which shares nothing with its steps.
#include "oracle/newton.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "oracle/control.h"
#include "oracle/elimination.h"
#include "support/named_world.h"
#include "support/random_world.h"
#include "world/map.h"

namespace vic {
namespace {

const AscentLimits limits{.gap = 1e-7, .transitions = 1e9, .least_policy = 1e-60};

// two rooms and a door, where a move seldom goes another way
TabularWorld two_rooms(double noise) {
  return build({.name = "two-rooms",
                .T_max = 4,
                .lines = {"..#..", ".....", "..#.."},
                .kinds = {{'.', CellKind{}}, {'#', CellKind{.wall = true}}},
                .moves = noisy_directions({"left", "up", "right", "down"}, noise),
                .starts = {Cell{.row = 1, .column = 1}}});
}

// The two brackets have the maximum in common, and Newton's policy is worth what it claims.
void expect_same_maximum(const TabularWorld& world, double lambda, double gap) {
  const Unrolled tree = *unroll_histories(world, 100000);
  AscentLimits to = limits;
  to.gap = gap;
  const Maximum newton = maximise_control(tree, lambda, to);
  const Maximum ascent = maximise(tree, control_gradient(tree, lambda), to);
  EXPECT_LE(newton.gap, gap);
  EXPECT_LE(newton.value, ascent.value + ascent.gap + 1e-12) << world.name;
  EXPECT_LE(ascent.value, newton.value + newton.gap + 1e-12) << world.name;
  const Control control = measure(tree, newton.policy);
  EXPECT_NEAR(control.D + lambda * control.N, newton.value, 1e-9) << world.name;
}

TEST(Newton, FindsTheMaximumOfTheNoisyWorlds) {
  for (const char* name : {"line-noisy", "tree-noisy"}) {
    for (double lambda : {0.0, 0.5, 0.9}) expect_same_maximum(world_named(name), lambda, 1e-6);
  }
}

RC_GTEST_PROP(Newton, FindsTheMaximumOfRandomWorlds, ()) {
  const TabularWorld world = random_world(*rc::gen::arbitrary<std::uint64_t>());
  expect_same_maximum(world, *rc::gen::element(0.0, 0.5), 1e-5);
  RC_ASSERT(!testing::Test::HasFailure());
}

// the proximal ascent needs thousands of sweeps in the last of these worlds
TEST(Newton, NeedsFewStepsHoweverRareChanceIs) {
  for (double noise : {0.3, 0.05, 0.01}) {
    const TabularWorld world = two_rooms(noise);
    const Unrolled tree = *unroll_histories(world, 100000);
    int steps = 0;
    const Maximum found = maximise_control(tree, 0, limits, [&](double, double) { ++steps; });
    EXPECT_LE(found.gap, limits.gap) << noise;
    EXPECT_LE(steps, 80) << noise;
  }
}

// F + mu sum rho log x along a step: the full step is where its second-order model has its maximum,
// so that the slope there is that of the third order, which vanishes with the square of the step.
TEST(Newton, StepMaximisesTheSecondOrderModel) {
  const TabularWorld world = two_rooms(0.2);
  const Unrolled tree = *unroll_histories(world, 100000);
  const int actions = world.A + 1;
  constexpr double mu = 0.02;
  // find the maximum for this mu, then move a little away from it
  Policy policy = uniform_policy(tree), product = policy, change = policy;
  for (auto& level : product) std::fill(level.begin(), level.end(), mu);
  Elimination<double> step(tree, 0.3);
  const auto move = [&](double length) {
    for (std::size_t t = 0; t < policy.size(); ++t) {
      for (int i = 0; i < tree.levels[t].rows(); ++i) {
        if (tree.levels[t].forced(i)) continue;
        double sum = 0;
        double* pi = &policy[t][std::size_t(i) * actions];
        for (int a = 0; a < actions; ++a) {
          sum += pi[a] *= 1 + length * change[t][std::size_t(i) * actions + a];
        }
        for (int a = 0; a < actions; ++a) pi[a] /= sum;
      }
    }
  };
  const auto size = [&] {
    step(change, policy, product, mu);
    double largest = 0;
    for (std::size_t t = 0; t < change.size(); ++t) {
      for (int i = 0; i < tree.levels[t].rows(); ++i) {
        if (tree.levels[t].forced(i)) continue;
        for (int a = 0; a < actions; ++a) {
          largest = std::max(largest, std::abs(change[t][std::size_t(i) * actions + a]));
        }
      }
    }
    return largest;
  };
  double largest = size();
  EXPECT_GT(largest, 0.05);
  for (int k = 0; k < 50 && largest > 0.1; ++k) {
    move(std::min(1.0, 0.3 / largest));
    largest = size();
  }
  // quadratic convergence: each step leaves the square of the one before, and not less by accident
  ASSERT_LT(largest, 0.1);
  for (int k = 0; k < 3; ++k) {
    move(1);
    const double next = size();
    EXPECT_LE(next, 20 * largest * largest + 1e-11);
    largest = next;
  }
  EXPECT_LT(largest, 1e-8);
}

}  // namespace
}  // namespace vic
