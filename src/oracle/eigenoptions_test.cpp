#include "oracle/eigenoptions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "oracle/reach.h"
#include "support/named_world.h"

namespace vic {
namespace {

// on a path of n states the walk's slowest direction is a cosine: closed form
TEST(Eigenoptions, TheLineIsACosine) {
  const TabularWorld world = world_named("line");
  const auto directions = slow_directions(world, 3);
  ASSERT_EQ(directions.size(), 3U);
  for (int k = 1; k <= 3; ++k) {
    const std::vector<double>& e = directions[k - 1];
    const double scale = e[0];
    for (int s = 0; s < world.S; ++s) {
      const double cosine = std::cos(std::numbers::pi * k * s / (world.S - 1));
      EXPECT_NEAR(e[s] / scale, cosine, 1e-9) << k << " " << s;
    }
  }
}

TEST(Eigenoptions, TheSlowestTwoGoToBothEnds) {
  const TabularWorld world = world_named("line");
  const OptionSet two = eigenoptions(world, 2);
  EXPECT_EQ(two.options, 2);
  // four moves lead from the middle to each end
  EXPECT_NEAR(two.I, std::log(2.0), 1e-12);
  EXPECT_NEAR(two.H, std::log(2.0), 1e-12);
  EXPECT_DOUBLE_EQ(two.success.front(), 1);
  EXPECT_DOUBLE_EQ(two.success.back(), 1);
}

TEST(Eigenoptions, CarryNoMoreThanTheirNumberAndBeatNoOptimum) {
  for (const char* name : {"grid", "grid-noisy", "tree-noisy", "rooms-35"}) {
    const TabularWorld world = world_named(name);
    const std::vector<double> best = best_success(world);
    for (const int n : {1, 5, 16}) {
      const OptionSet set = eigenoptions(world, n);
      EXPECT_EQ(set.options, std::min(n, 2 * (world.S - 1))) << name;
      EXPECT_LE(set.I, std::log(n) + 1e-12) << name;
      EXPECT_LE(set.I, set.H + 1e-12) << name;
      EXPECT_GT(set.I, n > 1 ? 0.1 : -1e-12) << name;
      for (int s = 0; s < world.S; ++s) EXPECT_LE(set.success[s], best[s] + 1e-12);
    }
  }
}

}  // namespace
}  // namespace vic
