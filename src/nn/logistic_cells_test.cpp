#include "nn/logistic_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "support/gradient_check.h"

namespace vic::logistic_cells_test {
namespace {

LogisticCells head_in(Index d) {
  LogisticCells head = {.n = 5};
  const std::vector<CellAxis> axes = {{.bins = 9, .reach = 6, .spread = 2},
                                      {.bins = 5, .reach = 2, .spread = 0.5},
                                      {.bins = 2, .reach = 1, .spread = 1}};
  head.axes.assign(axes.begin(), axes.begin() + d);
  return head;
}

// three queries, the last of them outside the grid; every cell is a target under each of them
template <class Real>
struct Case {
  LogisticCells head;
  Buffer<Real> outputs, doutputs, at;
  std::vector<Real> left = {Real{1}, static_cast<Real>(0.3), static_cast<Real>(0.02)};
  std::vector<int> query, cell;
  std::vector<Real> scale, log_p, w, expected = std::vector<Real>(3);
  LogisticCellsScratch<Real> scratch;

  explicit Case(const LogisticCells& wanted) : head(wanted) {
    // the same numbers in float and in double
    outputs.reshape(3, round_up(head.outputs(), 16));
    at.reshape(3, head.d());
    copy(outputs, random_matrix<float>(3, outputs.cols(), 1));
    copy(at, random_matrix<float>(3, head.d(), 2));
    for (Index j = 0; j < head.d(); ++j) {
      at.row(0)[j] += static_cast<Real>(head.axis(j).bins / 2);
      at.row(2)[j] += static_cast<Real>(head.axis(j).bins + 1);
    }
    doutputs = zeros_like(outputs);
    for (int q = 0; q < 3; ++q) {
      for (int c = 0; c < head.cells(); ++c) {
        query.push_back(q);
        cell.push_back(c);
        scale.push_back(static_cast<Real>(1 + c % 3) / 16);
      }
    }
    log_p.resize(query.size());
    for (int c = 0; c < head.cells(); ++c) w.push_back(static_cast<Real>(c * 37 % 101) / 8);
  }
  static void copy(Buffer<Real>& to, const Buffer<float>& from) {
    const MatrixView<const float> view = from.view();
    std::transform(view.data, view.data + view.size(), to.row(0),
                   [](float x) { return static_cast<Real>(x); });
  }

  CellQueries<Real> queries() const { return {outputs.view(), at.view(), left}; }
  void score() { logistic_cells_log_p<Real>(log_p, scratch, queries(), {query, cell}, head); }
  void differentiate() {
    logistic_cells_backward<Real>(doutputs.view(), scratch, queries(), {query, cell}, scale, head);
  }
  void expect() { logistic_cells_expectation<Real>(expected, scratch, queries(), w, head); }
};

// ----- oracle: the probability by its definition ----- //

long double logistic(long double x) {
  return 1 / (1 + std::exp(-x));
}

// the logistic distribution between two points; on the right it is that of its mirror image, so
// that no difference of ones is taken
long double between(long double low, long double high) {
  return low > 0 ? logistic(-low) - logistic(-high) : logistic(high) - logistic(low);
}

template <class Real>
long double naive_p(const Case<Real>& c, int q, Index cell) {
  const Index n = c.head.n, d = c.head.d();
  const Real* out = c.outputs.row(q);
  const long double left = c.left[static_cast<std::size_t>(q)];
  long double p = 0, total = 0;
  for (Index k = 0; k < n; ++k) {
    long double product = std::exp(static_cast<long double>(out[k]));
    total += product;
    Index rest = cell;
    for (Index j = d - 1; j >= 0; --j) {
      const CellAxis& axis = c.head.axis(j);
      const auto bin = static_cast<long double>(rest % axis.bins);
      rest /= axis.bins;
      const long double m = out[n + k * d + j], v = out[n + n * d + k * d + j];
      const long double centre = c.at.row(q)[j] + axis.reach * left * m;
      const long double width =
          c.head.smallest + axis.spread * std::sqrt(left) * std::exp(4 * std::tanh(v / 4));
      const long double low = bin == 0 ? -INFINITY : (bin - 0.5L - centre) / width;
      const bool last = bin == static_cast<long double>(axis.bins - 1);
      product *= between(low, last ? INFINITY : (bin + 0.5L - centre) / width);
    }
    p += product;
  }
  return p / total;
}

template <class Real>
double naive_loss(const Case<Real>& c) {
  long double sum = 0;
  for (std::size_t m = 0; m < c.query.size(); ++m) {
    sum -= c.scale[m] * std::log(naive_p(c, c.query[m], c.cell[m]));
  }
  return static_cast<double>(sum);
}

class LogisticCellsIn : public testing::TestWithParam<Index> {};

TEST_P(LogisticCellsIn, LogProbabilityEqualsTheDefinition) {
  Case<double> c(head_in(GetParam()));
  c.score();
  for (std::size_t m = 0; m < c.query.size(); ++m) {
    const double want = static_cast<double>(std::log(naive_p(c, c.query[m], c.cell[m])));
    EXPECT_NEAR(c.log_p[m], want, 1e-12 * (1 + std::abs(want))) << "target " << m;
  }
}

template <class Real>
void expect_sum_of_one(Index d, double tolerance) {
  Case<Real> c(head_in(d));
  c.score();
  double sum[3] = {};
  for (std::size_t m = 0; m < c.query.size(); ++m) {
    sum[c.query[m]] += std::exp(static_cast<double>(c.log_p[m]));
  }
  std::fill(c.w.begin(), c.w.end(), Real{1});
  c.expect();
  for (std::size_t q = 0; q < 3; ++q) {
    EXPECT_NEAR(sum[q], 1, tolerance);
    EXPECT_NEAR(static_cast<double>(c.expected[q]), 1, tolerance);
  }
}

TEST_P(LogisticCellsIn, TheCellsSumToOne) {
  expect_sum_of_one<double>(GetParam(), 1e-12);
  expect_sum_of_one<float>(GetParam(), 1e-6);
}

TEST_P(LogisticCellsIn, GradientMatchesFiniteDifferences) {
  Case<double> c(head_in(GetParam()));
  fill_random(c.doutputs.view(), 3);  // padding is set, too
  c.differentiate();
  expect_gradient([&] { return naive_loss(c); }, c.outputs, c.doutputs, 1e-8);
}

TEST_P(LogisticCellsIn, ExpectationEqualsTheSumOverCells) {
  Case<double> c(head_in(GetParam()));
  Case<float> f(head_in(GetParam()));
  c.expect();
  f.expect();
  for (int q = 0; q < 3; ++q) {
    const auto i = static_cast<std::size_t>(q);
    long double want = 0;
    for (std::size_t cell = 0; cell < c.w.size(); ++cell) {
      want += c.w[cell] * naive_p(c, q, static_cast<Index>(cell));
    }
    EXPECT_NEAR(c.expected[i], static_cast<double>(want), 1e-12);
    EXPECT_NEAR(f.expected[i], static_cast<double>(want), 1e-5);
  }
}

TEST_P(LogisticCellsIn, FloatAgreesWithDouble) {
  Case<double> d(head_in(GetParam()));
  Case<float> f(head_in(GetParam()));
  d.score();
  f.score();
  d.differentiate();
  f.differentiate();
  for (std::size_t m = 0; m < d.query.size(); ++m) {
    EXPECT_NEAR(f.log_p[m], d.log_p[m], 2e-6 * (1 + std::abs(d.log_p[m])));
  }
  for (Index i = 0; i < d.doutputs.view().size(); ++i) {
    const double want = d.doutputs.row(0)[i];
    EXPECT_NEAR(f.doutputs.row(0)[i], want, 1e-5 * (1 + std::abs(want)));
  }
}

// at outputs of 0, anywhere in the inner three fifths of the cell
TEST_P(LogisticCellsIn, WhereNoTimeIsLeftItEndsInThePresentCell) {
  Case<double> c(head_in(GetParam()));
  c.outputs.view().set_zero();
  c.left = {1e-6, 1e-6, 0};
  Index present = 0;
  for (Index j = 0; j < c.head.d(); ++j) {
    present = present * c.head.axis(j).bins + 1;
    for (Index q = 0; q < 3; ++q) c.at.row(q)[j] = 0.7 + 0.3 * static_cast<double>(q);
  }
  c.score();
  for (std::size_t m = 0; m < c.query.size(); ++m) {
    if (c.cell[m] != present) continue;
    EXPECT_GT(std::exp(c.log_p[m]), 0.9) << "query " << c.query[m];
  }
}

// the same components, with and without falls: a fall has the mass of its bin, wherever it happens
TEST(LogisticCells, AFallIsOneCellWhereverItHappens) {
  LogisticCells plain = head_in(3), falls;
  plain.axes.back().bins = 3;
  falls = plain;
  falls.falls = true;
  Case<double> all(plain), c(falls);
  all.score();
  c.score();
  const int cells = static_cast<int>(plain.cells());
  for (int q = 0; q < 3; ++q) {
    double bin[3] = {};
    for (int i = 0; i < cells; ++i) bin[i % 3] += std::exp(all.log_p[q * cells + i]);
    for (int i = 0; i < cells; ++i) {
      const bool fall = i % 3 != 1;
      EXPECT_EQ(falls.is_fall(i), fall);
      EXPECT_EQ(falls.representative(i), fall ? i % 3 : i);
      const double want = fall ? std::log(bin[i % 3]) : all.log_p[q * cells + i];
      EXPECT_NEAR(c.log_p[q * cells + i], want, 1e-12 * (1 + std::abs(want)));
    }
  }
  const auto loss = [&] {
    c.score();
    double sum = 0;
    for (std::size_t m = 0; m < c.query.size(); ++m) sum -= c.scale[m] * c.log_p[m];
    return sum;
  };
  c.differentiate();
  expect_gradient(loss, c.outputs, c.doutputs, 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, LogisticCellsIn, testing::Values(1, 2, 3));

template <class Real>
class LogisticCellsOf : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(LogisticCellsOf, Reals);

// far from every centre each further bin costs 1 / width, however small p is
TYPED_TEST(LogisticCellsOf, TailsFallEvenlyAndStayFinite) {
  Case<TypeParam> c({.n = 3, .axes = {{.bins = 2000}}});
  c.outputs.view().set_zero();
  c.left = {TypeParam{0}, TypeParam{0}, TypeParam{0}};
  for (Index q = 0; q < 3; ++q) c.at.row(q)[0] = 1;
  c.score();
  c.differentiate();
  for (std::size_t cell = 3; cell < 1998; ++cell) {
    const double fall = static_cast<double>(c.log_p[cell] - c.log_p[cell + 1]);
    ASSERT_NEAR(fall, 20, 0.01) << "cell " << cell;
  }
  // the last bin has the tail beyond it, e^-20 of its mass more
  EXPECT_NEAR(static_cast<double>(c.log_p[1998] - c.log_p[1999]), 20, 0.01);
  for (Index i = 0; i < c.doutputs.view().size(); ++i) {
    EXPECT_TRUE(std::isfinite(c.doutputs.row(0)[i]));
  }
}

// all but one of the components are so far off that their probabilities underflow
TYPED_TEST(LogisticCellsOf, OneComponentMayDoAllTheWork) {
  Case<TypeParam> c({.n = 3, .axes = {{.bins = 200}, {.bins = 200}}});
  c.outputs.view().set_zero();
  c.left = {TypeParam{1}, TypeParam{1}, TypeParam{1}};
  for (Index i = 0; i < 2; ++i) {
    for (Index q = 0; q < 3; ++q) {
      c.at.row(q)[i] = 50;
      c.outputs.row(q)[3 + i] = static_cast<TypeParam>(1e4);
      c.outputs.row(q)[5 + i] = static_cast<TypeParam>(-1e4);
    }
  }
  c.query = {0};
  c.cell = {50 * 200 + 51};
  c.scale = {TypeParam{1}};
  c.log_p.resize(1);
  c.score();
  EXPECT_NEAR(static_cast<double>(c.log_p[0]),
              static_cast<double>(std::log(naive_p(c, 0, c.cell[0]))), 2e-6);
  c.differentiate();
  EXPECT_NEAR(static_cast<double>(c.doutputs.view()(0, 2)), -2.0 / 3, 1e-6);
}

TYPED_TEST(LogisticCellsOf, AQueryDoesNotDependOnItsNeighbours) {
  Case<TypeParam> all(head_in(2)), one(head_in(2));
  all.score();
  all.expect();
  TypeParam expected = 0, log_p = 0;
  const std::vector<int> query = {0}, cell = {7};
  const CellQueries<TypeParam> alone = {
      one.outputs.view().slice(1, 2), one.at.view().slice(1, 2), {&one.left[1], 1}};
  logistic_cells_expectation<TypeParam>({&expected, 1}, one.scratch, alone, one.w, one.head);
  logistic_cells_log_p<TypeParam>({&log_p, 1}, one.scratch, alone, {query, cell}, one.head);
  EXPECT_EQ(expected, all.expected[1]);
  EXPECT_EQ(log_p, all.log_p[static_cast<std::size_t>(one.head.cells() + 7)]);
}

TYPED_TEST(LogisticCellsOf, EachQueryMayHaveATableOfItsOwn) {
  Case<TypeParam> all(head_in(2));
  const std::size_t Q = all.expected.size();
  // the table, and twice the table
  std::vector<TypeParam> tables = all.w, expected(Q);
  for (const TypeParam x : all.w) tables.push_back(2 * x);
  std::vector<int> table(Q);
  for (std::size_t q = 0; q < Q; ++q) table[q] = static_cast<int>(q % 2);
  all.expect();
  logistic_cells_expectation<TypeParam>(expected, all.scratch, all.queries(), tables, all.head,
                                        table);
  for (std::size_t q = 0; q < Q; ++q) {
    EXPECT_EQ(expected[q], static_cast<TypeParam>(1 + table[q]) * all.expected[q]);
  }
}

TEST(LogisticCells, RefusesWhatCannotBe) {
  const auto refuses = [](auto change) {
    Case<double> c(head_in(2));
    change(c);
    EXPECT_THROW(c.score(), Error);
    EXPECT_THROW(c.differentiate(), Error);
  };
  refuses([](Case<double>& c) { c.query[0] = 3; });
  refuses([](Case<double>& c) { c.cell[0] = -1; });
  refuses([](Case<double>& c) { c.cell[0] = static_cast<int>(c.head.cells()); });
  refuses([](Case<double>& c) { c.cell.pop_back(); });
  refuses([](Case<double>& c) { c.left[1] = 1.5; });
  refuses([](Case<double>& c) { c.left.pop_back(); });
  refuses([](Case<double>& c) { c.at.reshape(3, 1); });
  refuses([](Case<double>& c) { c.outputs.reshape(3, c.head.outputs() - 1); });
  refuses([](Case<double>& c) { c.head.smallest = 0; });
  refuses([](Case<double>& c) { c.head.axes.clear(); });
  Case<double> c(head_in(2));
  c.w.pop_back();
  EXPECT_THROW(c.expect(), Error);
  c.doutputs.reshape(2, c.outputs.cols());
  EXPECT_THROW(c.differentiate(), Error);
}

}  // namespace
}  // namespace vic::logistic_cells_test
