#include "info/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.h"

namespace vic {
namespace {

constexpr int resamples = 1000;
constexpr std::uint64_t bootstrap_seed = 2021;

// the number of times that each curve occurs in each resample
std::vector<double> draw_weights(int n) {
  std::vector<double> weights(static_cast<std::size_t>(resamples) * n, 0.0);
  for (int b = 0; b < resamples; ++b) {
    for (int i = 0; i < n; ++i) {
      const double u = uniform({.seed = bootstrap_seed,
                                .update = static_cast<std::uint32_t>(b),
                                .row = static_cast<std::uint32_t>(i)});
      weights[b * n + static_cast<int>(u * n)] += 1.0 / n;
    }
  }
  return weights;
}

}  // namespace

double student_quantile(int degrees) {
  // a table up to 30; beyond, the expansion of Cornish and Fisher, accurate to 1e-4
  constexpr std::array<double, 31> table = {
      0,      12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
      2.2010, 2.1788,  2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796,
      2.0739, 2.0687,  2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423};
  if (degrees < static_cast<int>(table.size())) return table[std::max(degrees, 1)];
  const double z = 1.959964, n = degrees;
  return z + (z * z * z + z) / (4 * n) +
         (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * n * n);
}

double interquartile_mean(std::vector<double> values) {
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    // the part of [i, i + 1] that lies within the middle half
    const auto at = static_cast<double>(i);
    const double share = std::min(at + 1, 0.75 * n) - std::max(at, 0.25 * n);
    if (share > 0) sum += share * values[i];
  }
  return values.empty() ? 0 : sum / (n / 2);
}

Estimate estimate(std::span<const double> values) {
  const int n = static_cast<int>(values.size());
  Estimate out;
  out.n = n;
  for (double x : values) out.mean += x / n;
  out.iqm = interquartile_mean({values.begin(), values.end()});
  if (n < 2) return out;
  double squares = 0;
  for (double x : values) squares += (x - out.mean) * (x - out.mean);
  out.half = student_quantile(n - 1) * std::sqrt(squares / (n - 1) / n);
  return out;
}

Band bootstrap_band(const std::vector<std::vector<double>>& curves) {
  Band band;
  if (curves.empty()) return band;
  const int n = static_cast<int>(curves.size());
  const std::vector<double> weights = draw_weights(n);
  std::vector<double> means(resamples);
  // the 2.5 % and 97.5 % points of a thousand sorted means
  constexpr int cut = resamples / 40;
  for (std::size_t t = 0; t < curves[0].size(); ++t) {
    double mean = 0;
    for (const auto& curve : curves) mean += curve[t] / n;
    for (int b = 0; b < resamples; ++b) {
      means[b] = 0;
      for (int i = 0; i < n; ++i) means[b] += weights[b * n + i] * curves[i][t];
    }
    std::nth_element(means.begin(), means.begin() + cut, means.end());
    const double low = means[cut];
    std::nth_element(means.begin(), means.end() - 1 - cut, means.end());
    band.mean.push_back(mean);
    band.low.push_back(std::min(low, mean));
    band.high.push_back(std::max(means[resamples - 1 - cut], mean));
  }
  return band;
}

}  // namespace vic
