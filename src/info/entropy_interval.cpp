#include "info/entropy_interval.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vic {
namespace {

// With q = p x, the largest H(q) is the maximum of sum p (-x log p - x log x) where sum p x = 1 and
// sum p (x - 1) log x <= divergence. For every nu and every lambda >= 0 it is at most
//
//   lambda divergence + nu + sum p max_x [-x log p - x log x - nu x - lambda (x - 1) log x].
//
// The smallest is at least the same with max replaced by min and lambda by -lambda, where the
// brackets are convex for lambda >= 1. `side` is 1 for the first and -1 for the second.
class Dual {
 public:
  Dual(std::vector<double> p, double divergence, double side)
      : p_(std::move(p)), divergence_(divergence), side_(side) {}

  // The bound for this lambda, with the best nu: the one for which sum p x = 1.
  double operator()(double lambda) const {
    double low = -60, high = 60;
    for (int k = 0; k < 100; ++k) {
      const double nu = 0.5 * (low + high);
      double sum = 0;
      for (double p : p_) sum += p * stationary(p, lambda, nu);
      // x falls with nu on the upper side, and rises on the lower one
      (side_ * (sum - 1) > 0 ? low : high) = nu;
    }
    return bound(lambda, 0.5 * (low + high));
  }

 private:
  double bound(double lambda, double nu) const {
    double sum = side_ * lambda * divergence_ + nu;
    for (double p : p_) {
      const double x = stationary(p, lambda, nu);
      sum += p *
             (-x * std::log(p) - x * std::log(x) - nu * x - side_ * lambda * (x - 1) * std::log(x));
    }
    return sum;
  }

  // where the derivative of a bracket vanishes:
  //   -log p - log x - 1 - nu - side lambda (log x + 1 - 1 / x) = 0
  double stationary(double p, double lambda, double nu) const {
    // in y = log x the equation a y - b exp(-y) = c is monotone
    const double a = lambda + side_, b = lambda;
    const double c = side_ * (-std::log(p) - 1 - nu) - lambda;
    double low = -700, high = 700;
    double y = 0;
    for (int k = 0; k < 200 && high - low > 1e-15; ++k) {
      const double value = a * y - b * std::exp(-y) - c;
      (value > 0 ? high : low) = y;
      const double newton = y - value / (a + b * std::exp(-y));
      if (newton == y) break;
      y = newton > low && newton < high ? newton : 0.5 * (low + high);
    }
    return std::exp(y);
  }

  std::vector<double> p_;
  double divergence_;
  double side_;
};

// the best bound over lambda: it is unimodal in log lambda
double best_bound(const Dual& dual, double guess, double side, double least) {
  double low = std::max(std::log(least), std::log(guess) - 3), high = std::log(guess) + 3;
  high = std::max(high, low + 1);
  for (int k = 0; k < 40; ++k) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (side * dual(std::exp(left)) < side * dual(std::exp(right))) {
      high = right;
    } else {
      low = left;
    }
  }
  return dual(std::exp(0.5 * (low + high)));
}

}  // namespace

Interval entropy_interval(std::span<const double> p, double divergence) {
  std::vector<double> positive;
  for (double x : p) {
    if (x > 0) positive.push_back(x);
  }
  const double H = entropy(positive), largest = std::log(static_cast<double>(positive.size()));
  if (divergence <= 0) return {H, H};
  // to first order H changes by sqrt(divergence) times the spread of log p
  double spread = 0;
  for (double x : positive) spread += x * (std::log(x) + H) * (std::log(x) + H);
  const double guess = std::max(1e-3, std::sqrt(spread / divergence) / 2);
  const double low = best_bound({positive, divergence, -1}, guess, -1, 1 + 1e-9);
  const double high = best_bound({positive, divergence, 1}, guess, 1, 1e-9);
  return {std::clamp(low, 0.0, H), std::clamp(high, H, largest)};
}

}  // namespace vic
