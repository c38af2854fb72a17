#include "report/figures/heat_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/figures/palette.h"

namespace vic {
namespace {

constexpr double panel_gap = 22, panel_head = 22;

// a cell's heat class, -1 for a state without a value, and its number
struct CellLook {
  int level = 0;
  std::string text;
};

// 0 and a small share look different
std::string percent_text(double p) {
  if (p == 0) return "";
  return p < 0.005 ? "<1" : fmt::format("{:.0f}", 100 * p);
}

void draw_cell(Svg& svg, const HeatLayout& layout, int i, const CellLook& look, double dx,
               double dy) {
  const double x = dx + layout.places[i].x, y = dy + layout.places[i].y, half = layout.cell / 2;
  const std::string fill = look.level < 0 ? "wall" : fmt::format("h{}", look.level);
  const std::string classes = fmt::format("cell {}{}", fill, i == layout.start ? " start" : "");
  const std::string more = fmt::format(" data-s=\"{}\"", i);
  if (layout.round) {
    svg.circle(x, y, half, classes, more);
  } else {
    svg.rect(x - half, y - half, layout.cell, layout.cell, classes, more);
  }
  if (layout.cell < smallest_with_number) return;
  svg.text(x, y + 4, 2 * look.level > heat_levels ? "value on" : "value", look.text, "start",
           fmt::format(" data-v=\"{}\"", i));
}

// the states of a layout at (dx, dy); `looks` are those of the places
void draw_cells(Svg& svg, const HeatLayout& layout, const std::vector<CellLook>& looks, double dx,
                double dy) {
  const double half = layout.cell / 2;
  for (const auto& [x, y] : layout.walls) {
    svg.rect(dx + x - half, dy + y - half, layout.cell, layout.cell, "wall");
  }
  for (const auto& [i, j] : layout.edges) {
    const auto &from = layout.places[i], &to = layout.places[j];
    svg.line(dx + from.x, dy + from.y, dx + to.x, dy + to.y, "edge");
  }
  for (const auto& label : layout.labels) {
    svg.text(dx + label.x, dy + label.y, "small over", label.text, label.anchor);
  }
  for (int i = 0; i < static_cast<int>(looks.size()); ++i) {
    if (i != layout.start) draw_cell(svg, layout, i, looks[i], dx, dy);
  }
  // the start is drawn last: its outline overlaps its neighbours
  if (layout.start >= 0) draw_cell(svg, layout, layout.start, looks[layout.start], dx, dy);
}

void draw_panel(Svg& svg, const HeatFigure& figure, const HeatPanel& panel, double dx, double dy) {
  std::vector<CellLook> looks;
  const double largest = figure.largest();
  for (double p : on_layout(figure.layout, panel.choices.front().second)) {
    looks.push_back({heat_level(largest > 0 ? p / largest : 0), percent_text(p)});
  }
  draw_cells(svg, figure.layout, looks, dx, dy);
  for (const auto& [choice, route] : panel.routes) {
    std::vector<std::pair<double, double>> points;
    for (int place : route) {
      points.emplace_back(dx + figure.layout.places[place].x, dy + figure.layout.places[place].y);
    }
    svg.path(points, "route", "", fmt::format(" data-route=\"{}\"", choice));
  }
}

// the colours, `step` wide each, with numbers at both ends and, if known, between them
void draw_scale(Svg& svg, double x, double y, double step, const std::string& low,
                const std::string& middle, const std::string& high) {
  for (int level = 0; level <= heat_levels; ++level) {
    svg.rect(x + step * level, y, step + 0.5, 10, fmt::format("h{}", level));
  }
  const double width = step * (heat_levels + 1);
  svg.text(x, y + 23, "small", low);
  if (!middle.empty()) svg.text(x + width / 2, y + 23, "small", middle, "middle");
  svg.text(x + width, y + 23, "small", high, "end");
}

void draw_heat_scale(Svg& svg, const HeatFigure& figure, double x, double y) {
  const double largest = figure.largest();
  // half of the colours belong to the lowest quarter
  draw_scale(svg, x, y, 4, "0", fmt::format("{:.2g}", largest / 4), fmt::format("{:.2g}", largest));
}

void draw_panel(Svg& svg, const HeatLayout& layout, const ValuePanel& panel, double x, double y) {
  Extent extent;
  for (const std::optional<double>& value : panel.values) {
    if (value) extent.hold(*value);
  }
  std::vector<CellLook> looks;
  for (const std::optional<double>& value : panel.values) {
    CellLook& look = looks.emplace_back(CellLook{-1, ""});
    if (!value) continue;
    // linear in lightness, so that nats are seen in proportion
    const double share = extent.high > extent.low ? extent.share(*value) : 0.5;
    look = {static_cast<int>(std::lround(share * heat_levels)), fmt::format("{:.2f}", *value)};
  }
  svg.symbol(x + 1, y + 14, "name", panel.title);
  draw_cells(svg, layout, looks, x, y + panel_head);
  draw_scale(svg, x + 1, y + panel_head + layout.height + 4, 3, fmt::format("{:.3f}", extent.low),
             "", fmt::format("{:.3f}", extent.high));
}

}  // namespace

double HeatFigure::largest() const {
  double most = 0;
  for (const HeatPanel& panel : panels) {
    for (const auto& [choice, distribution] : panel.choices) {
      for (const auto& [state, p] : distribution) most = std::max(most, p);
    }
  }
  return most;
}

std::vector<HeatPanel> series_panels(
    const WorldReport& world,
    const std::function<std::optional<Distribution>(const FinalValues&)>& distribution_of) {
  std::vector<HeatPanel> panels;
  for (const Series& series : world.series) {
    HeatPanel panel{.title = series.label, .colour = series.colour, .choices = {{"mean", {}}}};
    for (const RunFiles* run : series.finished()) {
      auto p = distribution_of(*run->result);
      if (p) panel.choices.emplace_back("seed " + std::to_string(run->seed), *std::move(p));
    }
    const std::size_t n = panel.choices.size() - 1;
    if (n == 0) continue;
    std::map<std::string, double> sum;
    for (std::size_t k = 1; k <= n; ++k) {
      for (const auto& [state, p] : panel.choices[k].second) {
        sum[state] += p / static_cast<double>(n);
      }
    }
    panel.choices[0].second.assign(sum.begin(), sum.end());
    panels.push_back(std::move(panel));
  }
  return panels;
}

std::string draw_heat(const HeatFigure& figure, const HeatPanel& panel, Form form) {
  Svg svg(figure.layout.width, figure.layout.height, "p(s_f), " + panel.title);
  draw_panel(svg, figure, panel, 0, 0);
  return svg.finish(form);
}

std::string draw_heat_scale(const HeatFigure& figure, Form form) {
  Svg svg(4 * (heat_levels + 1) + 1, 26, "the scale of the heat maps");
  draw_heat_scale(svg, figure, 0, 0);
  return svg.finish(form);
}

std::string draw_heat_sheet(const HeatFigure& figure, Form form) {
  // panels in rows of three, a title above each
  const int n = static_cast<int>(figure.panels.size()), across = std::clamp(n, 1, 3);
  const double width = std::max(figure.layout.width, 120.0) + panel_gap;
  const double height = figure.layout.height + panel_head + panel_gap;
  const int rows = (n + across - 1) / across;
  Svg svg(width * across, height * rows + 30, "p(s_f) on the world's picture");
  for (int i = 0; i < n; ++i) {
    const double x = width * (i % across), y = height * (i / across);
    svg.text(x + 1, y + 14, "name", figure.panels[i].title);
    draw_panel(svg, figure, figure.panels[i], x, y + panel_head);
  }
  draw_heat_scale(svg, figure, 1, height * rows);
  return svg.finish(form);
}

std::string draw_value_sheet(const HeatLayout& layout, const std::vector<ValuePanel>& panels,
                             const std::string& label, Form form) {
  constexpr double scale_height = 34;
  const double width = std::max(layout.width, 140.0) + panel_gap;
  const double height = layout.height + panel_head + scale_height + panel_gap;
  // flat layouts are stacked, others stand side by side, two per row
  const int n = static_cast<int>(panels.size()), across = layout.width > 3 * layout.height ? 1 : 2;
  const int rows = (n + across - 1) / across;
  Svg svg(width * std::min(n, across), height * rows, label);
  for (int i = 0; i < n; ++i) {
    draw_panel(svg, layout, panels[i], width * (i % across), height * (i / across));
  }
  return svg.finish(form);
}

}  // namespace vic
