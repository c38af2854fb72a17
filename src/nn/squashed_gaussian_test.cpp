// The head for continuous actions: its density is one, and its gradient is that of its definition.
#include "nn/squashed_gaussian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "base/error.h"
#include "support/gradient_check.h"

namespace vic::squashed_gaussian_test {
namespace {

constexpr Index F = 3;

// two queries, three actions
struct Case {
  SquashedGaussian head{.F = F};
  Buffer<double> outputs = random_matrix<double>(2, 16, 1, 2),
                 u = random_matrix<double>(3, F, 2, 2);
  std::vector<int> query = {0, 1, 1};
  std::vector<double> scale = {0.5, -1, 2}, log_p = std::vector<double>(3);

  SquashedActions<double> actions() const { return {query, u.view()}; }
  double loss() {
    squashed_log_density<double>(log_p, outputs.view(), actions(), head);
    double sum = 0;
    for (std::size_t m = 0; m < scale.size(); ++m) sum -= scale[m] * log_p[m];
    return sum;
  }
};

TEST(SquashedGaussian, DensityOfTheActionsIntegratesToOne) {
  Case c;
  c.head.F = 1;
  // one factor, of mean 0.7 and width s, over a = tanh(u), by the midpoint rule
  constexpr int N = 400000;
  for (double v : {-3.0, 0.0, 0.5}) {
    Buffer<double> out = zeros_like(c.outputs), u;
    out.row(0)[0] = 0.7;
    out.row(0)[1] = v;
    u.reshape(N, 1);
    for (Index i = 0; i < N; ++i) u.row(i)[0] = std::atanh(-1 + (2.0 * double(i) + 1) / N);
    std::vector<double> log_p(N);
    const std::vector<int> query(N, 0);
    squashed_log_density<double>(log_p, std::as_const(out).view(), {query, u.view()}, c.head);
    double sum = 0;
    for (double x : log_p) sum += std::exp(x) * 2 / N;
    EXPECT_NEAR(sum, 1, 1e-4) << v;
  }
}

TEST(SquashedGaussian, LogDensityEqualsTheDefinition) {
  Case c;
  c.loss();
  for (std::size_t m = 0; m < 3; ++m) {
    const double *out = c.outputs.row(c.query[m]), *u = c.u.row(static_cast<Index>(m));
    double want = 0;
    for (Index f = 0; f < F; ++f) {
      const double s = squashed_width(out[F + f]), a = std::tanh(u[f]);
      want += std::log(std::exp(-std::pow(u[f] - out[f], 2) / (2 * s * s)) /
                       (s * std::sqrt(2 * std::numbers::pi)) / (1 - a * a));
    }
    EXPECT_NEAR(c.log_p[m], want, 1e-12 * (1 + std::abs(want)));
  }
  EXPECT_EQ(squashed_width(0), 1);
}

TEST(SquashedGaussian, GradientMatchesFiniteDifferences) {
  Case c;
  Buffer<double> doutputs = random_matrix<double>(2, 16, 3);  // padding is set, too
  squashed_backward<double>(doutputs.view(), c.outputs.view(), c.actions(), c.scale, c.head);
  expect_gradient([&] { return c.loss(); }, c.outputs, doutputs, 1e-7);
}

TEST(SquashedGaussian, StaysFiniteWhereTanhIsOne) {
  Case c;
  c.u.row(0)[0] = 40;
  c.u.row(1)[1] = -400;
  EXPECT_TRUE(std::isfinite(c.loss()));
}

TEST(SquashedGaussian, RefusesWhatCannotBe) {
  Case c;
  c.query[0] = 2;
  EXPECT_THROW(c.loss(), Error);
  c.query[0] = 0;
  c.head.F = 9;
  EXPECT_THROW(c.loss(), Error);
}

}  // namespace
}  // namespace vic::squashed_gaussian_test
