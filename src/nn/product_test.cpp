#include "nn/product.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "nn/operations.h"

namespace vic {
namespace {

template <class Real>
void fill_randomly(Buffer<Real>& buffer, std::uint64_t seed) {
  for (Index i = 0; i < buffer.rows() * buffer.cols(); ++i) {
    const double u = uniform({.seed = seed, .draw = static_cast<std::uint32_t>(i)});
    buffer.row(0)[i] = static_cast<Real>(2 * u - 1);
  }
}

template <class Real>
double number(const Buffer<Real>& buffer, Index i, Index j) {
  return static_cast<double>(buffer.row(i)[j]);
}

// (a w)_ij by its definition
template <class Real>
double product(const Buffer<Real>& a, const Buffer<Real>& w, Index i, Index j) {
  double sum = 0;
  for (Index k = 0; k < a.cols(); ++k) sum += number(a, i, k) * number(w, k, j);
  return sum;
}

// tiles and rests of rows, whole panels and half ones, each against the definition
template <class Real>
void expect_products(double tolerance) {
  for (Index M : {8, 16, 56}) {
    for (Index N : {1, 2, 3, 4, 5, 6, 7, 24, 25, 60}) {
      constexpr Index K = 24;
      Buffer<Real> a, w, bias, out, shifted, back;
      a.reshape(N, K);
      w.reshape(K, M);
      bias.reshape(1, M);
      out.reshape(N, M);
      shifted.reshape(N, M);
      back.reshape(N, K);
      fill_randomly(a, 1);
      fill_randomly(w, 2);
      fill_randomly(bias, 4);
      const MatrixView<const Real> a_view = a.view();
      Panels<Real> panels, transposed;
      pack<Real>(panels, w.view());
      pack_transposed<Real>(transposed, w.view());
      multiply<Real>(out.view(), a_view, panels);
      multiply<Real>(shifted.view(), a_view, panels, bias.view());
      multiply<Real>(back.view(), out.view(), transposed);
      for (Index i = 0; i < N; ++i) {
        for (Index j = 0; j < M; ++j) {
          const double exact = product(a, w, i, j);
          ASSERT_NEAR(number(out, i, j), exact, tolerance);
          ASSERT_NEAR(number(shifted, i, j), number(bias, 0, j) + exact, tolerance);
        }
        for (Index k = 0; k < K; ++k) {
          double exact = 0;
          for (Index j = 0; j < M; ++j) exact += number(out, i, j) * number(w, k, j);
          ASSERT_NEAR(number(back, i, k), exact, 10 * tolerance);
        }
      }
    }
  }
}

TEST(Product, IsTheSumOfProductsForAnyNumberOfRows) {
  expect_products<float>(1e-5);
  expect_products<double>(1e-13);
}

template <class Real>
void expect_transposed_products(double tolerance) {
  for (Index N : {1, 31, 33, 70}) {
    for (Index K : {3, 8}) {
      for (Index M : {8, 16, 24, 56}) {
        Buffer<Real> a, b, out;
        a.reshape(N, K);
        b.reshape(N, M);
        out.reshape(K, M);
        fill_randomly(a, 1);
        fill_randomly(b, 2);
        fill_randomly(out, 3);
        const Buffer<Real> before = out;
        add_transposed_product<Real>(out.view(), a.view(), b.view());
        for (Index k = 0; k < K; ++k) {
          for (Index j = 0; j < M; ++j) {
            double exact = number(before, k, j);
            for (Index n = 0; n < N; ++n) exact += number(a, n, k) * number(b, n, j);
            ASSERT_NEAR(number(out, k, j), exact, tolerance);
          }
        }
      }
    }
  }
}

TEST(Product, AddsTheTransposedProduct) {
  expect_transposed_products<float>(1e-4);
  expect_transposed_products<double>(1e-12);
}

TEST(Product, RefusesShapesThatDoNotFit) {
  Buffer<float> a, w, out;
  Panels<float> panels;
  w.reshape(8, 20);
  EXPECT_THROW(pack<float>(panels, w.view()), Error);
  w.reshape(8, 24);
  pack<float>(panels, w.view());
  a.reshape(2, 8);
  out.reshape(2, 16);
  EXPECT_THROW(multiply<float>(out.view(), a.view(), panels), Error);
  out.reshape(8, 24);
  EXPECT_THROW(add_transposed_product<float>(out.view(), a.view(), w.view()), Error);
}

TEST(Product, OperationsOfEveryProductAreCounted) {
  Buffer<float> a, w, out, gradient;
  a.reshape(5, 24);
  w.reshape(24, 16);
  out.reshape(5, 16);
  gradient.reshape(24, 16);
  Panels<float> panels;
  pack<float>(panels, w.view());
  const std::uint64_t before = product_operations();
  multiply<float>(out.view(), a.view(), panels);
  EXPECT_EQ(product_operations() - before, 2u * 5 * 24 * 16);
  add_transposed_product<float>(gradient.view(), a.view(), out.view());
  EXPECT_EQ(product_operations() - before, 2u * 2 * 5 * 24 * 16);
}

}  // namespace
}  // namespace vic
