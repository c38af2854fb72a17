#include "info/estimators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "info/entropy.h"

namespace vic {
namespace {

using Counts = std::vector<long>;
using Vector = std::vector<double>;

constexpr double never = -std::numeric_limits<double>::infinity();

TEST(Estimators, PlugInAndMillerMadowOfKnownCounts) {
  const Counts counts = {4, 0, 2, 1, 1};
  const double H = std::log(8) - (4 * std::log(4) + 2 * std::log(2)) / 8;
  EXPECT_NEAR(plug_in_entropy(counts), H, 1e-15);
  EXPECT_NEAR(miller_madow_entropy(counts), H + 3 / 16.0, 1e-15);
}

TEST(Estimators, ChaoShenOfKnownCounts) {
  // one of four draws is alone: coverage 3/4
  double H = 0;
  for (const double p : {0.75 * 3 / 4, 0.75 / 4}) H -= p * std::log(p) / (1 - std::pow(1 - p, 4));
  EXPECT_NEAR(chao_shen_entropy(Counts{3, 1}), H, 1e-15);
  EXPECT_TRUE(std::isfinite(chao_shen_entropy(Counts{1, 1, 1})));
  EXPECT_EQ(chao_shen_entropy(Counts{5}), 0);
}

TEST(Estimators, NothingAndOneStateHaveNoEntropy) {
  for (const Counts& counts : {Counts{}, Counts{7}, Counts{0, 7}}) {
    EXPECT_EQ(plug_in_entropy(counts), 0);
    EXPECT_EQ(miller_madow_entropy(counts), 0);
    EXPECT_EQ(chao_shen_entropy(counts), 0);
  }
  EXPECT_EQ(nsb_entropy(Counts{7}, 1), 0);
}

// ----- oracle: two states, the integrals over p and beta by sums ----- //

double nsb_of_two(double a, double b) {
  double above = 0, below = 0;
  const auto log_B = [](double x, double y) {
    return std::lgamma(x) + std::lgamma(y) - std::lgamma(x + y);
  };
  // the mean entropy before anything is drawn, whose prior is uniform; psi by differences
  const auto xi = [](double beta) {
    const auto psi = [](double x) {
      return (std::lgamma(x + 1e-5) - std::lgamma(x - 1e-5)) / 2e-5;
    };
    return psi(2 * beta + 1) - psi(beta + 1);
  };
  for (double log_beta = -9; log_beta < 9; log_beta += 0.05) {
    const double beta = std::exp(log_beta);
    const double prior = xi(std::exp(log_beta + 0.025)) - xi(std::exp(log_beta - 0.025));
    below += prior * std::exp(log_B(a + beta, b + beta) - log_B(beta, beta));
    // p = 1 / (1 + exp(-u)): H vanishes long before the ends
    for (double u = -40; u < 40; u += 0.1) {
      const double p = 1 / (1 + std::exp(-u)), q = 1 / (1 + std::exp(u));
      const double log_density =
          (a + beta) * std::log(p) + (b + beta) * std::log(q) - log_B(beta, beta);
      above += prior * 0.1 * std::exp(log_density) * entropy(Vector{p, q});
    }
  }
  return above / below;
}

TEST(Estimators, NsbIsThePosteriorMean) {
  for (const auto& [a, b] : {std::pair{3, 1}, std::pair{7, 0}, std::pair{5, 5}}) {
    EXPECT_NEAR(nsb_entropy(Counts{a, b}, 2), nsb_of_two(a, b), 2e-3) << a << ", " << b;
  }
  // states that are not listed were not drawn
  EXPECT_DOUBLE_EQ(nsb_entropy(Counts{3, 1, 0, 0}, 4), nsb_entropy(Counts{3, 1}, 4));
}

// shares that fall by 0.7 from state to state
Vector skew(int states) {
  Vector p;
  double sum = 0;
  for (int s = 0; s < states; ++s) sum += std::pow(0.7, s);
  for (int s = 0; s < states; ++s) p.push_back(std::pow(0.7, s) / sum);
  return p;
}

Counts draw(const Vector& p, int n, std::uint32_t trial) {
  Counts counts(p.size(), 0);
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(n); ++i) {
    double u = uniform({.seed = 3, .row = trial, .step = i});
    std::size_t s = 0;
    while (s + 1 < p.size() && u >= p[s]) u -= p[s++];
    ++counts[s];
  }
  return counts;
}

TEST(Estimators, CorrectionsRemoveMostOfTheBiasOfSmallSamples) {
  const Vector p = skew(30);
  const double H = entropy(p);
  constexpr int trials = 300, n = 30;
  double plain = 0, miller = 0, shen = 0, nsb = 0;
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    const Counts counts = draw(p, n, trial);
    plain += (plug_in_entropy(counts) - H) / trials;
    miller += (miller_madow_entropy(counts) - H) / trials;
    shen += (chao_shen_entropy(counts) - H) / trials;
    nsb += (nsb_entropy(counts, 30) - H) / trials;
  }
  EXPECT_LT(plain, -0.15);
  EXPECT_LT(std::abs(miller), 0.5 * std::abs(plain));
  EXPECT_LT(std::abs(shen), 0.5 * std::abs(plain));
  EXPECT_LT(std::abs(nsb), 0.5 * std::abs(plain));
}

TEST(Estimators, AllComeToTheTruthWithManyDraws) {
  const Vector p = skew(12);
  const Counts counts = draw(p, 20000, 1);
  for (const double H : {plug_in_entropy(counts), miller_madow_entropy(counts),
                         chao_shen_entropy(counts), nsb_entropy(counts, 12)}) {
    EXPECT_NEAR(H, entropy(p), 0.02);
  }
}

// y is a function of x, and the critic is exact: the matrix of which pairs agree, over p(y)
Vector critic_of(const std::vector<int>& y, const Vector& p) {
  Vector critic;
  for (int i : y) {
    for (int j : y) critic.push_back(i == j ? -std::log(p[j]) : never);
  }
  return critic;
}

TEST(Estimators, InfoNceOfAFunctionIsThePlugIn) {
  const std::vector<int> y = {0, 0, 1, 2, 2, 2};
  const Vector critic = critic_of(y, {0.2, 0.3, 0.5});
  EXPECT_NEAR(info_nce(critic, 6), plug_in_entropy(Counts{2, 1, 3}), 1e-14);
  // and never above the logarithm of the batch
  EXPECT_NEAR(info_nce(critic_of({0, 1}, {1e-9, 1 - 1e-9}), 2), std::log(2), 1e-14);
}

TEST(Estimators, NwjOfAFunctionByHand) {
  const std::vector<int> y = {0, 0, 1};
  Vector critic = critic_of(y, {0.25, 0.75});
  for (double& f : critic) f += 1;
  // two ordered pairs of six agree, in the first state
  const double mean = (2 * std::log(4) + std::log(4 / 3.0)) / 3;
  EXPECT_NEAR(nwj(critic, 3), mean + 1 - 2 * 4 / 6.0, 1e-14);
}

TEST(Estimators, NwjWithTheExactCriticHasNoBias) {
  const Vector p = skew(6);
  constexpr int trials = 4000, n = 20;
  double sum = 0, square = 0;
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    std::vector<int> y;
    const Counts counts = draw(p, n, trial);
    for (int s = 0; s < 6; ++s) y.insert(y.end(), counts[s], s);
    Vector critic = critic_of(y, p);
    for (double& f : critic) f += 1;
    const double I = nwj(critic, n);
    sum += I / trials, square += I * I / trials;
  }
  const double error = std::sqrt((square - sum * sum) / trials);
  EXPECT_NEAR(sum, entropy(p), 4 * error);
  EXPECT_LT(error, 0.01);
}

}  // namespace
}  // namespace vic
