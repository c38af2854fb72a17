#include "info/interval.h"

#include <gtest/gtest.h>

namespace vic {
namespace {

// the ends solve (p_hat - p)^2 = z^2 p (1 - p) / n
TEST(WilsonInterval, EndsAreWhereTheTestTurns) {
  constexpr double z = 1.96;
  for (const double p_hat : {0.0, 0.1, 0.5, 0.97, 1.0}) {
    for (const double n : {1.0, 20.0, 1000.0}) {
      const Interval in = wilson_interval(p_hat, n);
      EXPECT_LE(in.low, p_hat);
      EXPECT_GE(in.high, p_hat);
      for (const double p : {in.low, in.high}) {
        EXPECT_NEAR((p_hat - p) * (p_hat - p), z * z * p * (1 - p) / n, 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace vic
