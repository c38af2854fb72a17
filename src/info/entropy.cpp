#include "info/entropy.h"

#include <cmath>
#include <limits>

namespace vic {

double x_log_x(double x) {
  return x > 0 ? x * std::log(x) : 0;
}

double entropy(std::span<const double> p) {
  double sum = 0;
  for (double x : p) sum -= x_log_x(x);
  return sum;
}

double kl_divergence(std::span<const double> p, std::span<const double> q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] > 0) sum += p[i] * std::log(p[i] / q[i]);
  }
  return sum;
}

double log_sum_exp(std::span<const double> x, std::span<const double> weight) {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (weight[i] > 0 && x[i] > largest) largest = x[i];
  }
  if (!std::isfinite(largest)) return largest;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (weight[i] > 0) sum += weight[i] * std::exp(x[i] - largest);
  }
  return largest + std::log(sum);
}

}  // namespace vic
