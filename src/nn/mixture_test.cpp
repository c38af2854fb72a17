#include "nn/mixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/error.h"
#include "support/gradient_check.h"

namespace vic::mixture_test {
namespace {

// two queries, three targets, two of them under one query
template <class Real>
struct Case {
  Mixture mixture;
  std::vector<int> query = {1, 0, 1};
  std::vector<Real> scale = {1.5, 1, 0.5};
  std::vector<Real> log_f = std::vector<Real>(3);
  Buffer<Real> outputs, doutputs, x;
  Noise<Real> noise;
  MixtureScratch<Real> scratch;

  explicit Case(Index d) : mixture{.n = 10, .d = d, .sigma = 0.25} {
    outputs = random_matrix<Real>(2, round_up(mixture.outputs(), 16), 1, 0.5);
    doutputs = zeros_like(outputs);
    x = random_matrix<Real>(3, d, 2, 0.5);
    sample_noise(noise, {.points = 24, .d = d}, {.seed = 3});
  }
  void smooth() {
    mixture_smooth<Real>(doutputs.view(), scratch, outputs.view(), {query, x.view()}, scale, noise,
                         mixture);
  }
};

// ----- oracle: the density by its definition ----- //

template <class Real>
double naive_log_f(const Case<Real>& c, int query, const std::vector<double>& x) {
  const Index n = c.mixture.n, d = c.mixture.d;
  const Real* out = c.outputs.row(query);
  const double variance = c.mixture.sigma * c.mixture.sigma;
  double f = 0, total = 0;
  for (Index k = 0; k < n; ++k) {
    double square = 0;
    for (Index j = 0; j < d; ++j) {
      const double off = x[static_cast<std::size_t>(j)] - static_cast<double>(out[n + k * d + j]);
      square += off * off;
    }
    const double w = std::exp(static_cast<double>(out[k]));
    const double norm = std::pow(2 * std::numbers::pi * variance, -static_cast<double>(d) / 2);
    f += w * norm * std::exp(-square / (2 * variance));
    total += w;
  }
  return std::log(f / total);
}

template <class Real>
double naive_smooth(const Case<Real>& c, std::size_t m) {
  const Index d = c.mixture.d, i = static_cast<Index>(m);
  double sum = 0;
  for (Index s = 0; s < c.noise.points(); ++s) {
    std::vector<double> x;
    for (Index j = 0; j < d; ++j) {
      const Real z = c.noise.z.row(j)[s];
      x.push_back(static_cast<double>(c.x.row(i)[j]) + c.mixture.sigma * static_cast<double>(z));
    }
    sum += static_cast<double>(c.noise.weight.row(0)[s]) * naive_log_f(c, c.query[m], x);
  }
  return sum;
}

// the loss of the smoothing
template <class Real>
double naive_loss(const Case<Real>& c) {
  double sum = 0;
  for (std::size_t m = 0; m < 3; ++m) sum -= static_cast<double>(c.scale[m]) * naive_smooth(c, m);
  return sum;
}

class MixtureIn : public testing::TestWithParam<Index> {};

TEST_P(MixtureIn, LogDensityEqualsTheDefinition) {
  Case<double> c(GetParam());
  mixture_log_density<double>(c.log_f, c.scratch, c.outputs.view(), {c.query, c.x.view()},
                              c.mixture);
  for (std::size_t m = 0; m < 3; ++m) {
    const double* x = c.x.row(static_cast<Index>(m));
    EXPECT_NEAR(c.log_f[m], naive_log_f(c, c.query[m], {x, x + c.mixture.d}), 1e-11);
  }
}

// of the definition: the smoothing itself computes no values
TEST_P(MixtureIn, GradientMatchesFiniteDifferences) {
  Case<double> c(GetParam());
  c.smooth();
  expect_gradient([&] { return naive_loss(c); }, c.outputs, c.doutputs, 2e-7);
}

TEST_P(MixtureIn, FloatAgreesWithDouble) {
  Case<double> d(GetParam());
  Case<float> f(GetParam());
  d.smooth();
  f.smooth();
  mixture_log_density<double>(d.log_f, d.scratch, d.outputs.view(), {d.query, d.x.view()},
                              d.mixture);
  mixture_log_density<float>(f.log_f, f.scratch, f.outputs.view(), {f.query, f.x.view()},
                             f.mixture);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_NEAR(static_cast<double>(f.log_f[m]), d.log_f[m], 2e-5 * (1 + std::abs(d.log_f[m])));
  }
  for (Index i = 0; i < d.doutputs.view().size(); ++i) {
    const double want = d.doutputs.row(0)[i];
    EXPECT_NEAR(static_cast<double>(f.doutputs.row(0)[i]), want, 2e-4 * (1 + std::abs(want)));
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, MixtureIn, testing::Values(1, 2, 18));

TEST(Mixture, FarAwayTargetsStayFinite) {
  Case<float> c(1);
  for (Index m = 0; m < 3; ++m) c.x.row(m)[0] = 1000.0F * static_cast<float>(m);
  c.smooth();
  mixture_log_density<float>(c.log_f, c.scratch, c.outputs.view(), {c.query, c.x.view()},
                             c.mixture);
  for (Index i = 0; i < c.doutputs.view().size(); ++i) {
    EXPECT_TRUE(std::isfinite(c.doutputs.row(0)[i]));
  }
  for (float log_f : c.log_f) EXPECT_TRUE(std::isfinite(log_f));
}

TEST(Mixture, QuadratureAgreesWithManySamples) {
  Case<double> nodes(2), samples(2);
  gauss_hermite_noise(nodes.noise, 6, 2);
  sample_noise(samples.noise, {.points = 200000, .d = 2}, {.seed = 5});
  nodes.smooth();
  samples.smooth();
  // the deviation of log f over the noise is about 1: five standard errors
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_NEAR(naive_smooth(nodes, m), naive_smooth(samples, m), 0.02);
  }
  // gradients are by 1 / sigma larger, and less smooth
  for (Index i = 0; i < nodes.doutputs.view().size(); ++i) {
    EXPECT_NEAR(nodes.doutputs.row(0)[i], samples.doutputs.row(0)[i], 0.2) << i;
  }
}

TEST(Mixture, RefusesWhatCannotBe) {
  Case<double> c(2);
  c.mixture.sigma = 0;
  EXPECT_THROW(c.smooth(), Error);
  c.mixture.sigma = 0.25;
  c.query[0] = 2;
  EXPECT_THROW(c.smooth(), Error);
  c.query[0] = 1;
  sample_noise(c.noise, {.points = 8, .d = 1}, {.seed = 3});
  EXPECT_THROW(c.smooth(), Error);
}

}  // namespace
}  // namespace vic::mixture_test
