#include "nn/mixture.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace vic {
namespace {

// the mean of x^a y^b under a weighted set of points in two dimensions
double moment(const Noise<double>& noise, int a, int b) {
  double sum = 0;
  for (Index s = 0; s < noise.points(); ++s) {
    sum += noise.weight.row(0)[s] * std::pow(noise.z.row(0)[s], a) * std::pow(noise.z.row(1)[s], b);
  }
  return sum;
}

TEST(Noise, QuadratureHasTheMomentsOfTheNormal) {
  Noise<double> noise;
  gauss_hermite_noise(noise, 6, 2);
  EXPECT_EQ(noise.points(), 40);
  EXPECT_NEAR(moment(noise, 0, 0), 1, 1e-13);
  EXPECT_NEAR(moment(noise, 1, 0), 0, 1e-13);
  EXPECT_NEAR(moment(noise, 2, 0), 1, 1e-12);
  EXPECT_NEAR(moment(noise, 2, 2), 1, 1e-12);
  EXPECT_NEAR(moment(noise, 4, 0), 3, 1e-12);
  EXPECT_NEAR(moment(noise, 0, 10), 945, 1e-9);
  // degree 12 is the first even one that six nodes miss
  EXPECT_GT(std::abs(moment(noise, 12, 0) - 10395), 100);
}

TEST(Noise, QuadratureOfTooManyNodesIsRefused) {
  Noise<double> noise;
  EXPECT_THROW(gauss_hermite_noise(noise, 6, 18), Error);
  EXPECT_THROW(gauss_hermite_noise(noise, 0, 1), Error);
  EXPECT_NO_THROW(gauss_hermite_noise(noise, 1, 1));
}

TEST(Noise, SamplesAreNormalAndBelongToTheirAddress) {
  Noise<double> a, b;
  sample_noise(a, {.points = 40000, .d = 2}, {.seed = 1});
  // five standard errors of each moment
  EXPECT_NEAR(moment(a, 1, 0), 0, 5 / 200.0);
  EXPECT_NEAR(moment(a, 2, 0), 1, 5 * std::sqrt(2.0) / 200);
  EXPECT_NEAR(moment(a, 1, 1), 0, 5 / 200.0);
  EXPECT_NEAR(moment(a, 4, 0), 3, 5 * std::sqrt(96.0) / 200);
  sample_noise(b, {.points = 40000, .d = 2}, {.seed = 1, .update = 1});
  EXPECT_NE(a.z.row(0)[0], b.z.row(0)[0]);
}

TEST(Noise, PointsFillWholeRegisters) {
  Noise<float> noise;
  sample_noise(noise, {.points = 13, .d = 3}, {.seed = 1});
  EXPECT_EQ(noise.points(), 16);
  EXPECT_EQ(noise.d(), 3);
}

}  // namespace
}  // namespace vic
