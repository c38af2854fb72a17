// Identities that tie the oracle's quantities together, on every world.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "oracle/ascent.h"
#include "oracle/truth.h"
#include "support/random_world.h"
#include "world/registry.h"

namespace vic {
namespace {

constexpr double tolerance = 1e-9;

// the mean reward under exact posteriors, as the method would sum it
double mean_reward(const Unrolled& tree, const Policy& policy, double lambda) {
  const Flow visited = flow(tree, policy);
  Rows payoff;
  control_gradient(tree, lambda)(payoff, policy, visited);
  return expected_payoff(tree, policy, visited, payoff);
}

// The negative control: without the correction the mean reward misses H by exactly N.
void expect_mean_rewards(const TabularWorld& world, std::uint64_t seed) {
  const Unrolled tree = *unroll_histories(world, 100000);
  const Policy policy = random_policy(tree, seed);
  const Control control = measure(tree, policy);
  EXPECT_NEAR(control.H, control.D + control.N, tolerance);
  EXPECT_NEAR(mean_reward(tree, policy, 0), control.H - control.N, tolerance);
  EXPECT_NEAR(mean_reward(tree, policy, 1), control.H, tolerance);
  EXPECT_NEAR(mean_reward(tree, policy, 0.5), control.D + 0.5 * control.N, tolerance);
  EXPECT_TRUE(!world.deterministic() || std::abs(control.N) < tolerance);
}

TEST(Identities, UncorrectedRewardMissesTheInformationByExactlyN) {
  for (const WorldEntry& entry : registry()) {
    Overrides none;
    const TabularWorld world = entry.make(none);
    if (unroll_histories(world, 100000)) expect_mean_rewards(world, 1);
  }
  for (std::uint64_t seed = 0; seed < 200; ++seed) expect_mean_rewards(random_world(seed), seed);
}

// D <= H <= H_max <= log(states), C_open <= D_max <= H_max
void expect_order(const Truth& truth) {
  const double H_max = truth.H_max.value, slack = truth.H_max.gap + tolerance;
  EXPECT_LE(H_max, std::log(truth.states_reachable) + tolerance);
  EXPECT_LE(truth.uniform.H, H_max + slack);
  EXPECT_LE(truth.uniform.D, truth.uniform.H + tolerance);
  EXPECT_GE(truth.uniform.N, -tolerance);
  EXPECT_NEAR(truth.H_max.control.H, H_max, tolerance);
  EXPECT_NEAR(truth.H_max.control.H, truth.H_max.control.D + truth.H_max.control.N, tolerance);
  if (!truth.D_max) return;
  EXPECT_LE(truth.uniform.D, truth.D_max->value + truth.D_max->gap + tolerance);
  EXPECT_LE(truth.D_max->value, truth.D_max->control.H + tolerance);
  EXPECT_LE(truth.D_max->control.H, H_max + slack);
  if (!truth.C_open) return;
  EXPECT_LE(truth.C_open->value, truth.D_max->value + truth.D_max->gap + tolerance);
}

TEST(Identities, QuantitiesAreInOrderOnEveryRegisteredWorld) {
  for (const WorldEntry& entry : registry()) {
    SCOPED_TRACE(entry.name);
    Overrides none;
    const TabularWorld world = entry.make(none);
    ExactSettings settings;
    settings.gap = 1e-5;
    const Truth truth = find_truth(world, settings);
    EXPECT_LE(truth.H_max.gap, settings.gap);
    expect_order(truth);
    if (!world.deterministic()) continue;
    const double log_states = std::log(truth.states_reachable);
    EXPECT_NEAR(truth.H_max.value, log_states, 1e-5);
    EXPECT_NEAR(truth.D_max->value, log_states, 1e-5);
    EXPECT_NEAR(truth.C_open->value, log_states, 1e-5);
    EXPECT_NEAR(truth.uniform.N, 0, tolerance);
  }
}

RC_GTEST_PROP(Identities, QuantitiesAreInOrderOnRandomWorlds, ()) {
  const TabularWorld world = random_world(*rc::gen::arbitrary<std::uint64_t>());
  ExactSettings settings;
  settings.gap = 1e-4;
  const Truth truth = find_truth(world, settings);
  RC_ASSERT(truth.H_max.gap <= settings.gap);
  RC_ASSERT(truth.D_max->gap <= settings.gap);
  expect_order(truth);
  RC_ASSERT(!testing::Test::HasFailure());
}

// the same number from states with one method and from histories with another
TEST(Identities, MaximumOfDPlusNOnHistoriesIsTheMaximumOfHOnStates) {
  for (const char* name : {"line-noisy", "tree-noisy"}) {
    Overrides none;
    const TabularWorld world = load_world(name, none);
    const Unrolled states = unroll_states(world), tree = *unroll_histories(world, 100000);
    const AscentLimits limits{.gap = 1e-7, .transitions = 1e9, .least_policy = 1e-60};
    const Maximum on_states = maximise(states, entropy_gradient(states), limits, {});
    const Maximum on_tree = maximise(tree, control_gradient(tree, /*lambda=*/1), limits, {});
    EXPECT_NEAR(on_states.value, on_tree.value, 2e-7) << name;
  }
}

// the policy whose options are distributed as (1 - share) P + share P'
Policy mixture(const Unrolled& tree, const Policy& a, const Policy& b, double share) {
  const int actions = tree.world->A + 1;
  const Flow flow_a = flow(tree, a), flow_b = flow(tree, b);
  Policy mixed = a;
  for (std::size_t t = 0; t < mixed.size(); ++t) {
    for (std::size_t i = 0; i < mixed[t].size(); ++i) {
      const double x = (1 - share) * flow_a.visits[t][i / actions];
      const double y = share * flow_b.visits[t][i / actions];
      mixed[t][i] = (x * a[t][i] + y * b[t][i]) / (x + y);
    }
  }
  return mixed;
}

// The ascent relies on this: the payoffs are the gradient of D + lambda N in the distribution of
// options, so that the slope towards P' is E_P'[r_P] - F(P).
RC_GTEST_PROP(Identities, PayoffsAreTheGradient, ()) {
  const TabularWorld world = random_world(*rc::gen::arbitrary<std::uint64_t>());
  const double lambda = *rc::gen::element(0.0, 0.5, 1.0);
  const Unrolled tree = *unroll_histories(world, 100000);
  const Policy from = random_policy(tree, 1), to = random_policy(tree, 2);
  Rows payoff;
  control_gradient(tree, lambda)(payoff, from, flow(tree, from));
  const auto value = [&](const Policy& policy) {
    const Control control = measure(tree, policy);
    return control.D + lambda * control.N;
  };
  const double predicted = expected_payoff(tree, to, flow(tree, to), payoff) - value(from);
  constexpr double h = 1e-5;
  const double slope = (value(mixture(tree, from, to, h)) - value(from)) / h;
  // F is concave: the slope to a point ahead is below the tangent, by a curvature of order h
  RC_ASSERT(slope <= predicted + 1e-8);
  RC_ASSERT(std::abs(slope - predicted) < 1e-2 * std::abs(predicted) + 1e-3);
}

}  // namespace
}  // namespace vic
