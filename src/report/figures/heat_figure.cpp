#include "report/figures/heat_figure.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/figures/palette.h"

namespace vic {
namespace {

// nothing is not little
std::string percent_text(double p) {
  if (p == 0) return "";
  return p < 0.005 ? "<1" : fmt::format("{:.0f}", 100 * p);
}

void draw_panel(Svg& svg, const HeatFigure& figure, const HeatPanel& panel, double dx, double dy) {
  std::vector<CellLook> looks;
  for (double p : on_layout(figure.layout, panel.choices.front().second)) {
    looks.push_back({heat_level(figure.largest > 0 ? p / figure.largest : 0), percent_text(p)});
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

void draw_scale(Svg& svg, const HeatFigure& figure, double x, double y) {
  constexpr double step = 4;
  for (int level = 0; level <= heat_levels; ++level) {
    svg.rect(x + step * level, y, step + 0.5, 10, fmt::format("h{}", level));
  }
  const double width = step * (heat_levels + 1);
  // half of the colours belong to the lowest quarter
  svg.text(x, y + 23, "small", "0");
  svg.text(x + width / 2, y + 23, "small", fmt::format("{:.2g}", figure.largest / 4), "middle");
  svg.text(x + width, y + 23, "small", fmt::format("{:.2g}", figure.largest), "end");
}

}  // namespace

void draw_cells(Svg& svg, const HeatLayout& layout, const std::vector<CellLook>& looks, double dx,
                double dy) {
  const double half = layout.cell / 2;
  for (const auto& [x, y] : layout.walls) {
    svg.rect(dx + x - half, dy + y - half, layout.cell, layout.cell, "wall");
  }
  for (const auto& [i, j] : layout.edges) {
    svg.line(dx + layout.places[i].x, dy + layout.places[i].y, dx + layout.places[j].x,
             dy + layout.places[j].y, "edge");
  }
  for (const auto& label : layout.labels) {
    svg.text(dx + label.x, dy + label.y, "small", label.text, label.anchor);
  }
  // the start last: its outline lies over its neighbours
  std::vector<int> order;
  for (int i = 0; i < static_cast<int>(looks.size()); ++i) {
    if (i != layout.start) order.push_back(i);
  }
  if (layout.start >= 0) order.push_back(layout.start);
  for (int i : order) {
    const auto& place = layout.places[i];
    const std::string fill =
        looks[i].level < 0 ? std::string("wall") : fmt::format("h{}", looks[i].level);
    const std::string classes = fmt::format("cell {}{}", fill, i == layout.start ? " start" : "");
    const std::string more = fmt::format(" data-s=\"{}\"", i);
    if (layout.round) {
      svg.circle(dx + place.x, dy + place.y, half, classes, more);
    } else {
      svg.rect(dx + place.x - half, dy + place.y - half, layout.cell, layout.cell, classes, more);
    }
    if (layout.cell >= smallest_with_number) {
      svg.text(dx + place.x, dy + place.y + 4,
               2 * looks[i].level > heat_levels ? "value on" : "value", looks[i].text, "start",
               fmt::format(" data-v=\"{}\"", i));
    }
  }
}

std::string draw_heat(const HeatFigure& figure, const HeatPanel& panel, Form form) {
  Svg svg(figure.layout.width, figure.layout.height, "p(s_f), " + panel.title);
  draw_panel(svg, figure, panel, 0, 0);
  return svg.finish(form);
}

std::string draw_heat_scale(const HeatFigure& figure, Form form) {
  Svg svg(4 * (heat_levels + 1) + 1, 26, "the scale of the heat maps");
  draw_scale(svg, figure, 0, 0);
  return svg.finish(form);
}

std::string draw_heat_sheet(const HeatFigure& figure, Form form) {
  // panels in rows of three, a title above each
  constexpr double gap = 22, head = 22;
  const int n = static_cast<int>(figure.panels.size()), across = std::min(3, std::max(1, n));
  const double cell_width = std::max(figure.layout.width, 120.0) + gap;
  const double cell_height = figure.layout.height + head + gap;
  const int rows = (n + across - 1) / across;
  Svg svg(cell_width * across, cell_height * rows + 30, "p(s_f) on the world's picture");
  for (int i = 0; i < n; ++i) {
    const double x = cell_width * (i % across), y = cell_height * (i / across);
    svg.text(x + 1, y + 14, "name", figure.panels[i].title);
    draw_panel(svg, figure, figure.panels[i], x, y + head);
  }
  draw_scale(svg, figure, 1, cell_height * rows);
  return svg.finish(form);
}

}  // namespace vic
