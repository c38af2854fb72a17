// The reward that is normalised over goals, with exact models of an enumerated world: option by
// option it is -log p(s_f), like the plain one.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "method/normalise.h"
#include "oracle/beliefs.h"
#include "support/named_world.h"

namespace vic {
namespace {

// an arbitrary policy
Policy uneven_policy(const Unrolled& unrolled) {
  Policy policy = uniform_policy(unrolled);
  const int A = unrolled.world->A;
  for (std::size_t t = 0; t < policy.size(); ++t) {
    for (int i = 0; i < unrolled.levels[t].rows(); ++i) {
      if (unrolled.levels[t].forced(i)) continue;
      double* p = &policy[t][std::size_t(i) * (A + 1)];
      double sum = 0;
      for (int a = 0; a <= A; ++a) sum += p[a] = 1 + (i + 2 * a) % 5;
      for (int a = 0; a <= A; ++a) p[a] /= sum;
    }
  }
  return policy;
}

struct ExactModels {
  const TabularWorld& world;
  const Unrolled& unrolled;
  const Policy& policy;
  const Beliefs& beliefs;
  const std::vector<double>& p_f;
  long options = 0;

  using PerGoal = std::vector<double>;  // (columns) log f of the way to a row

  void check_end(int t, int row, const PerGoal& way, double plain) {
    const Level& level = unrolled.levels[t];
    const int s = level.state[row], own = beliefs.column(s);
    const auto log_stop = [&](int column) {
      if (level.forced(row)) return 0.0;
      const double stop = policy[t][std::size_t(row) * (world.A + 1) + world.A];
      const double b = column == own ? 1 : 0;
      return std::log(stop * b / beliefs.at(t, row, column));
    };
    std::vector<OtherGoal> others;
    for (int column = 0; column < beliefs.columns(); ++column) {
      if (column == own) continue;
      // forced rows end where they are
      const double end =
          level.forced(row) || beliefs.at(t, row, column) == 0 ? -HUGE_VAL : log_stop(column);
      others.push_back({p_f[beliefs.final_state(column)], way[column] + end});
    }
    const double log_f = way[own] + log_stop(own);
    EXPECT_NEAR(normalised_reward(p_f[s], log_f, others), -std::log(p_f[s]), 1e-9);
    EXPECT_NEAR(log_f - plain, -std::log(p_f[s]), 1e-9) << "the plain reward";
    ++options;
  }

  // `plain` is log p of the way, of policy and transitions
  void walk(int t, int row, const PerGoal& way, double plain) {
    const Level& level = unrolled.levels[t];
    const double* pi = &policy[t][std::size_t(row) * (world.A + 1)];
    check_end(t, row, way, plain + (level.forced(row) ? 0 : std::log(pi[world.A])));
    if (level.forced(row)) return;
    const int s = level.state[row];
    const int* child = &level.child[level.first[row]];
    for (int a = 0; a < world.A; ++a) {
      for (int e = world.begin(s, a); e < world.end(s, a); ++e, ++child) {
        PerGoal next(way.size(), -HUGE_VAL);
        for (std::size_t c = 0; c < way.size(); ++c) {
          const int column = static_cast<int>(c);
          const double before = beliefs.at(t, row, column),
                       then = beliefs.at(t + 1, *child, column);
          // pi_q rho_q, from b before and after
          if (before > 0 && then > 0 && std::isfinite(way[c])) {
            next[c] = way[c] + std::log(pi[a] * world.p[e] * then / before);
          }
        }
        walk(t + 1, *child, next, plain + std::log(pi[a] * world.p[e]));
      }
    }
  }
};

TEST(NormaliseTruth, IsTheSurpriseOfTheEndUnderExactModels) {
  for (const char* name : {"line", "line-noisy"}) {
    TabularWorld world = world_named(name);
    world.T_max = 5;
    const Unrolled unrolled = *unroll_histories(world, 100000);
    const Policy policy = uneven_policy(unrolled);
    Beliefs beliefs(unrolled);
    beliefs.update(policy);
    const std::vector<double> p_f = flow(unrolled, policy).p_f;
    ExactModels exact{world, unrolled, policy, beliefs, p_f};
    exact.walk(0, 0, ExactModels::PerGoal(beliefs.columns(), 0), 0);
    EXPECT_GT(exact.options, 30);
  }
}

}  // namespace
}  // namespace vic
