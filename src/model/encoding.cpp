#include "model/encoding.h"

#include <algorithm>
#include <set>

#include "base/closest.h"
#include "base/error.h"

namespace vic {

StateCode parse_state_code(const std::string& name) {
  if (name == "onehot") return StateCode::onehot;
  if (name == "coords") return StateCode::coords;
  if (name == "axes") return StateCode::axes;
  if (name == "relative") return StateCode::relative;
  const std::vector<std::string> known = {"onehot", "coords", "axes", "relative"};
  fail_usage("train.encoding = {} is not allowed{}", name, suggestion(name, known));
}

Encoding encode_states(const TabularWorld& world, StateCode code) {
  if (code == StateCode::coords && world.d == 0) {
    fail_usage("{} has no coordinates, and train.encoding = coords is nothing else; take onehot.",
               world.name);
  }
  // the rows of each axis, one for each value that occurs on it
  std::vector<std::vector<double>> axes(code == StateCode::onehot ? 0 : world.d);
  for (std::size_t j = 0; j < axes.size(); ++j) {
    std::set<double> values;
    for (int s = 0; s < world.S; ++s) values.insert(world.coordinates[s * world.d + j]);
    axes[j].assign(values.begin(), values.end());
  }
  Encoding out;
  out.actions.L = world.A + 1;
  out.d = world.d;
  out.coordinates = world.coordinates;
  out.relative = code == StateCode::relative;
  // one a step of the axis keeps neighbours apart; more than this would saturate the nets
  constexpr double largest = 12;
  const auto extent = [&](std::size_t j) {
    return out.relative ? std::min(largest, (static_cast<double>(axes[j].size()) - 1) / 2) : 1;
  };
  for (int s = 0; s < world.S; ++s) {
    int offset = 0;
    if (code != StateCode::coords) {
      out.lookup.push_back(s);
      offset = world.S;
    }
    for (std::size_t j = 0; j < axes.size(); ++j) {
      const double x = world.coordinates[s * world.d + j];
      const double low = axes[j].front(), high = axes[j].back();
      out.numbers.push_back(high > low ? extent(j) * (2 * (x - low) / (high - low) - 1) : 0);
      if (code == StateCode::coords) continue;
      const auto at = std::lower_bound(axes[j].begin(), axes[j].end(), x) - axes[j].begin();
      out.lookup.push_back(offset + static_cast<int>(at));
      offset += static_cast<int>(axes[j].size());
    }
    out.table = offset;
  }
  out.K = static_cast<int>(out.lookup.size()) / world.S;
  out.D = static_cast<int>(axes.size());
  return out;
}

}  // namespace vic
