// Small random worlds and policies for property tests, each determined by a seed.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "oracle/unrolled.h"
#include "world/tabular.h"

namespace vic {

// A sequence of numbers drawn from a seed.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  double real() { return uniform({.seed = seed_, .draw = next_++}); }
  int below(int n) { return static_cast<int>(n * real()); }

 private:
  std::uint64_t seed_;
  std::uint32_t next_ = 0;
};

// Up to 5 states, 3 moves, 3 outcomes per move and T_max 4; some states are absorbing, some pay.
inline TabularWorld random_world(std::uint64_t seed) {
  Draws draws(seed);
  const int S = 2 + draws.below(4), A = 1 + draws.below(3), T_max = 2 + draws.below(3);
  std::vector<std::string> moves;
  for (int a = 0; a < A; ++a) moves.push_back(fmt::format("m{}", a));
  WorldBuilder builder(fmt::format("random-{}", seed), moves, T_max);
  for (int s = 0; s < S; ++s) builder.add_state(fmt::format("s{}", s), {static_cast<double>(s)});
  builder.set_step_reward(-0.1);
  for (int s = 0; s < S; ++s) {
    if (s > 0 && draws.real() < 0.2) builder.set_absorbing(s);
    builder.set_enter_reward(s, draws.below(3));
    for (int a = 0; a < A; ++a) {
      std::vector<Outcome> outcomes(1 + draws.below(3));
      double sum = 0;
      for (Outcome& outcome : outcomes) {
        outcome = {draws.below(S), 0.05 + draws.real()};
        sum += outcome.p;
      }
      for (Outcome& outcome : outcomes) outcome.p /= sum;
      builder.set_outcomes(s, a, outcomes);
    }
  }
  return builder.build(0);
}

// A policy with a random distribution in every row that has a choice.
inline Policy random_policy(const Unrolled& unrolled, std::uint64_t seed) {
  Draws draws(seed);
  const int actions = unrolled.world->A + 1;
  Policy policy = uniform_policy(unrolled);
  for (std::size_t t = 0; t < policy.size(); ++t) {
    for (int i = 0; i < unrolled.levels[t].rows(); ++i) {
      if (unrolled.levels[t].forced(i)) continue;
      double sum = 0;
      for (int a = 0; a < actions; ++a) sum += policy[t][i * actions + a] = 0.01 + draws.real();
      for (int a = 0; a < actions; ++a) policy[t][i * actions + a] /= sum;
    }
  }
  return policy;
}

}  // namespace vic
