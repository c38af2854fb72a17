// An analytic gradient against central differences, with two guards against a test that cannot
// fail: the gradient must not be zero, and the two must not agree to the last bit.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "base/matrix.h"
#include "base/random.h"

namespace vic {

// Standard normal numbers times `deviation`, reproducible by `stream`.
template <class Real>
void fill_random(MatrixView<Real> view, std::uint32_t stream, double deviation = 1) {
  for (Index i = 0; i < view.size(); ++i) {
    view.data[i] = static_cast<Real>(
        deviation * normal({.seed = 7, .row = stream, .draw = static_cast<std::uint32_t>(i)}));
  }
}

template <class Real>
Buffer<Real> random_matrix(Index rows, Index cols, std::uint32_t stream, double deviation = 1) {
  Buffer<Real> matrix;
  matrix.reshape(rows, cols);
  fill_random(matrix.view(), stream, deviation);
  return matrix;
}

// The Euclidean norm.
template <class Real>
double norm(const Block<Real>& block) {
  double square = 0;
  for (Real x : block) square += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(square);
}

// Expects the slope of the loss along its gradient to be the gradient's square, by a step of fixed
// size to either side; `parameters` are restored up to rounding. For losses in float.
inline void expect_slope_along(const Block<float>& gradient, Block<float>& parameters,
                               const std::function<double()>& loss, double step) {
  const double length = norm(gradient);
  ASSERT_GT(length, 1e-2);
  const auto move = [&](double by) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      parameters[i] += static_cast<float>(by / length * double(gradient[i]));
    }
  };
  move(step);
  const double above = loss();
  move(-2 * step);
  const double below = loss();
  move(step);
  EXPECT_NEAR((above - below) / (2 * step), length, 0.02 * length);
}

// Compares d loss / d values with `gradient`, number by number, to `tolerance` times the largest.
inline void expect_gradient(const std::function<double()>& loss, std::span<double> values,
                            std::span<const double> gradient, double tolerance = 1e-7) {
  ASSERT_EQ(values.size(), gradient.size());
  constexpr double step = 1e-5;
  std::vector<double> numeric;
  for (double& x : values) {
    const double at = x;
    x = at + step;
    const double above = loss();
    x = at - step;
    const double below = loss();
    x = at;
    numeric.push_back((above - below) / (2 * step));
  }
  double largest = 0;
  for (double g : gradient) largest = std::max(largest, std::abs(g));
  EXPECT_GT(largest, 1e-6) << "the gradient is zero: the test sees nothing";
  EXPECT_FALSE(std::equal(numeric.begin(), numeric.end(), gradient.begin()))
      << "analytic and numeric gradient are the same bits: the test compares a thing with itself";
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    EXPECT_NEAR(gradient[i], numeric[i], tolerance * std::max(1.0, largest)) << "number " << i;
  }
}

inline void expect_gradient(const std::function<double()>& loss, Buffer<double>& values,
                            const Buffer<double>& gradient, double tolerance = 1e-7) {
  const auto size = static_cast<std::size_t>(values.view().size());
  expect_gradient(loss, {values.row(0), size}, {gradient.row(0), size}, tolerance);
}

// A zeroed matrix of the shape of another.
template <class Real>
Buffer<Real> zeros_like(const Buffer<Real>& other) {
  Buffer<Real> matrix;
  matrix.reshape(other.rows(), other.cols());
  matrix.view().set_zero();
  return matrix;
}

// sum a b: a loss whose gradient in a is b.
inline double inner_product(MatrixView<const double> a, MatrixView<const double> b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) sum += a.data[i] * b.data[i];
  return sum;
}

}  // namespace vic
