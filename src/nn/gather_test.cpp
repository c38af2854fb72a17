#include "nn/gather.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"
#include "support/gradient_check.h"

namespace vic::gather_test {
namespace {

constexpr Index N = 3, M = 40, X = 6;

// plain numbers that are added with their row, and by a product
constexpr Index few = 2, many = 6;

// many look-ups, some absent, so that the sum takes more than one round
struct Case {
  explicit Case(Index numbers) : D(numbers) {}

  Index K = 9, D;
  std::vector<int> lookup = {0, 1,  2,  3,  4,  5,  5,  0,  1,  -1, -1, 3,  -1, -1,
                             2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  Buffer<double> dense = random_matrix<double>(N, D, 1);
  Buffer<double> table = random_matrix<double>(X, M, 2);
  Buffer<double> W = random_matrix<double>(D, M, 3);
  Buffer<double> bias = random_matrix<double>(1, M, 4);
  Buffer<double> product = random_matrix<double>(1, M, 5);

  Inputs<double> inputs() const { return {K, lookup, dense.view()}; }
  InputWeights<const double> weights() { return {table.view(), W.view(), bias.view()}; }
};

// all rows, (N, M)
Buffer<double> gathered(Case& c) {
  Buffer<double> y;
  y.reshape(N, M);
  for (Index n = 0; n < N; ++n) {
    gather_row(y.row(n), c.product.row(0), n, c.inputs(), c.weights());
  }
  Panels<double> panels;
  pack<double>(panels, c.W.view());
  add_numbers<double>(y.view(), {0, N}, c.inputs(), panels);
  return y;
}

void expect_sums(Case c) {
  const Buffer<double> y = gathered(c);
  for (Index n = 0; n < N; ++n) {
    for (Index j = 0; j < M; ++j) {
      double want = c.bias.row(0)[j] + c.product.row(0)[j];
      for (Index k = 0; k < c.K; ++k) {
        const int row = c.lookup[static_cast<std::size_t>(n * c.K + k)];
        if (row >= 0) want += c.table.row(row)[j];
      }
      for (Index i = 0; i < c.D; ++i) want += c.dense.row(n)[i] * c.W.row(i)[j];
      EXPECT_NEAR(y.row(n)[j], want, 1e-12);
    }
  }
}

TEST(Gather, AddsBiasProductLookupsAndPlainInputs) {
  expect_sums(Case(few));
  expect_sums(Case(many));
}

void expect_derivative(Case c) {
  const Buffer<double> dy = random_matrix<double>(N, M, 6);
  Buffer<double> dtable = zeros_like(c.table), dW = zeros_like(c.W), dbias = zeros_like(c.bias);
  Buffer<double> dproduct = zeros_like(c.product);
  const InputWeights<double> dweights = {dtable.view(), dW.view(), dbias.view()};
  for (Index n = 0; n < N; ++n) {
    scatter_row(dproduct.row(0), dweights, dy.row(n), n, c.inputs());
  }
  scatter_numbers<double>(dweights, dy.view(), {0, N}, c.inputs());
  const auto loss = [&] {
    const Buffer<double> y = gathered(c);
    return inner_product(y.view(), dy.view());
  };
  expect_gradient(loss, c.table, dtable);
  expect_gradient(loss, c.W, dW);
  expect_gradient(loss, c.bias, dbias);
  expect_gradient(loss, c.product, dproduct);
}

TEST(Gather, ScatterIsItsDerivative) {
  expect_derivative(Case(few));
  expect_derivative(Case(many));
}

TEST(Gather, RefusesWhatDoesNotFit) {
  Case c(few);
  EXPECT_NO_THROW(check_inputs({0, N}, c.inputs(), c.weights()));
  EXPECT_THROW(check_inputs({0, N + 1}, c.inputs(), c.weights()), Error);
  c.lookup[4] = static_cast<int>(X);
  EXPECT_THROW(check_inputs({0, N}, c.inputs(), c.weights()), Error);
  EXPECT_NO_THROW(check_inputs({1, N}, c.inputs(), c.weights()));
  c.bias = random_matrix<double>(1, M + 1, 4);
  EXPECT_THROW(check_inputs({1, N}, c.inputs(), c.weights()), Error);
}

}  // namespace
}  // namespace vic::gather_test
