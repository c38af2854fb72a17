#include "info/water_filling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vic {
namespace {

double rate(double gain, double power) {
  return std::log1p(gain * gain * power) / 2;
}

TEST(WaterFilling, OfOneChannelIsShannons) {
  const std::vector<double> gain = {1.5};
  EXPECT_NEAR(water_filling(gain, 2).capacity, rate(1.5, 2), 1e-15);
}

TEST(WaterFilling, OfEqualChannelsSharesThePower) {
  const std::vector<double> gains(4, 0.7);
  EXPECT_NEAR(water_filling(gains, 3).capacity, 4 * rate(0.7, 0.75), 1e-15);
}

// no split of the power on a grid does better, and one comes close
TEST(WaterFilling, IsTheBestSplit) {
  const std::vector<double> gains = {0.4, 2.0, 1.1};
  for (double power : {0.1, 0.5, 2.0, 20.0}) {
    const WaterFilling filled = water_filling(gains, power);
    double best = 0;
    constexpr int n = 200;
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; i + j <= n; ++j) {
        best = std::max(best, rate(gains[0], power * i / n) + rate(gains[1], power * j / n) +
                                  rate(gains[2], power * (n - i - j) / n));
      }
    }
    EXPECT_GE(filled.capacity, best - 1e-12);
    EXPECT_NEAR(filled.capacity, best, 1e-3 * best);
    double used = 0, own = 0;
    for (std::size_t i = 0; i < gains.size(); ++i) {
      used += filled.power[i];
      own += rate(gains[i], filled.power[i]);
    }
    EXPECT_NEAR(used, power, 1e-12);
    EXPECT_NEAR(own, filled.capacity, 1e-12);
  }
}

TEST(WaterFilling, GivesNothingToWhatCarriesNothing) {
  const std::vector<double> gains = {0, 1};
  const WaterFilling filled = water_filling(gains, 1);
  EXPECT_EQ(filled.power[0], 0);
  EXPECT_NEAR(filled.capacity, rate(1, 1), 1e-15);
  EXPECT_EQ(water_filling(std::vector<double>{0}, 1).capacity, 0);
}

}  // namespace
}  // namespace vic
