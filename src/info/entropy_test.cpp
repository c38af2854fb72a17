#include "info/entropy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"

namespace vic::entropy_test {
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

// the share of intervals of n draws that hold the entropy, and the mean of their half-width
struct Coverage {
  double held = 0, bias = 0, width = 0;

  Coverage(const Vector& p, int n, int trials) {
    Vector up_to;
    for (double x : p) up_to.push_back((up_to.empty() ? 0 : up_to.back()) + x);
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<long> counts(p.size(), 0);
      for (int i = 0; i < n; ++i) {
        const double u = up_to.back() * uniform({.seed = 7,
                                                 .row = static_cast<std::uint32_t>(trial),
                                                 .step = static_cast<std::uint32_t>(i)});
        ++counts[std::upper_bound(up_to.begin(), up_to.end() - 1, u) - up_to.begin()];
      }
      const EntropyEstimate estimate = estimate_entropy(counts);
      held += double(std::abs(estimate.H - entropy(p)) <= estimate.ci95) / trials;
      bias += (estimate.H - entropy(p)) / trials;
      width += estimate.ci95 / trials;
    }
  }
};

Vector normalised(Vector p) {
  double sum = 0;
  for (double x : p) sum += x;
  for (double& x : p) x /= sum;
  return p;
}

// 1,024 draws that meet 100 to 300 states of many more, as surveys of simulated worlds do
TEST(EstimateEntropy, CoversWhereManyStatesAreRare) {
  struct Case {
    const char* name;
    Vector p;
  };
  std::vector<Case> cases;
  for (const auto& [states, spread] :
       {std::pair{150, 0.5}, {150, 1.5}, {300, 1.0}, {300, 2.0}, {400, 1.5}, {1000, 2.0}}) {
    Vector p;
    for (int i = 0; i < states; ++i) {
      // quantiles of a logistic distribution of log p
      const double u = (i + 0.5) / states;
      p.push_back(std::exp(spread * 0.55 * std::log(u / (1 - u))));
    }
    cases.push_back({"log p spreads", normalised(p)});
  }
  Vector normal, laplace, zipf;
  for (int x = -40; x <= 40; ++x) {
    for (int y = -8; y <= 8; ++y) {
      normal.push_back(std::exp(-x * x / 128.0 - y * y / 8.0));
      laplace.push_back(std::exp(-std::abs(x) / 6.0 - std::abs(y) / 0.8));
    }
  }
  for (int i = 1; i < 400; ++i) zipf.push_back(1.0 / i);
  cases.push_back({"normal", normalised(normal)});
  cases.push_back({"Laplace", normalised(laplace)});
  cases.push_back({"Zipf", normalised(zipf)});
  for (const auto& [name, p] : cases) {
    const Coverage coverage(p, 1024, 400), fewer(p, 256, 400);
    // 95 of 100, less three standard errors
    EXPECT_GT(coverage.held, 0.917) << name << ", " << p.size() << ", bias " << coverage.bias;
    // a wide interval would hold anything
    EXPECT_LT(coverage.width, 0.2) << name << ", " << p.size();
    // as short trainings have it
    EXPECT_GT(fewer.held, 0.9) << name << ", " << p.size() << ", bias " << fewer.bias;
    EXPECT_LT(fewer.width, 0.5) << name << ", " << p.size();
  }
}

// From 5 to 300 states, 1,024 draws: 93 to 97 of 100. Where all states are equally likely the
// interval is too wide (99 of 100 and more; it is a hundredth of a nat there), as it is for 300
// states by Zipf's law (97.3): docs/estimators.md
TEST(EstimateEntropy, CoversFromFiveStatesToThreeHundred) {
  for (const int states : {5, 20, 50, 100, 200, 300}) {
    Vector zipf, spread, wide, even(states, 1.0 / states);
    for (int i = 0; i < states; ++i) {
      const double u = (i + 0.5) / states, logistic = 0.55 * std::log(u / (1 - u));
      zipf.push_back(1.0 / (i + 1));
      spread.push_back(std::exp(logistic));
      wide.push_back(std::exp(2 * logistic));
    }
    for (const Vector& p : {normalised(spread), normalised(wide), normalised(zipf)}) {
      const Coverage coverage(p, 1024, 1000);
      const bool too_wide = states == 300 && p[0] > 0.1;
      EXPECT_GE(coverage.held, 0.93) << states << ", " << p[0];
      EXPECT_LE(coverage.held, too_wide ? 0.98 : 0.97) << states << ", " << p[0];
    }
    const Coverage coverage(even, 1024, 200);
    EXPECT_GE(coverage.held, 0.97) << states;
    EXPECT_LT(coverage.width, 0.05) << states;
  }
}

// against the sum by definition
TEST(EstimateEntropy, CountsWhatWasNotDrawn) {
  const std::vector<long> counts = {5, 3, 2, 2, 1, 1, 1};
  const double n = 15, A = 2 * 2 / (14.0 * 3 + 2 * 2);
  double H = 0;
  for (long count : counts) {
    for (long k = count; k < 15; ++k) H += static_cast<double>(count) / n / static_cast<double>(k);
  }
  double rest = 0;
  for (int j = 1; j < 2000; ++j) rest += std::pow(1 - A, j) / (n - 1 + j);
  EXPECT_NEAR(estimate_entropy(counts).H, H + 3 / n * rest, 1e-12);
  // far more draws than are seen once
  std::vector<long> many(40, 25);
  many.push_back(1);
  for (int i = 0; i < 30; ++i) many.push_back(2);
  const double N = 1061, B = 2 * 30 / (1060.0 + 2 * 30);
  double sum = 0, more = 0;
  for (long count : many) {
    for (long k = count; k < 1061; ++k) {
      sum += static_cast<double>(count) / N / static_cast<double>(k);
    }
  }
  for (int j = 1; j < 2000; ++j) more += std::pow(1 - B, j) / (N - 1 + j);
  EXPECT_NEAR(estimate_entropy(many).H, sum + 1 / N * more, 1e-12);
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
}  // namespace vic::entropy_test
