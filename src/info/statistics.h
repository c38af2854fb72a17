// Statistics over seeds.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace vic {

// A mean over seeds with the half width of its 95 % interval.
struct Estimate {
  double mean = 0;
  std::optional<double> half;  // none with one seed
  int n = 0;
  double iqm = 0;  // the interquartile mean: no single seed decides it
};

// The mean with the interval of Student's t: exact for normal values, however few seeds there are.
Estimate estimate(std::span<const double> values);

// The mean of the middle half: a quarter of the values is left out at each end, and a value on the
// border counts in part.
double interquartile_mean(std::vector<double> values);

// The 97.5 % quantile of Student's t.
double student_quantile(int degrees);

// A curve with a band around it.
struct Band {
  std::vector<double> mean, low, high;  // (L)
};

// The mean over curves, and the 95 % percentile bootstrap of that mean, by 1,000 resamples of whole
// curves with replacement. The seed is fixed, so the band is the same every time. One curve is its
// own band. Each curve has L values.
Band bootstrap_band(const std::vector<std::vector<double>>& curves);

}  // namespace vic
