// Success by distance: the cells of a simulated world in rings around the start.
#include <algorithm>
#include <cmath>

#include "eval/simulator_reach.h"

namespace vic {

bool is_fall(const SimulatorSpec& spec, const StateCell& cell) {
  return spec.falls && cell.back() != 0;
}

std::vector<RingReach> rings_of(const SimulatorSpec& spec, const CellReach& reach) {
  std::vector<std::pair<double, const CellReach::Goal*>> goals;
  double farthest = 0;
  for (const CellReach::Goal& goal : reach.goals) {
    if (is_fall(spec, goal.cell)) continue;
    double square = 0;
    for (std::size_t k = 0; k < goal.cell.size(); ++k) {
      const Coordinate& one = spec.coordinates[k];
      if (one.unit != spec.coordinates[0].unit) continue;
      square += std::pow(one.method_bins().centre(goal.cell[k]), 2);
    }
    goals.emplace_back(std::sqrt(square), &goal);
    farthest = std::max(farthest, goals.back().first);
  }
  // about six rings, of a width that is easy to read
  constexpr double rings = 6;
  const double wide = std::max(farthest / rings, spec.coordinates[0].method_bins().width);
  const double power = std::pow(10, std::floor(std::log10(wide)));
  double width = 10 * power;
  for (double digit : {5.0, 2.0, 1.0}) {
    if (digit * power >= wide) width = digit * power;
  }
  std::vector<RingReach> list(static_cast<std::size_t>(farthest / width) + 1);
  for (const auto& [distance, goal] : goals) {
    RingReach& ring = list[static_cast<std::size_t>(distance / width)];
    ++ring.goals;
    ring.chance += goal->chance;
    ring.success += goal->success.share;
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i].from = width * static_cast<double>(i);
    list[i].to = list[i].from + width;
    if (list[i].goals == 0) continue;
    list[i].chance /= list[i].goals;
    list[i].success /= list[i].goals;
  }
  std::erase_if(list, [](const RingReach& ring) { return ring.goals == 0; });
  return list;
}

}  // namespace vic
