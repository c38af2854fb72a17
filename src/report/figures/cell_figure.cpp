#include "report/figures/cell_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "base/text.h"

namespace vic {
namespace {

// pixels of a panel, and of the words beside and below the cells
constexpr double panel_width = 520, left = 34, below = 20;

std::string name_of(int place, int turns, double bin) {
  return fmt::format("{} m, {} turn{}", signed_text(place * bin, 1), signed_text(turns, 0),
                     std::abs(turns) == 1 ? "" : "s");
}

Distribution distribution_of(const SurveyValues& survey, double bin) {
  long all = 0;
  for (const CellCount& cell : survey.cell_list) all += cell.options;
  Distribution p;
  for (const CellCount& cell : survey.cell_list) {
    p.emplace_back(name_of(cell.place, cell.turns, bin),
                   static_cast<double>(cell.options) / static_cast<double>(std::max(1L, all)));
  }
  return p;
}

Distribution mean_of(const std::vector<Distribution>& list) {
  std::map<std::string, double> sum;
  for (const Distribution& one : list) {
    for (const auto& [cell, p] : one) sum[cell] += p / static_cast<double>(list.size());
  }
  return {sum.begin(), sum.end()};
}

// the cells that some option ended in lie within
struct Bounds {
  int first = 0, last = 0, low = 0, high = 0;  // places, turns

  void hold(const SurveyValues& survey) {
    // one that flew off must not make all the others invisible
    constexpr int far = 400;
    for (const CellCount& cell : survey.cell_list) {
      if (std::abs(cell.place) > far || std::abs(cell.turns) > far) continue;
      first = std::min(first, cell.place), last = std::max(last, cell.place);
      low = std::min(low, cell.turns), high = std::max(high, cell.turns);
    }
  }
};

HeatLayout layout_of(const Bounds& bounds, double bin) {
  HeatLayout layout;
  const int across = bounds.last - bounds.first + 1, rows = bounds.high - bounds.low + 1;
  layout.cell = std::clamp(std::floor((panel_width - left) / across), 4.0, 22.0);
  const auto x = [&](int place) { return left + layout.cell * (place - bounds.first + 0.5); };
  const auto y = [&](int turns) { return 1 + layout.cell * (bounds.high - turns + 0.5); };
  for (int turns = bounds.high; turns >= bounds.low; --turns) {
    for (int place = bounds.first; place <= bounds.last; ++place) {
      if (place == 0 && turns == 0) layout.start = static_cast<int>(layout.places.size());
      layout.places.push_back({name_of(place, turns, bin), x(place), y(turns)});
    }
    // words need some height
    if (layout.cell >= 11 || turns == 0 || turns == bounds.high || turns == bounds.low) {
      const std::string sign = turns > 0 ? "+" : turns < 0 ? "−" : "";
      layout.labels.push_back(
          {left - 6, y(turns) + 4, sign + std::to_string(std::abs(turns)), "end"});
    }
  }
  layout.width = left + layout.cell * across + 1;
  layout.height = layout.cell * rows + 2 + below;
  // round metres, as many as have room
  for (double metres : round_ticks(bounds.first * bin, bounds.last * bin, across > 8 ? 5 : 1)) {
    const double at = left + layout.cell * (metres / bin - bounds.first + 0.5);
    if (at < left + 8 || at > layout.width - 8) continue;
    layout.labels.push_back(
        {at, layout.height - 6, metres == 0 ? "0 m" : signed_text(metres, 0), "middle"});
  }
  return layout;
}

}  // namespace

HeatFigure cell_figure(const WorldReport& world) {
  HeatFigure figure;
  Bounds bounds;
  const double bin = world.physics_truth ? world.physics_truth->bin : 1;
  for (const Series& series : world.series) {
    std::vector<Distribution> all;
    HeatPanel panel{.title = series.label, .colour = series.colour, .choices = {}};
    for (const RunFiles* run : series.finished()) {
      if (!run->result->survey) continue;
      bounds.hold(*run->result->survey);
      all.push_back(distribution_of(*run->result->survey, bin));
      panel.choices.emplace_back("seed " + std::to_string(run->seed), all.back());
    }
    if (all.empty()) continue;
    panel.choices.insert(panel.choices.begin(), {"mean", mean_of(all)});
    figure.panels.push_back(std::move(panel));
  }
  if (world.physics_truth) {
    const SurveyValues& random = world.physics_truth->random;
    bounds.hold(random);
    figure.panels.push_back({"random actions", -1, {{"mean", distribution_of(random, bin)}}});
  }
  for (const HeatPanel& panel : figure.panels) {
    for (const auto& [choice, distribution] : panel.choices) {
      for (const auto& [cell, p] : distribution) figure.largest = std::max(figure.largest, p);
    }
  }
  figure.layout = layout_of(bounds, bin);
  return figure;
}

}  // namespace vic
