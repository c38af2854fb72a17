#include "info/entropy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"

namespace vic {
namespace {

using Vector = std::vector<double>;

TEST(Entropy, OfUniformPointAndBinaryDistributions) {
  EXPECT_DOUBLE_EQ(entropy(Vector(8, 1.0 / 8)), std::log(8));
  EXPECT_EQ(entropy(Vector{0, 1, 0}), 0);
  EXPECT_DOUBLE_EQ(entropy(Vector{0.25, 0.75}), std::log(4) - 0.75 * std::log(3));
}

TEST(LogSumExp, SurvivesLargeAndMissingTerms) {
  EXPECT_DOUBLE_EQ(log_sum_exp(Vector{1000, 1000}, Vector{1, 1}), 1000 + std::log(2));
  EXPECT_DOUBLE_EQ(log_sum_exp(Vector{-1000, 5000}, Vector{1, 0}), -1000);
  EXPECT_EQ(log_sum_exp(Vector{1, 2}, Vector{0, 0}), -std::numeric_limits<double>::infinity());
}

TEST(EstimateEntropy, HoldsTheTruthInItsInterval) {
  // a skew distribution of known entropy, drawn again and again
  const Vector p = {0.5, 0.25, 0.125, 0.0625, 0.0625};
  const double truth = entropy(p);
  int held = 0;
  double bias = 0;
  constexpr int trials = 400, n = 200;
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    std::vector<long> counts(p.size() + 1, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
      double u = uniform({.seed = 1, .row = trial, .step = i});
      std::size_t s = 0;
      while (s + 1 < p.size() && u >= p[s]) u -= p[s++];
      ++counts[s];
    }
    const EntropyEstimate estimate = estimate_entropy(counts);
    held += std::abs(estimate.H - truth) <= estimate.ci95;
    bias += (estimate.H - truth) / trials;
  }
  // 95 of 100, give or take three standard errors
  EXPECT_NEAR(held, 0.95 * trials, 3 * std::sqrt(trials * 0.95 * 0.05));
  EXPECT_LT(std::abs(bias), 0.01);
  EXPECT_EQ(estimate_entropy({}).H, 0);
  EXPECT_EQ(estimate_entropy(std::vector<long>{0, 7}).H, 0);
}

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
