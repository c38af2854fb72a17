#include "nn/categorical.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"
#include "support/gradient_check.h"

namespace vic {
namespace {

// three queries; the first has two choices, the last none
struct Case {
  Factors factors;
  std::vector<int> query = {0, 0, 1}, choice;
  std::vector<double> scale = {1.5, -0.7, 2};
  Buffer<double> logits, dlogits;
  CategoricalStates<double> states;
  std::vector<double> log_p = std::vector<double>(3);

  Case(Factors shape, std::vector<int> choices) : factors(shape), choice(std::move(choices)) {
    logits = random_matrix<double>(3, round_up(factors.F * factors.K, 16), 1, 2);
    dlogits = zeros_like(logits);
  }
  double loss() {
    categorical_forward<double>(states, logits.view(), factors);
    categorical_log_p<double>(log_p, states, logits.view(), {query, choice}, factors);
    double sum = 0;
    for (std::size_t m = 0; m < 3; ++m) sum -= scale[m] * log_p[m];
    return sum;
  }
  void backward() {
    categorical_backward<double>(dlogits.view(), states, {query, choice}, scale, factors);
  }
};

TEST(Categorical, ProbabilitiesSumToOneAndMatchTheLogs) {
  Case c({.F = 1, .K = 11}, {3, 10, 0});
  c.loss();
  for (Index q = 0; q < 3; ++q) {
    double sum = 0;
    for (Index k = 0; k < 11; ++k) sum += c.states.p.row(q)[k];
    EXPECT_NEAR(sum, 1, 1e-14);
  }
  EXPECT_NEAR(std::exp(c.log_p[0]), c.states.p.row(0)[3], 1e-14);
  EXPECT_NEAR(std::exp(c.log_p[1]), c.states.p.row(0)[10], 1e-14);
  EXPECT_NEAR(std::exp(c.log_p[2]), c.states.p.row(1)[0], 1e-14);
}

TEST(Categorical, GradientMatchesFiniteDifferences) {
  Case c({.F = 1, .K = 11}, {3, 10, 0});
  c.loss();
  c.backward();
  expect_gradient([&] { return c.loss(); }, c.logits, c.dlogits);
  // for a single choice it is scale (p - onehot)
  for (Index k = 0; k < 11; ++k) {
    EXPECT_NEAR(c.dlogits.row(1)[k], 2 * (c.states.p.row(1)[k] - (k == 0 ? 1 : 0)), 1e-14);
  }
  // the padding and the query without a choice have none
  for (Index k = 11; k < 16; ++k) EXPECT_EQ(c.dlogits.row(0)[k], 0);
  for (Index k = 0; k < 16; ++k) EXPECT_EQ(c.dlogits.row(2)[k], 0);
}

TEST(Categorical, FactorsAddTheirLogs) {
  Case c({.F = 3, .K = 5}, {0, 1, 2, 4, 4, 4, 3, 0, 1});
  c.loss();
  c.backward();
  const double product =
      c.states.p.row(0)[0] * c.states.p.row(0)[5 + 1] * c.states.p.row(0)[10 + 2];
  EXPECT_NEAR(c.log_p[0], std::log(product), 1e-13);
  expect_gradient([&] { return c.loss(); }, c.logits, c.dlogits);
}

TEST(Categorical, FloatAgreesWithDouble) {
  const Factors factors = {.F = 1, .K = 625};
  const Buffer<double> d = random_matrix<double>(4, 640, 5, 3);
  const Buffer<float> f = random_matrix<float>(4, 640, 5, 3);
  CategoricalStates<double> wide;
  CategoricalStates<float> narrow;
  categorical_forward<double>(wide, d.view(), factors);
  categorical_forward<float>(narrow, f.view(), factors);
  for (Index q = 0; q < 4; ++q) {
    for (Index k = 0; k < 625; ++k) {
      const double p = wide.p.row(q)[k];
      EXPECT_NEAR(static_cast<double>(narrow.p.row(q)[k]), p, 3e-6 * p);
    }
  }
}

TEST(Categorical, HugeLogitsStayFinite) {
  Buffer<float> logits;
  logits.reshape(1, 16);
  logits.view().set_zero();
  logits.row(0)[0] = 1e4F;
  logits.row(0)[1] = -std::numeric_limits<float>::infinity();
  CategoricalStates<float> states;
  categorical_forward<float>(states, logits.view(), {.F = 1, .K = 3});
  EXPECT_EQ(states.p.row(0)[0], 1);
  EXPECT_EQ(states.p.row(0)[1], 0);
  std::vector<float> log_p(1);
  const std::vector<int> query = {0}, choice = {1};
  categorical_log_p<float>(log_p, states, logits.view(), {query, choice}, {.F = 1, .K = 3});
  EXPECT_EQ(log_p[0], -std::numeric_limits<float>::infinity());
}

TEST(Categorical, RefusesAClassThatDoesNotExist) {
  Case c({.F = 1, .K = 11}, {3, 11, 0});
  EXPECT_THROW(c.loss(), Error);
}

}  // namespace
}  // namespace vic
