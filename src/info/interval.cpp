#include "info/interval.h"

#include <algorithm>
#include <cmath>

namespace vic {

Interval wilson_interval(double p, double n) {
  constexpr double z = 1.96;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  // at the ends the two agree up to rounding, and must not leave the estimate outside
  return {std::min(p, std::max(0.0, middle - half)), std::max(p, std::min(1.0, middle + half))};
}

}  // namespace vic
