#include "nn/product.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/random.h"

namespace vic {
namespace {

template <class Real>
void fill_randomly(Buffer<Real>& buffer, std::uint64_t seed) {
  for (Index i = 0; i < buffer.rows() * buffer.cols(); ++i) {
    const double u = uniform({.seed = seed, .draw = static_cast<std::uint32_t>(i)});
    buffer.row(0)[i] = static_cast<Real>(2 * u - 1);
  }
}

// few rows and many, each against the definition
template <class Real>
void expect_products(double tolerance) {
  for (Index N : {1, 2, 3, 4, 7, 24, 25, 60}) {
    constexpr Index K = 21, M = 56;
    Buffer<Real> a, w, out, sum;
    a.reshape(N, K);
    w.reshape(K, M);
    out.reshape(N, M);
    sum.reshape(N, M);
    fill_randomly(a, 1);
    fill_randomly(w, 2);
    fill_randomly(sum, 3);
    const Buffer<Real> before = sum;
    multiply<Real>(out.view(), std::as_const(a).view(), std::as_const(w).view());
    multiply_add<Real>(sum.view(), std::as_const(a).view(), std::as_const(w).view());
    for (Index i = 0; i < N; ++i) {
      for (Index j = 0; j < M; ++j) {
        double exact = 0;
        for (Index k = 0; k < K; ++k) {
          exact += static_cast<double>(a.row(i)[k]) * static_cast<double>(w.row(k)[j]);
        }
        ASSERT_NEAR(static_cast<double>(out.row(i)[j]), exact, tolerance);
        ASSERT_NEAR(static_cast<double>(sum.row(i)[j]),
                    static_cast<double>(before.row(i)[j]) + exact, tolerance);
      }
    }
  }
}

TEST(Product, IsTheSumOfProductsForAnyNumberOfRows) {
  expect_products<float>(1e-5);
  expect_products<double>(1e-13);
}

TEST(Product, RefusesShapesThatDoNotFit) {
  Buffer<float> a, w, out;
  a.reshape(2, 8);
  w.reshape(8, 20);
  out.reshape(2, 20);
  EXPECT_THROW(multiply<float>(out.view(), std::as_const(a).view(), std::as_const(w).view()),
               Error);
}

}  // namespace
}  // namespace vic
