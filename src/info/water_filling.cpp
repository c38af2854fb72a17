#include "info/water_filling.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace vic {

WaterFilling water_filling(std::span<const double> gains, double power) {
  std::vector<double> sorted(gains.begin(), gains.end());
  for (double& gain : sorted) gain = std::abs(gain);
  std::ranges::sort(sorted, std::greater());
  // the level over the best k channels, as many as it covers
  double level = 0, noise = 0;
  for (std::size_t k = 0; k < sorted.size() && sorted[k] > 0; ++k) {
    const double own = 1 / (sorted[k] * sorted[k]);
    if (k > 0 && level <= own) break;
    noise += own;
    level = (power + noise) / static_cast<double>(k + 1);
  }
  WaterFilling filled;
  for (double gain : gains) {
    const double own = gain == 0 ? level : 1 / (gain * gain);
    filled.power.push_back(std::max(0.0, level - own));
    if (filled.power.back() > 0) filled.capacity += std::log(level / own) / 2;
  }
  return filled;
}

}  // namespace vic
