// The optima of the noisy television in closed form (docs/noisy-tv.md).
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/frontier.h"
#include "oracle/truth.h"
#include "support/named_world.h"

namespace vic {
namespace {

// The agent chooses one of nine cells or the television, and chance picks one of K pictures: D is
// the entropy of the ten, N = P(television) log K. So D + lambda N is largest where P(television) :
// P(cell) = K^lambda : 1, with the value log(9 + K^lambda).
double value(double lambda, double K) {
  return std::log(9 + std::pow(K, lambda));
}

double share(double lambda, double K) {
  return std::pow(K, lambda) / (9 + std::pow(K, lambda));
}

double absorbed(const TabularWorld& world, const Control& control) {
  double sum = 0;
  for (int s = 0; s < world.S; ++s) sum += world.absorbing[s] ? control.p_f[s] : 0;
  return sum;
}

TEST(NoisyTv, CoverageSitsBeforeTheTelevisionAndControlDoesNot) {
  const TabularWorld world = world_named("noisy-tv");
  constexpr double K = 27;
  const Truth truth = find_truth(world, {});
  EXPECT_EQ(truth.states_reachable, 36);
  EXPECT_NEAR(truth.H_max.value, value(1, K), 1e-6);
  EXPECT_NEAR(absorbed(world, truth.H_max.control), 0.75, 1e-3);
  ASSERT_TRUE(truth.D_max);
  EXPECT_NEAR(truth.D_max->value, value(0, K), 1e-6);
  EXPECT_NEAR(absorbed(world, truth.D_max->control), 0.1, 1e-3);
  EXPECT_NEAR(truth.D_max->control.N, 0.1 * std::log(K), 1e-3);
  // nothing is lost without feedback: the observations on the way are known in advance
  EXPECT_NEAR(truth.C_open->value, value(0, K), 1e-5);
}

TEST(NoisyTv, TheFrontierIsWhatTheFormulaSays) {
  Overrides fewer({{.key = "world.pictures", .value = "5", .origin = "test"}});
  for (const auto& [world, K] :
       {std::pair{world_named("noisy-tv"), 27.0}, std::pair{load_world("noisy-tv", fewer), 5.0}}) {
    const auto frontier =
        find_frontier(world, std::vector<double>{0, 0.5, 1, 2}, {.gap = 1e-6}, /*threads=*/1);
    ASSERT_TRUE(frontier);
    ASSERT_EQ(frontier->points.size(), 4u);
    for (const FrontierPoint& point : frontier->points) {
      EXPECT_NEAR(point.value, value(point.lambda, K), 1e-4) << point.lambda;
      EXPECT_NEAR(point.control.N, share(point.lambda, K) * std::log(K), 0.02) << point.lambda;
    }
  }
}

}  // namespace
}  // namespace vic
