#include "info/entropy_interval.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

namespace vic {
namespace {

double divergence(const std::vector<double>& p, const std::vector<double>& q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += (q[i] - p[i]) * std::log(q[i] / p[i]);
  return sum;
}

std::vector<double> normalised(std::vector<double> p) {
  double sum = 0;
  for (double x : p) sum += x;
  for (double& x : p) x /= sum;
  return p;
}

std::vector<double> random_distribution() {
  std::vector<double> p(*rc::gen::inRange(2, 7));
  for (double& x : p) x = *rc::gen::inRange(1, 1000);
  return normalised(p);
}

// whatever is within the divergence is within the interval
RC_GTEST_PROP(EntropyInterval, ContainsTheEntropyOfEveryNeighbour, ()) {
  const std::vector<double> p = random_distribution();
  std::vector<double> q = p;
  for (double& x : q) x *= std::exp(*rc::gen::inRange(-200, 200) / 100.0);
  q = normalised(q);
  const Interval interval = entropy_interval(p, divergence(p, q) * (1 + 1e-9));
  RC_ASSERT(interval.low <= entropy(q) + 1e-9);
  RC_ASSERT(interval.high >= entropy(q) - 1e-9);
}

// two letters: the neighbours are a line, and its ends can be found by bisection
TEST(EntropyInterval, IsReachedOnTwoLetters) {
  const std::vector<double> p = {0.3, 0.7};
  for (double delta : {1e-8, 1e-4, 0.05}) {
    const auto end = [&](double towards) {
      double inside = 0.3, outside = towards;
      for (int k = 0; k < 200; ++k) {
        const double middle = 0.5 * (inside + outside);
        const std::vector<double> q = {middle, 1 - middle};
        (divergence(p, q) <= delta ? inside : outside) = middle;
      }
      return entropy(std::vector{inside, 1 - inside});
    };
    const Interval interval = entropy_interval(p, delta);
    EXPECT_NEAR(interval.low, end(1e-12), 1e-9 + 1e-4 * std::sqrt(delta));
    EXPECT_NEAR(interval.high, end(0.5), 1e-9 + 1e-4 * std::sqrt(delta));
  }
}

TEST(EntropyInterval, ShrinksWithTheRootOfTheDivergence) {
  const std::vector<double> p = normalised({1, 2, 3, 4, 0});
  const Interval wide = entropy_interval(p, 1e-4), narrow = entropy_interval(p, 1e-8);
  EXPECT_NEAR((wide.high - wide.low) / (narrow.high - narrow.low), 100, 1);
  const Interval none = entropy_interval(p, 0);
  EXPECT_EQ(none.low, none.high);
  // around the uniform distribution entropy is flat
  const std::vector<double> uniform(4, 0.25);
  EXPECT_LT(entropy_interval(uniform, 1e-6).high - entropy_interval(uniform, 1e-6).low, 2e-6);
}

}  // namespace
}  // namespace vic
