// Where the options of a simulated world end.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "base/text.h"
#include "report/figures/heat_figure.h"

namespace vic {
namespace {

// pixels of a panel, and of the words beside and below the cells
constexpr double panel_width = 520, left = 34, below = 20;

// the first coordinate goes to the right, the second, if there is one, upward
using Axes = std::vector<Coordinate>;

// "+0.5", or "−1" if full bins are counted
std::string number_text(const Coordinate& axis, int i) {
  if (!axis.bins.full) return signed_text(axis.bins.centre(i), 1);
  return signed_text(i, 0);
}

// "+0.5 m", "−1 turn"
std::string value_text(const Coordinate& axis, int i) {
  std::string unit = axis.unit;
  if (axis.bins.full && std::abs(i) == 1 && unit.ends_with('s')) unit.pop_back();
  return number_text(axis, i) + " " + unit;
}

std::string name_of(const Axes& axes, int x, int y) {
  const std::string across = value_text(axes[0], x);
  return axes.size() > 1 ? across + ", " + value_text(axes[1], y) : across;
}

int row_of(const StateCell& cell) {
  return cell.size() > 1 ? cell[1] : 0;
}

Distribution distribution_of(const SurveyValues& survey, const Axes& axes) {
  long all = 0;
  for (const CellCount& cell : survey.cell_list) all += cell.options;
  std::map<std::pair<int, int>, long> counts;
  for (const CellCount& one : survey.cell_list) {
    counts[{one.cell[0], row_of(one.cell)}] += one.options;
  }
  Distribution p;
  for (const auto& [at, options] : counts) {
    p.emplace_back(name_of(axes, at.first, at.second),
                   static_cast<double>(options) / static_cast<double>(std::max(1L, all)));
  }
  return p;
}

// the range of the cells that some option ended in
struct Bounds {
  int first = 0, last = 0, low = 0, high = 0;

  void hold(const SurveyValues& survey) {
    // one that flew far off must not make all the others invisible
    constexpr int far = 400;
    for (const CellCount& one : survey.cell_list) {
      const int x = one.cell[0], y = row_of(one.cell);
      if (std::abs(x) > far || std::abs(y) > far) continue;
      first = std::min(first, x), last = std::max(last, x);
      low = std::min(low, y), high = std::max(high, y);
    }
  }
};

HeatLayout layout_of(const Bounds& bounds, const Axes& axes) {
  HeatLayout layout;
  const int across = bounds.last - bounds.first + 1, rows = bounds.high - bounds.low + 1;
  layout.cell = std::clamp(std::floor((panel_width - left) / across), 4.0, 22.0);
  const auto x = [&](int i) { return left + layout.cell * (i - bounds.first + 0.5); };
  const auto y = [&](int i) { return 1 + layout.cell * (bounds.high - i + 0.5); };
  for (int row = bounds.high; row >= bounds.low; --row) {
    for (int place = bounds.first; place <= bounds.last; ++place) {
      if (place == 0 && row == 0) layout.start = static_cast<int>(layout.places.size());
      layout.places.push_back({name_of(axes, place, row), x(place), y(row)});
    }
    // text needs some height
    if (axes.size() > 1 &&
        (layout.cell >= 11 || row == 0 || row == bounds.high || row == bounds.low)) {
      layout.labels.push_back({left - 6, y(row) + 4, number_text(axes[1], row), "end"});
    }
  }
  layout.width = left + layout.cell * across + 1;
  layout.height = layout.cell * rows + 2 + below;
  // round numbers, as many as fit
  const double bin = axes[0].bins.width;
  for (double tick : round_ticks(bounds.first * bin, bounds.last * bin, across > 8 ? 5 : 1)) {
    const double at = left + layout.cell * (tick / bin - bounds.first + 0.5);
    if (at < left + 8 || at > layout.width - 8) continue;
    layout.labels.push_back(
        {at, layout.height - 6, tick == 0 ? "0 " + axes[0].unit : signed_text(tick, 0), "middle"});
  }
  return layout;
}

// the coordinates of the baseline, or otherwise of a run
Axes axes_of(const WorldReport& world) {
  if (world.baseline) return world.baseline->random.coordinates;
  for (const Series& series : world.series) {
    for (const RunFiles* run : series.finished()) {
      if (run->result->survey) return run->result->survey->coordinates;
    }
  }
  return {};
}

}  // namespace

HeatFigure cell_figure(const WorldReport& world) {
  HeatFigure figure;
  Bounds bounds;
  const Axes axes = axes_of(world);
  const auto visit = [&](const SurveyValues& survey) {
    bounds.hold(survey);
    return distribution_of(survey, axes);
  };
  figure.panels = series_panels(world, [&](const FinalValues& run) {
    return run.survey ? std::optional(visit(*run.survey)) : std::nullopt;
  });
  if (world.baseline) {
    figure.panels.push_back({"random actions", -1, {{"mean", visit(world.baseline->random)}}});
  }
  if (!figure.panels.empty()) figure.layout = layout_of(bounds, axes);
  return figure;
}

}  // namespace vic
