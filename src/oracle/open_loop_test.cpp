#include "oracle/open_loop.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "info/entropy.h"
#include "support/named_world.h"

namespace vic {
namespace {

TEST(OpenLoop, CountsSequences) {
  EXPECT_EQ(count_sequences(world_named("line")), 1 + 2 + 4 + 8 + 16);
  EXPECT_EQ(count_sequences(world_named("grid")), 1 + 4 + 16 + 64 + 256);
  Overrides endless({parse_assignment("world.T_max=100000")});
  EXPECT_TRUE(std::isinf(count_sequences(load_world("grid", endless))));
}

TEST(OpenLoop, FollowsASequence) {
  const TabularWorld line = world_named("line-noisy");
  const auto p = follow(line, {1, 1});
  EXPECT_NEAR(p[line.find_state("2")], 0.49, 1e-15);
  EXPECT_NEAR(p[line.find_state("0")], 0.42, 1e-15);
  EXPECT_NEAR(p[line.find_state("-2")], 0.09, 1e-15);
}

// the optimum achieves what it claims: the information of its own mixture of sequences
TEST(OpenLoop, OptimumAchievesItsValue) {
  for (const char* name : {"line-noisy", "tree-noisy", "grid", "four-rooms"}) {
    const TabularWorld world = world_named(name);
    const auto best = open_loop_capacity(world, {.gap = 1e-6, .work = 1e10, .sequences = 1e5});
    ASSERT_TRUE(best) << name;
    std::vector<double> mean(world.S, 0);
    double conditional = 0;
    for (std::size_t x = 0; x < best->sequences.size(); ++x) {
      const auto p = follow(world, best->sequences[x]);
      for (int s = 0; s < world.S; ++s) mean[s] += best->p[x] * p[s];
      conditional += best->p[x] * entropy(p);
    }
    EXPECT_NEAR(entropy(mean) - conditional, best->value, 1e-9) << name;
  }
}

TEST(OpenLoop, GivesUpOnlyWhereChanceMeetsTooManySequences) {
  const OpenLoopLimits few{.gap = 1e-6, .work = 1e10, .sequences = 10};
  EXPECT_FALSE(open_loop_capacity(world_named("line-noisy"), few));
  EXPECT_FALSE(open_loop_capacity(world_named("rooms-35"), few));
  EXPECT_NEAR(open_loop_capacity(world_named("line"), few)->value, std::log(9), 1e-12);
}

}  // namespace
}  // namespace vic
