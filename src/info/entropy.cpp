#include "info/entropy.h"

#include <algorithm>
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

EntropyEstimate estimate_entropy(std::span<const long> counts) {
  double n = 0, cells = 0, plug_in = 0, square = 0;
  for (long count : counts) n += static_cast<double>(count);
  if (n == 0) return {};
  for (long count : counts) {
    if (count == 0) continue;
    const double p = static_cast<double>(count) / n, log_p = std::log(p);
    cells += 1;
    plug_in -= p * log_p;
    square += p * log_p * log_p;
  }
  // the plug-in entropy is too low by about (cells - 1) / 2n; its standard error is that of the
  // mean of -log p, and a second term is what is left where that vanishes
  const double bias = (cells - 1) / (2 * n);
  const double variance = std::max(0.0, square - plug_in * plug_in) / n + bias / n;
  return {plug_in + bias, 1.96 * std::sqrt(variance)};
}

Interval wilson_interval(double p, double n) {
  constexpr double z = 1.96;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  // at the ends the two agree up to rounding, and must not leave the estimate outside
  return {std::min(p, std::max(0.0, middle - half)), std::max(p, std::min(1.0, middle + half))};
}

}  // namespace vic
