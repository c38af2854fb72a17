#include "nn/dense.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "support/gradient_check.h"

namespace vic {
namespace {

TEST(Dense, GradientsMatchFiniteDifferences) {
  constexpr Index N = 5, D = 8, M = 16;
  Buffer<double> x = random_matrix<double>(N, D, 1), W = random_matrix<double>(D, M, 2);
  Buffer<double> b = random_matrix<double>(1, M, 3);
  const Buffer<double> dy = random_matrix<double>(N, M, 4);
  Panels<double> scratch;
  Buffer<double> y, dx, dW = zeros_like(W), db = zeros_like(b);
  y.reshape(N, M);
  const auto loss = [&] {
    dense_forward<double>(y.view(), scratch, x.view(), {W.view(), b.view()});
    return inner_product(y.view(), dy.view());
  };
  loss();
  // the plain formula
  for (Index n = 0; n < N; ++n) {
    for (Index j = 0; j < M; ++j) {
      double want = b.row(0)[j];
      for (Index i = 0; i < D; ++i) want += x.row(n)[i] * W.row(i)[j];
      EXPECT_NEAR(y.row(n)[j], want, 1e-12);
    }
  }
  dense_backward<double>(dx, {dW.view(), db.view()}, scratch, dy.view(), x.view(),
                         {W.view(), b.view()});
  expect_gradient(loss, x, dx);
  expect_gradient(loss, W, dW);
  expect_gradient(loss, b, db);
}

TEST(Dense, HandsOverEveryRowOnceItIsComputed) {
  constexpr Index N = 101, D = 8, M = 16;
  const Buffer<double> x = random_matrix<double>(N, D, 1), W = random_matrix<double>(D, M, 2);
  const Buffer<double> b = random_matrix<double>(1, M, 3);
  Panels<double> scratch;
  Buffer<double> y, then;
  y.reshape(N, M);
  then.reshape(N, M);
  Index next = 0;
  dense_forward<double>(y.view(), scratch, x.view(), {W.view(), b.view()}, [&](RowRange rows) {
    EXPECT_EQ(rows.begin, next);
    EXPECT_GT(rows.end, rows.begin);
    std::copy_n(y.row(rows.begin), (rows.end - rows.begin) * M, then.row(rows.begin));
    next = rows.end;
  });
  EXPECT_EQ(next, N);
  EXPECT_TRUE(std::equal(y.row(0), y.row(N - 1) + M, then.row(0)));
}

// four rows, of which one has no query and one has three
template <class Real>
struct HiddenCase {
  static constexpr Index N = 4, H = 8, M = 16, Q = 6, X = 3, D = 1;
  std::vector<int> row = {0, 1, 1, 3, 1, 0};
  std::vector<int> lookup = {0, 1, 2, -1, 0, 2};
  Buffer<Real> h = random_matrix<Real>(N, H, 1);
  Buffer<Real> dense = random_matrix<Real>(Q, D, 2);
  Buffer<Real> W = random_matrix<Real>(H, M, 3, 0.5);
  Buffer<Real> table = random_matrix<Real>(X, M, 4, 0.5);
  Buffer<Real> W_d = random_matrix<Real>(D, M, 5, 0.5);
  Buffer<Real> bias = random_matrix<Real>(1, M, 6, 0.5);
  Buffer<Real> dy = random_matrix<Real>(Q, M, 7);
  Buffer<Real> dh = zeros_like(h), dW = zeros_like(W), dtable = zeros_like(table);
  Buffer<Real> dW_d = zeros_like(W_d), dbias = zeros_like(bias);
  HiddenStates<Real> states;

  Inputs<Real> inputs() const { return {1, lookup, dense.view()}; }
  HiddenWeights<const Real> weights() {
    return {W.view(), {table.view(), W_d.view(), bias.view()}};
  }
  HiddenWeights<Real> dweights() { return {dW.view(), {dtable.view(), dW_d.view(), dbias.view()}}; }
  void forward() {
    states.forget_rows();
    hidden_product<Real>(states, h.view(), weights());
    hidden_forward<Real>(states, row, inputs(), weights());
  }
  void backward() {
    hidden_backward<Real>(dh.view(), dweights(), states, dy.view(), h.view(), row, inputs(),
                          weights());
  }
};

TEST(Hidden, EqualsTheFormula) {
  HiddenCase<double> c;
  c.forward();
  for (Index q = 0; q < c.Q; ++q) {
    const auto i = static_cast<std::size_t>(q);
    for (Index j = 0; j < c.M; ++j) {
      double sum = c.bias.row(0)[j] + c.dense.row(q)[0] * c.W_d.row(0)[j];
      if (c.lookup[i] >= 0) sum += c.table.row(c.lookup[i])[j];
      for (Index k = 0; k < c.H; ++k) sum += c.h.row(c.row[i])[k] * c.W.row(k)[j];
      EXPECT_NEAR(c.states.y.row(q)[j], std::tanh(sum), 1e-14);
    }
  }
}

TEST(Hidden, GradientsMatchFiniteDifferences) {
  HiddenCase<double> c;
  const auto loss = [&] {
    c.forward();
    return inner_product(c.states.y.view(), c.dy.view());
  };
  loss();
  c.backward();
  expect_gradient(loss, c.h, c.dh);
  expect_gradient(loss, c.W, c.dW);
  expect_gradient(loss, c.table, c.dtable);
  expect_gradient(loss, c.W_d, c.dW_d);
  expect_gradient(loss, c.bias, c.dbias);
}

TEST(Hidden, FloatAgreesWithDouble) {
  HiddenCase<double> d;
  HiddenCase<float> f;
  d.forward();
  f.forward();
  d.backward();
  f.backward();
  for (Index i = 0; i < d.dW.view().size(); ++i) {
    EXPECT_NEAR(static_cast<double>(f.dW.row(0)[i]), d.dW.row(0)[i], 1e-5);
  }
  for (Index i = 0; i < d.dh.view().size(); ++i) {
    EXPECT_NEAR(static_cast<double>(f.dh.row(0)[i]), d.dh.row(0)[i], 1e-5);
  }
}

TEST(Hidden, RefusesAQueryOfARowThatIsNotThere) {
  HiddenCase<double> c;
  c.row[2] = 4;
  EXPECT_THROW(c.forward(), Error);
}

}  // namespace
}  // namespace vic
