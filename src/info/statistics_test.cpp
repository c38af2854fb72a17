#include "info/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace vic {
namespace {

TEST(Statistics, IntervalIsStudents) {
  const Estimate e = estimate(std::vector{1.0, 2.0, 3.0, 4.0, 5.0});
  EXPECT_DOUBLE_EQ(e.mean, 3);
  // t(4) = 2.7764, standard deviation sqrt(2.5)
  EXPECT_NEAR(*e.half, 2.7764 * std::sqrt(2.5 / 5), 1e-4);
  EXPECT_FALSE(estimate(std::vector{7.0}).half);
}

TEST(Statistics, InterquartileMeanIsThatOfTheMiddleHalf) {
  EXPECT_DOUBLE_EQ(interquartile_mean({8, 1, 2, 3, 4, 5, 6, 1000}), 4.5 - 0.0);
  // of five, the second and the fourth count three quarters
  EXPECT_DOUBLE_EQ(interquartile_mean({1, 2, 3, 5, 100}), (0.75 * 2 + 3 + 0.75 * 5) / 2.5);
  EXPECT_DOUBLE_EQ(interquartile_mean({7}), 7);
  EXPECT_DOUBLE_EQ(interquartile_mean({7, 9}), 8);
  EXPECT_EQ(interquartile_mean({}), 0);
  EXPECT_DOUBLE_EQ(estimate(std::vector{1.0, 2.0, 3.0, 5.0, 100.0}).iqm, 3.3);
}

TEST(Statistics, QuantileGoesOnWhereTheTableEnds) {
  EXPECT_NEAR(student_quantile(31), 2.0395, 1e-4);
  EXPECT_NEAR(student_quantile(100), 1.9840, 1e-4);
  EXPECT_NEAR(student_quantile(100000), 1.9600, 1e-4);
  for (int n = 1; n < 60; ++n) EXPECT_GT(student_quantile(n), student_quantile(n + 1));
}

TEST(Statistics, BandHoldsTheMeanAndIsTheSameEveryTime) {
  const std::vector<std::vector<double>> curves = {{1, 5}, {2, 5}, {6, 5}};
  const Band band = bootstrap_band(curves);
  EXPECT_DOUBLE_EQ(band.mean[0], 3);
  EXPECT_LT(band.low[0], 3);
  EXPECT_GT(band.high[0], 3);
  // no mean of resampled curves leaves their range
  EXPECT_GE(band.low[0], 1);
  EXPECT_LE(band.high[0], 6);
  // where the curves agree the band has no width
  EXPECT_NEAR(band.low[1], 5, 1e-12);
  EXPECT_NEAR(band.high[1], 5, 1e-12);
  EXPECT_EQ(bootstrap_band(curves).low, band.low);
}

TEST(Statistics, BandOfManyCurvesIsTheNormalInterval) {
  // 400 standard normal values: the mean has the standard error 1/20
  std::vector<std::vector<double>> curves;
  for (std::uint32_t i = 0; i < 400; ++i) curves.push_back({normal({.seed = 5, .row = i})});
  const Band band = bootstrap_band(curves);
  EXPECT_NEAR(band.high[0] - band.low[0], 2 * 1.96 / 20, 0.02);
}

}  // namespace
}  // namespace vic
