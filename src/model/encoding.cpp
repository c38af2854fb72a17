#include "model/encoding.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"

namespace vic {
namespace {

// The typical length of a step that is not 0: the median of the largest change of a coordinate.
double step_length(const TabularWorld& world) {
  std::vector<double> lengths;
  for (int s = 0; s < world.S; ++s) {
    for (int e = world.begin(s); e < world.end(s); ++e) {
      double length = 0;
      for (int j = 0; j < world.d; ++j) {
        const double step =
            world.coordinates[world.next[e] * world.d + j] - world.coordinates[s * world.d + j];
        length = std::max(length, std::abs(step));
      }
      if (length > 0) lengths.push_back(length);
    }
  }
  if (lengths.empty()) return 1;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

// the values that occur on each axis, in their order; none where states have no axes
std::vector<std::vector<double>> axes_of(const TabularWorld& world, StateCode code) {
  std::vector<std::vector<double>> axes(code == StateCode::onehot ? 0 : world.d);
  for (std::size_t j = 0; j < axes.size(); ++j) {
    std::set<double> values;
    for (int s = 0; s < world.S; ++s) values.insert(world.coordinates[s * world.d + j]);
    axes[j].assign(values.begin(), values.end());
  }
  return axes;
}

int place_on(const std::vector<double>& axis, double x) {
  return static_cast<int>(std::lower_bound(axis.begin(), axis.end(), x) - axis.begin());
}

}  // namespace

SharedClasses state_classes(const TabularWorld& world, StateCode code) {
  const std::vector<std::vector<double>> axes = axes_of(world, code);
  SharedClasses classes{.S = world.S, .width = 0, .own = code != StateCode::coords};
  if (classes.own) classes.width = world.S;
  const bool relative = code == StateCode::relative;
  classes.offset.resize(relative ? axes.size() * world.S : 0);
  // absorbing states differ as ends from states in which an option may go on
  const bool two_kinds = relative && std::find(world.absorbing.begin(), world.absorbing.end(),
                                               true) != world.absorbing.end();
  for (std::size_t j = 0; j < axes.size(); ++j) {
    const int n = static_cast<int>(axes[j].size());
    // an output for each value, or for each difference from 1 - n to n - 1
    const int outputs = relative ? 2 * n - 1 : n;
    for (int s = 0; s < world.S; ++s) {
      const int at = place_on(axes[j], world.coordinates[s * world.d + j]);
      const int kind = two_kinds && world.absorbing[s] ? outputs : 0;
      classes.name.push_back(static_cast<int>(classes.width) + kind + at);
      if (relative) classes.offset[s * axes.size() + j] = n - 1 - at;
    }
    classes.width += two_kinds ? 2 * outputs : outputs;
  }
  return classes;
}

EncodedTable encode_table(const TabularWorld& world, StateCode code) {
  if (code == StateCode::coords && world.d == 0) {
    fail_usage("{} has no coordinates, and train.encoding = coords is nothing else; take onehot.",
               world.name);
  }
  // an axis has a row for each value that occurs on it
  const std::vector<std::vector<double>> axes = axes_of(world, code);
  EncodedTable out;
  Encoding& encoding = out.encoding;
  Codes& codes = out.codes;
  encoding.relative = code == StateCode::relative;
  // 1 per step of the axis keeps neighbours apart; a larger extent would saturate the nets
  constexpr double largest = 12;
  const auto extent = [&](std::size_t j) {
    return encoding.relative ? std::min(largest, (static_cast<double>(axes[j].size()) - 1) / 2) : 1;
  };
  for (int s = 0; s < world.S; ++s) {
    int offset = 0;
    if (code != StateCode::coords) {
      codes.lookup.push_back(s);
      offset = world.S;
    }
    for (std::size_t j = 0; j < axes.size(); ++j) {
      const double x = world.coordinates[s * world.d + j];
      const double low = axes[j].front(), high = axes[j].back();
      codes.numbers.push_back(high > low ? extent(j) * (2 * (x - low) / (high - low) - 1) : 0);
      if (code == StateCode::coords) continue;
      codes.lookup.push_back(offset + place_on(axes[j], x));
      offset += static_cast<int>(axes[j].size());
    }
    encoding.states.table = offset;
  }
  encoding.states.K = static_cast<int>(codes.lookup.size()) / world.S;
  encoding.states.D = static_cast<int>(axes.size());
  encoding.goals = encoding.states;
  codes.goal_lookup = codes.lookup;
  codes.goal_numbers = codes.numbers;
  encoding.d = world.d;
  codes.coordinates = world.coordinates;
  const double unit = step_length(world);
  for (double& x : codes.coordinates) x /= unit;
  encoding.A = world.A;
  encoding.L = encoding.choices = world.A + 1;
  return out;
}

}  // namespace vic
