// Reaching goals: closed forms, a case by hand, two computations of the same, and samples.
#include "oracle/reach.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "oracle/beliefs.h"
#include "support/named_world.h"
#include "support/random_world.h"

namespace vic {
namespace {

// the posterior by the beliefs of the oracle, goal by goal
GoalPolicy posterior_of(const Unrolled& tree, const Policy& policy, const Beliefs& beliefs) {
  return [&](Policy& conditioned, int goal) {
    const int A = tree.world->A, f = beliefs.column(goal);
    for (std::size_t t = 0; t < conditioned.size(); ++t) {
      const Level& level = tree.levels[t];
      for (int i = 0; i < level.rows(); ++i) {
        const double before = beliefs.at(static_cast<int>(t), i, f);
        double* out = &conditioned[t][i * (A + 1)];
        for (int a = 0; a <= A; ++a) out[a] = 0;
        if (level.forced(i)) out[A] = 1;
        // in a lost history the actions do not matter
        if (level.forced(i) || before < least_belief) continue;
        const double* pi = &policy[t][i * (A + 1)];
        if (level.state[i] == goal) out[A] = pi[A] / before;
        for (int a = 0; a < A; ++a) {
          out[a] = pi[a] * beliefs.after(static_cast<int>(t), i, a)[f] / before;
        }
      }
    }
  };
}

// a move that succeeds with probability 1/2, taken with probability 1/2
TEST(Reach, OfTwoStatesByHand) {
  WorldBuilder builder("coin", {"try"}, 2);
  builder.add_state("here", {});
  builder.add_state("there", {});
  for (int s : {0, 1}) builder.set_outcomes(s, 0, std::vector<Outcome>{{0, 0.5}, {1, 0.5}});
  const TabularWorld world = builder.build(0);
  const Unrolled tree = *unroll_histories(world, 100);
  const std::vector<double> best = best_success(world);
  const std::vector<double> reached = posterior_success(tree, uniform_policy(tree));
  EXPECT_DOUBLE_EQ(best[0], 1);
  EXPECT_DOUBLE_EQ(best[1], 0.5);
  // conditioned on "there" it must try; on "here" it stops with (1/2) / (3/4), or tries and is
  // lucky
  EXPECT_DOUBLE_EQ(reached[1], 0.5);
  EXPECT_DOUBLE_EQ(reached[0], 2.0 / 3 + 1.0 / 3 * 0.5);
  EXPECT_DOUBLE_EQ(mean_success(world, reached), 2.0 / 3);
}

// without noise, the posterior of any policy that can end everywhere never misses
TEST(Reach, IsCertainInDeterministicWorlds) {
  for (const char* name : {"line", "grid", "tree"}) {
    const TabularWorld world = world_named(name);
    const Unrolled tree = *unroll_histories(world, 100000);
    const std::vector<double> best = best_success(world);
    const std::vector<double> reached = posterior_success(tree, random_policy(tree, 1));
    for (int s = 0; s < world.S; ++s) {
      const auto goals = world.final_states();
      const double wanted = std::find(goals.begin(), goals.end(), s) != goals.end() ? 1 : 0;
      EXPECT_NEAR(best[s], wanted, 1e-12) << name << " " << world.state_names[s];
      EXPECT_NEAR(reached[s], wanted, 1e-12) << name << " " << world.state_names[s];
    }
  }
}

// backward over all goals at once, forward with beliefs goal by goal; neither beats the best
RC_GTEST_PROP(Reach, IsTheSameForwardAndBackwardAndNeverAboveTheBest, ()) {
  const TabularWorld world = random_world(*rc::gen::arbitrary<std::uint64_t>());
  const Unrolled tree = *unroll_histories(world, 100000);
  const Policy policy = random_policy(tree, *rc::gen::arbitrary<std::uint64_t>());
  Beliefs beliefs(tree);
  beliefs.update(policy);
  const std::vector<double> forward =
      success(tree, world.final_states(), posterior_of(tree, policy, beliefs));
  const std::vector<double> backward = posterior_success(tree, policy);
  const std::vector<double> best = best_success(world);
  for (int s = 0; s < world.S; ++s) {
    RC_ASSERT(std::abs(forward[s] - backward[s]) < 1e-12);
    RC_ASSERT(forward[s] <= best[s] + 1e-12);
  }
}

// a policy that never moves can be conditioned on any goal, and stays
TEST(Reach, OfAGoalThatThePolicyNeverEndsInIsZero) {
  const TabularWorld world = world_named("line-noisy");
  const Unrolled tree = *unroll_histories(world, 100000);
  Policy still = uniform_policy(tree);
  for (auto& level : still) {
    for (std::size_t i = 0; i < level.size(); ++i) {
      level[i] = i % (world.A + 1) == static_cast<std::size_t>(world.A) ? 1 : 0;
    }
  }
  const std::vector<double> reached = posterior_success(tree, still);
  for (int s = 0; s < world.S; ++s) EXPECT_EQ(reached[s], s == world.s_0 ? 1 : 0);
}

// options drawn one by one end in their goal as often as the sweep says
TEST(Reach, IsWhatSamplesFind) {
  const TabularWorld world = world_named("line-noisy");
  const Unrolled tree = *unroll_histories(world, 100000);
  const Policy policy = random_policy(tree, 7);
  const std::vector<double> reached = posterior_success(tree, policy);
  Beliefs beliefs(tree);
  beliefs.update(policy);
  const GoalPolicy posterior = posterior_of(tree, policy, beliefs);
  constexpr int options = 4000;
  for (int goal : world.final_states()) {
    Policy conditioned = uniform_policy(tree);
    posterior(conditioned, goal);
    Draws draws(static_cast<std::uint64_t>(goal));
    int hits = 0;
    for (int n = 0; n < options; ++n) {
      for (int t = 0, row = 0;; ++t) {
        const Level& level = tree.levels[t];
        const double* pi = &conditioned[t][row * (world.A + 1)];
        int a = 0;
        for (double u = draws.real() - pi[0]; u >= 0 && a < world.A; u -= pi[a]) ++a;
        if (a == world.A) {
          hits += level.state[row] == goal;
          break;
        }
        const int s = level.state[row];
        const int e = world.draw(s, a, draws.real());
        row = level.child[level.first[row] + e - world.begin(s)];
      }
    }
    // four standard errors: one run in 16,000 of one goal would miss, and the seeds are fixed
    const double p = reached[goal], error = std::sqrt(p * (1 - p) / options);
    EXPECT_NEAR(static_cast<double>(hits) / options, p, 4 * error + 1e-12) << goal;
  }
}

}  // namespace
}  // namespace vic
