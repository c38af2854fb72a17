// The known values, and valid certificates.
#include "oracle/truth.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "oracle/ascent.h"
#include "support/named_world.h"
#include "support/random_world.h"

namespace vic {
namespace {

// an upper bound on a policy's distance from the maximum
double certificate(const Unrolled& unrolled, const Gradient& gradient, const Policy& policy) {
  const Flow visited = flow(unrolled, policy);
  Rows payoff;
  gradient(payoff, policy, visited);
  return best_payoff(unrolled, payoff) - expected_payoff(unrolled, policy, visited, payoff);
}

Truth truth_of(const TabularWorld& world, double gap) {
  ExactSettings settings;
  settings.gap = gap;
  return find_truth(world, settings);
}

TEST(Truth, OfTheNoisyLine) {
  const TabularWorld world = world_named("line-noisy");
  const Truth truth = truth_of(world, 1e-8);
  EXPECT_NEAR(truth.H_max.value, 2.19398, 2e-5);
  EXPECT_NEAR(truth.D_max->value, 1.26362, 2e-5);
  EXPECT_NEAR(truth.D_max->control.H, 1.83492, 2e-5);
  EXPECT_NEAR(truth.C_open->value, 1.0978, 1e-4);
  EXPECT_LE(truth.H_max.gap, 1e-8);
  EXPECT_LE(truth.D_max->gap, 1e-8);
  EXPECT_LE(truth.C_open->gap, 1e-8);
}

// every solver checks the request to stop: the last quantity shown is the one in which it came
TEST(Truth, StopsInEveryPhase) {
  const TabularWorld world = world_named("line-noisy");
  for (const std::string_view phase : {"H_max", "D_max", "C_open", "D, N"}) {
    StopRequest request;
    std::string last;
    const auto stop_in = [&](std::string_view quantity, double, double) {
      last = quantity;
      request.wanted = quantity == phase;
    };
    EXPECT_THROW(find_truth(world, {.stop = Stop(request)}, stop_in), Interrupted) << phase;
    EXPECT_EQ(last, phase);
    EXPECT_TRUE(request.noticed);
  }
}

TEST(Truth, OfDeterministicWorldsIsTheLogarithmOfTheStates) {
  for (const auto& [name, states] : {std::pair{"line", 9}, {"grid", 41}, {"tree", 15}}) {
    const TabularWorld world = world_named(name);
    const Truth truth = truth_of(world, 1e-6);
    EXPECT_EQ(truth.states_reachable, states);
    EXPECT_NEAR(truth.H_max.value, std::log(states), 1e-6);
    EXPECT_NEAR(truth.D_max->value, std::log(states), 1e-6);
    EXPECT_NEAR(truth.H_max.control.N, 0, 1e-12);
  }
}

// found by this oracle and kept, so that a change that moves them is seen
TEST(Truth, OfTheOtherNoisyWorlds) {
  const TabularWorld tree = world_named("tree-noisy");
  const Truth tree_truth = truth_of(tree, 1e-7);
  EXPECT_NEAR(tree_truth.H_max.value, 2.419234, 1e-6);
  EXPECT_NEAR(tree_truth.D_max->value, 1.187060, 1e-6);
  EXPECT_NEAR(tree_truth.D_max->control.H, 1.675872, 2e-6);
  EXPECT_NEAR(tree_truth.C_open->value, 0.921929, 1e-6);
  const TabularWorld grid = world_named("grid-noisy");
  const Truth grid_truth = truth_of(grid, 1e-5);
  EXPECT_NEAR(grid_truth.H_max.value, 3.713572, 1e-5);
  EXPECT_NEAR(grid_truth.D_max->value, 2.233024, 1e-5);
  EXPECT_NEAR(grid_truth.D_max->control.H, 3.29714, 2e-5);
  EXPECT_NEAR(grid_truth.C_open->value, 1.812120, 1e-5);
}

TEST(Truth, OfTheRooms) {
  const TabularWorld rooms = world_named("rooms-35");
  const Truth truth = truth_of(rooms, 1e-4);
  EXPECT_LE(truth.H_max.gap, 1e-4);
  EXPECT_NEAR(truth.H_max.value, 5.247024, 1e-4);
  EXPECT_NEAR(*truth.reward_max, 54.556, 1e-3);
  EXPECT_FALSE(truth.D_max);
  EXPECT_FALSE(truth.C_open);
  EXPECT_EQ(truth.notes.size(), 2u);
  EXPECT_EQ(truth.notes.front(),
            "D_max and H_at_D_max are not computed: that takes at most 1000000 histories "
            "(exact.histories), 2 GB for their beliefs, and a T_max of 28.");
}

// the policy is kept, and has the value claimed for it
TEST(Truth, KeepsPoliciesThatAchieveTheirValues) {
  const TabularWorld world = world_named("line-noisy");
  const Truth truth = truth_of(world, 1e-6);
  EXPECT_NEAR(measure(truth.H_max.unrolled, truth.H_max.policy).H, truth.H_max.value, 1e-12);
  EXPECT_NEAR(measure(truth.D_max->unrolled, truth.D_max->policy).D, truth.D_max->value, 1e-9);
  for (const auto* optimum : {&truth.H_max, &*truth.D_max}) {
    for (const auto& level : optimum->policy) {
      for (std::size_t i = 0; i < level.size(); i += world.A + 1) {
        double sum = 0;
        for (int a = 0; a <= world.A; ++a) sum += level[i + a];
        EXPECT_NEAR(sum, 1, 1e-12);
      }
    }
  }
}

// No policy of a random search may beat the bound.
RC_GTEST_PROP(Truth, IsNotBeatenByRandomPolicies, ()) {
  const TabularWorld world = random_world(*rc::gen::arbitrary<std::uint64_t>());
  const Truth truth = truth_of(world, 1e-4);
  const Unrolled tree = *unroll_histories(world, 100000);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Control control = measure(tree, random_policy(tree, seed));
    RC_ASSERT(control.H <= truth.H_max.value + truth.H_max.gap + 1e-12);
    RC_ASSERT(control.D <= truth.D_max->value + truth.D_max->gap + 1e-12);
  }
}

// In a deterministic world every state can be reached for certain, so the best reply to the
// uniform policy ends in its rarest state, and the certificate has a closed form.
TEST(Certificate, OfAPolicyThatIsNotOptimalHasTheGapItMustHave) {
  for (const char* name : {"line", "grid", "tree"}) {
    const TabularWorld world = world_named(name);
    const Unrolled states = unroll_states(world);
    const Policy uniform = uniform_policy(states);
    const Control control = measure(states, uniform);
    double rarest = 1;
    for (double p : control.p_f) {
      if (p > 0) rarest = std::min(rarest, p);
    }
    const double gap = certificate(states, entropy_gradient(states), uniform);
    EXPECT_NEAR(gap, -std::log(rarest) - control.H, 1e-12) << name;
    EXPECT_GT(gap, 0.5) << name;
  }
}

// on noisy worlds the gap must cover the distance to the optimum, for H and for D
TEST(Certificate, CoversTheDistanceToTheOptimum) {
  for (const char* name : {"line-noisy", "tree-noisy"}) {
    const TabularWorld world = world_named(name);
    const Truth truth = truth_of(world, 1e-6);
    const Unrolled tree = *unroll_histories(world, 100000);
    const Gradient D = control_gradient(tree, /*lambda=*/0);
    const Gradient H = control_gradient(tree, /*lambda=*/1);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Policy policy = random_policy(tree, seed);
      const Control control = measure(tree, policy);
      EXPECT_GE(certificate(tree, D, policy), truth.D_max->value - control.D) << name;
      EXPECT_GE(certificate(tree, H, policy), truth.H_max.value - control.H) << name;
    }
    EXPECT_LE(certificate(truth.D_max->unrolled, D, truth.D_max->policy), 2e-6) << name;
  }
}

// a long chain: the floor under a policy must not matter, however long the option
TEST(Truth, OfALongChainIsTheLogarithmOfItsLength) {
  for (int T_max : {20, 28, 40, 300}) {
    WorldBuilder builder("chain", {"go"}, T_max);
    for (int s = 0; s < T_max; ++s) builder.add_state(fmt::format("s{}", s), {});
    for (int s = 0; s < T_max; ++s) {
      builder.set_outcomes(s, 0, std::vector<Outcome>{{std::min(s + 1, T_max - 1), 1.0}});
    }
    const TabularWorld world = builder.build(0);
    const Truth truth = truth_of(world, 1e-6);
    EXPECT_NEAR(truth.H_max.value, std::log(T_max), 1e-6);
    EXPECT_NEAR(truth.D_max->value, std::log(T_max), 1e-6);
    EXPECT_NEAR(truth.D_max->control.D, std::log(T_max), 1e-6);
  }
}

TEST(Truth, StopsAtTheBudgetAndSaysSo) {
  const TabularWorld world = world_named("rooms-35");
  ExactSettings settings;
  settings.budget = 1e5;
  const Truth truth = find_truth(world, settings);
  EXPECT_GT(truth.H_max.gap, settings.gap);
  EXPECT_NE(truth.notes.front().find("H_max stopped at the budget"), std::string::npos);
  // and the bound still holds
  EXPECT_GE(truth.H_max.value + truth.H_max.gap, 5.24702);
}

TEST(Truth, ReportsProgressWithAFallingGap) {
  const TabularWorld world = world_named("line-noisy");
  double last = 1e9;
  int calls = 0;
  find_truth(world, {}, [&](std::string_view quantity, double, double gap) {
    if (quantity != "H_max") return;
    EXPECT_LE(gap, last);
    last = gap;
    ++calls;
  });
  EXPECT_GT(calls, 10);
}

TEST(Unrolled, RefusesWhatDoesNotFitTheMemory) {
  Overrides endless({parse_assignment("world.T_max=100000"), parse_assignment("world.size=300")});
  const TabularWorld world = load_world("grid", endless);
  std::string refusal;
  try {
    unroll_states(world);
  } catch (const UsageError& error) {
    refusal = error.what();
  }
  EXPECT_EQ(refusal,
            "grid with T_max = 100000 needs more than 4 GB of memory to solve; lower T_max "
            "or the number of states.");
}

}  // namespace
}  // namespace vic
