#include "nn/lstm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "support/gradient_check.h"

namespace vic::lstm_test {
namespace {

constexpr Index H = 8, X = 7, D = 2;

// a tree with two roots, shared prefixes, and rows without children:
//
//   level 0:  0        1
//   level 1:  2 3 4    5
//   level 2:  6 7   8  (5 has none)
template <class Real>
struct Case {
  std::vector<int> first = {0, 2, 6, 9};
  std::vector<int> parent = {-1, -1, 0, 0, 0, 1, 2, 2, 4};
  std::vector<int> lookup = {-1, 0, -1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 0, 0, 1, 2, 2};
  Buffer<Real> dense = random_matrix<Real>(9, D, 1);
  Buffer<Real> W_h = random_matrix<Real>(H, 4 * H, 2, 0.4);
  Buffer<Real> table = random_matrix<Real>(X, 4 * H, 3, 0.7);
  Buffer<Real> W_d = random_matrix<Real>(D, 4 * H, 4, 0.7);
  Buffer<Real> bias = random_matrix<Real>(1, 4 * H, 5, 0.7);
  Buffer<Real> wanted = random_matrix<Real>(9, H, 6);  // the loss is sum wanted h

  Tree tree() const { return {first, parent}; }
  Inputs<Real> inputs() const { return {2, lookup, dense.view()}; }
  LstmWeights<const Real> weights() {
    return {W_h.view(), {table.view(), W_d.view(), bias.view()}};
  }
};

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

// ----- oracle: one history at a time, from its root, one number after the other ----- //

template <class Real>
std::vector<double> naive_h(Case<Real>& k, int row) {
  std::vector<int> path;
  for (int r = row; r >= 0; r = k.parent[static_cast<std::size_t>(r)]) path.push_back(r);
  std::reverse(path.begin(), path.end());
  std::vector<double> h(H, 0.0), c(H, 0.0);
  for (int r : path) {
    std::vector<double> a(4 * H);
    for (Index j = 0; j < 4 * H; ++j) {
      double sum = static_cast<double>(k.bias.row(0)[j]);
      for (Index i = 0; i < H; ++i) {
        sum += h[static_cast<std::size_t>(i)] * static_cast<double>(k.W_h.row(i)[j]);
      }
      for (Index i = 0; i < D; ++i) sum += static_cast<double>(k.dense.row(r)[i] * k.W_d.row(i)[j]);
      for (int look : std::span(k.lookup).subspan(2 * static_cast<std::size_t>(r), 2)) {
        if (look >= 0) sum += static_cast<double>(k.table.row(look)[j]);
      }
      a[static_cast<std::size_t>(j)] = sum;
    }
    for (std::size_t j = 0; j < H; ++j) {
      c[j] = sigmoid(a[H + j]) * c[j] + sigmoid(a[j]) * std::tanh(a[2 * H + j]);
      h[j] = sigmoid(a[3 * H + j]) * std::tanh(c[j]);
    }
  }
  return h;
}

template <class Real>
void expect_equals_naive(double tolerance) {
  Case<Real> k;
  LstmStates<Real> states;
  lstm_forward(states, k.tree(), k.inputs(), k.weights());
  for (int r = 0; r < 9; ++r) {
    const std::vector<double> h = naive_h(k, r);
    for (Index j = 0; j < H; ++j) {
      EXPECT_NEAR(static_cast<double>(states.h.row(r)[j]), h[static_cast<std::size_t>(j)],
                  tolerance)
          << "row " << r << ", unit " << j;
    }
  }
}

TEST(Lstm, TreeEqualsOneHistoryAtATime) {
  expect_equals_naive<double>(1e-14);
}

TEST(Lstm, FloatAgreesWithDouble) {
  expect_equals_naive<float>(1e-6);
}

template <class Real>
struct Gradients {
  Buffer<Real> W_h, table, W_d, bias;
  LstmDeltas<Real> deltas;
};

template <class Real>
Gradients<Real> gradients(Case<Real>& k) {
  Gradients<Real> g{
      zeros_like(k.W_h), zeros_like(k.table), zeros_like(k.W_d), zeros_like(k.bias), {}};
  LstmStates<Real> states;
  lstm_forward(states, k.tree(), k.inputs(), k.weights());
  g.deltas.dh = k.wanted;
  const LstmWeights<Real> dweights = {g.W_h.view(), {g.table.view(), g.W_d.view(), g.bias.view()}};
  lstm_backward(g.deltas, dweights, k.tree(), states, k.inputs(), k.weights());
  return g;
}

TEST(Lstm, GradientsMatchFiniteDifferences) {
  Case<double> k;
  const Gradients<double> g = gradients(k);
  LstmStates<double> states;
  const auto loss = [&] {
    lstm_forward(states, k.tree(), k.inputs(), k.weights());
    return inner_product(states.h.view(), k.wanted.view());
  };
  expect_gradient(loss, k.W_h, g.W_h);
  expect_gradient(loss, k.table, g.table);
  expect_gradient(loss, k.W_d, g.W_d);
  expect_gradient(loss, k.bias, g.bias);
}

TEST(Lstm, FloatGradientsAgreeWithDouble) {
  Case<float> single;
  Case<double> k;
  const Gradients<float> f = gradients(single);
  const Gradients<double> d = gradients(k);
  for (Index i = 0; i < d.W_h.view().size(); ++i) {
    EXPECT_NEAR(static_cast<double>(f.W_h.row(0)[i]), d.W_h.row(0)[i], 1e-5);
  }
  for (Index i = 0; i < d.table.view().size(); ++i) {
    EXPECT_NEAR(static_cast<double>(f.table.row(0)[i]), d.table.row(0)[i], 1e-5);
  }
}

// the same histories with nothing shared: every row is copied once for each of its leaves
TEST(Lstm, SharedPrefixesGiveTheGradientsOfSeparateTrajectories) {
  Case<double> k;
  // the weight of a row is the number of trajectories through it
  const std::vector<std::vector<int>> paths = {{0, 2, 6}, {0, 2, 7}, {0, 4, 8}, {0, 3}, {1, 5}};
  std::vector<double> count(9, 0.0);
  Buffer<double> wanted = k.wanted;
  for (const auto& path : paths) {
    for (int r : path) count[static_cast<std::size_t>(r)] += 1;
  }
  for (Index r = 0; r < 9; ++r) {
    for (Index j = 0; j < H; ++j) k.wanted.row(r)[j] *= count[static_cast<std::size_t>(r)];
  }
  const Gradients<double> shared = gradients(k);

  Buffer<double> sum_W_h = zeros_like(k.W_h), sum_table = zeros_like(k.table);
  for (const auto& path : paths) {
    Case<double> one;
    one.first = {0};
    one.parent.clear();
    one.lookup.clear();
    const auto T = static_cast<Index>(path.size());
    one.dense.reshape(T, D);
    one.wanted.reshape(T, H);
    for (Index t = 0; t < T; ++t) {
      const int r = path[static_cast<std::size_t>(t)];
      one.first.push_back(static_cast<int>(t) + 1);
      one.parent.push_back(static_cast<int>(t) - 1);
      for (int look : std::span(k.lookup).subspan(2 * static_cast<std::size_t>(r), 2)) {
        one.lookup.push_back(look);
      }
      std::copy_n(k.dense.row(r), D, one.dense.row(t));
      std::copy_n(wanted.row(r), H, one.wanted.row(t));
    }
    const Gradients<double> g = gradients(one);
    for (Index i = 0; i < sum_W_h.view().size(); ++i) sum_W_h.row(0)[i] += g.W_h.row(0)[i];
    for (Index i = 0; i < sum_table.view().size(); ++i) sum_table.row(0)[i] += g.table.row(0)[i];
  }
  for (Index i = 0; i < sum_W_h.view().size(); ++i) {
    EXPECT_NEAR(shared.W_h.row(0)[i], sum_W_h.row(0)[i], 1e-12);
  }
  for (Index i = 0; i < sum_table.view().size(); ++i) {
    EXPECT_NEAR(shared.table.row(0)[i], sum_table.row(0)[i], 1e-12);
  }
}

TEST(Lstm, LevelByLevelGivesTheSameBitsAsAllAtOnce) {
  Case<float> k;
  LstmStates<float> all, grown;
  lstm_forward(all, k.tree(), k.inputs(), k.weights());
  for (std::size_t t = 0; t < 3; ++t) {
    const Tree so_far = {std::span(k.first).first(t + 2),
                         std::span(k.parent).first(static_cast<std::size_t>(k.first[t + 1]))};
    lstm_forward_level(grown, so_far, static_cast<int>(t), k.inputs(), k.weights());
  }
  ASSERT_EQ(grown.h.rows(), 9);
  for (Index i = 0; i < 9 * H; ++i) EXPECT_EQ(all.h.row(0)[i], grown.h.row(0)[i]);
}

TEST(Lstm, RefusesAParentThatIsNotOfTheLevelBefore) {
  Case<double> k;
  LstmStates<double> states;
  k.parent[6] = 1;
  EXPECT_THROW(lstm_forward(states, k.tree(), k.inputs(), k.weights()), Error);
}

}  // namespace
}  // namespace vic::lstm_test
