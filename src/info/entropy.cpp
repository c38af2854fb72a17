#include "info/entropy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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

namespace {

// statistics of n draws
struct Drawn {
  double n = 0, states = 0, once = 0, twice = 0;
  double plug_in = 0;  // -sum p log p of the shares
  double square = 0;   // sum p (log p)^2
};

Drawn drawn_of(std::span<const long> counts) {
  Drawn drawn;
  for (long count : counts) drawn.n += static_cast<double>(count);
  for (long count : counts) {
    if (count == 0) continue;
    const double p = static_cast<double>(count) / drawn.n, log_p = std::log(p);
    drawn.states += 1;
    drawn.once += count == 1;
    drawn.twice += count == 2;
    drawn.plug_in -= p * log_p;
    drawn.square += p * log_p * log_p;
  }
  return drawn;
}

// sum_j>0 x^j / (n - 1 + j) for x = 1 - A: the part of H that is due to states not drawn, per share
// of draws that are single
double tail(double A, double n) {
  if (A >= 1) return 0;
  const double x = 1 - A;
  double sum = 0, power = 1;
  constexpr double many = 20;
  if (A * n < many) {
    // the series of -log A without its first terms
    for (double r = 1; r < n; ++r) sum += (power *= x) / r;
    return (-std::log(A) - sum) / power;
  }
  constexpr double nothing = 1e-18;
  for (double j = 1; power > nothing; ++j) sum += (power *= x) / (n - 1 + j);
  return sum;
}

// equation 6 of Chao, Wang and Jost
double chao_wang_jost(const Drawn& drawn, std::span<const long> counts) {
  const double n = drawn.n;
  std::vector<double> harmonic = {0};  // (n) 1 + 1/2 + ... + 1/k
  for (double k = 1; k < n; ++k) harmonic.push_back(harmonic.back() + 1 / k);
  double H = 0;
  for (long count : counts) {
    if (count == 0) continue;
    H += static_cast<double>(count) / n * (harmonic.back() - harmonic[count - 1]);
  }
  if (drawn.once == 0) return H;
  const double A = drawn.twice > 0 ? 2 * drawn.twice / ((n - 1) * drawn.once + 2 * drawn.twice)
                                   : 2 / ((n - 1) * (drawn.once - 1) + 2);
  return H + drawn.once / n * tail(A, n);
}

// the variance of -log p over draws, with the shares of Chao and Shen: lowered, and weighted by the
// inverse probability that a state is drawn at all
double variance_of(const Drawn& drawn, std::span<const long> counts) {
  const double n = drawn.n, covered = drawn.once < n ? 1 - drawn.once / n : 1 / n;
  double H = 0, square = 0;
  for (long count : counts) {
    if (count == 0) continue;
    const double p = covered * static_cast<double>(count) / n, log_p = std::log(p);
    const double weight = p / (p < 1 ? -std::expm1(n * std::log1p(-p)) : 1);
    H -= weight * log_p;
    square += weight * log_p * log_p;
  }
  return std::max(square - H * H, drawn.square - drawn.plug_in * drawn.plug_in);
}

}  // namespace

EntropyEstimate estimate_entropy(std::span<const long> counts) {
  const Drawn drawn = drawn_of(counts);
  if (drawn.n == 0) return {};
  const double H = chao_wang_jost(drawn, counts);
  // the standard error is that of the mean of -log p, with a second term for where that vanishes;
  // the remaining bias is about half of the correction beyond that of Miller and Madow
  const double lost = (drawn.states - 1) / (2 * drawn.n);
  const double beyond = std::max(0.0, H - drawn.plug_in - lost);
  const double variance = std::max(0.0, variance_of(drawn, counts)) / drawn.n + lost / drawn.n;
  constexpr double share = 0.7;
  return {H, 1.96 * std::sqrt(variance + share * share * beyond * beyond)};
}

Interval wilson_interval(double p, double n) {
  constexpr double z = 1.96;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  // at the ends the two agree up to rounding, and must not leave the estimate outside
  return {std::min(p, std::max(0.0, middle - half)), std::max(p, std::min(1.0, middle + half))};
}

}  // namespace vic
