// Curves over updates.
#include <fmt/core.h>

#include <algorithm>

#include "report/figures/charts.h"
#include "report/figures/palette.h"

namespace vic {
namespace {

constexpr double width = 720, height = 336;

CurveFigure figure_of(const WorldReport& world, std::vector<double> RunCurve::*field) {
  CurveFigure figure;
  for (const Series& series : world.series) {
    SeriesCurve curve = mean_curve(series, field);
    if (curve.update.empty()) continue;
    const long warm_up = series.runs[0].warm_up;
    figure.warm_up = figure.lines.empty() || figure.warm_up == warm_up ? warm_up : 0;
    figure.last = std::max(figure.last, curve.update.back());
    figure.lines.push_back({series.label, series.colour, std::move(curve)});
  }
  return figure;
}

// a range that holds everything, with a little air. It begins at 0 unless that leaves a third of
// the figure empty; a mark many times as high as the curves is named beside the figure
void set_range(CurveFigure& figure) {
  Extent range;
  for (const auto& line : figure.lines) {
    for (double y : line.curve.band.low) range.hold(y);
    for (double y : line.curve.band.high) range.hold(y);
  }
  if (!(range.low <= range.high)) return;
  const double far = 4 * std::max(range.high, -range.low);
  for (const CurveMark& mark : std::exchange(figure.marks, {})) {
    (mark.value > far ? figure.beyond : figure.marks).push_back(mark);
  }
  for (const CurveMark& mark : figure.marks) range.hold(mark.value);
  if (range.low > 0 && range.low < range.high / 3) range.low = 0;
  const double air = range.air();
  figure.range = {range.low == 0 ? 0 : range.low - air, range.high + air};
}

void draw_axes(Svg& svg, const CurveFigure& figure, const Plot& plot) {
  if (figure.warm_up > 0) {
    svg.rect(plot.left, plot.top, plot.x(static_cast<double>(figure.warm_up)) - plot.left,
             plot.bottom - plot.top, "warm");
    svg.text(plot.left + 3, plot.top - 7, "small", "warm-up");
  }
  plot.draw_axes(svg, "updates");
  svg.text(plot.left - 8, plot.top - 7, "small", figure.y_label, "end");
}

void draw_marks(Svg& svg, const CurveFigure& figure, const Plot& plot) {
  std::vector<double> places;
  for (const CurveMark& mark : figure.marks) places.push_back(plot.y(mark.value));
  const auto labels = spread(places, 13, plot.top, plot.bottom);
  for (std::size_t i = 0; i < figure.marks.size(); ++i) {
    svg.line(plot.left, places[i], plot.right, places[i], "mark " + figure.marks[i].style);
    svg.symbol(plot.right + 6, labels[i] + 4, "small",
               fmt::format("{} {:.3f}", figure.marks[i].label, figure.marks[i].value));
  }
}

void draw_line(Svg& svg, const CurveFigure::Line& line, const Plot& plot) {
  const SeriesCurve& curve = line.curve;
  const auto points = [&](const std::vector<double>& values) {
    std::vector<std::pair<double, double>> list;
    for (std::size_t i = 0; i < values.size(); ++i) {
      list.emplace_back(plot.x(static_cast<double>(curve.update[i])), plot.y(values[i]));
    }
    return list;
  };
  auto around = points(curve.band.high);
  const auto below = points(curve.band.low);
  around.insert(around.end(), below.rbegin(), below.rend());
  svg.path(around, series_class("band", line.colour), "Z");
  svg.path(points(curve.band.mean), series_class("mean", line.colour));
}

void draw_legend(Svg& svg, const CurveFigure& figure, const Plot& plot) {
  double x = plot.left;
  for (const auto& line : figure.lines) {
    svg.rect(x, 9, 14, 4, series_class("swatch", line.colour));
    svg.text(x + 19, 15, "", line.label);
    // letters of this size are some 6.3 wide
    x += 19 + 6.3 * static_cast<double>(line.label.size()) + 18;
  }
}

}  // namespace

CurveFigure empowerment_figure(const WorldReport& world) {
  CurveFigure figure = figure_of(world, &RunCurve::I_hat);
  figure.id = world.simulated ? "cells" : "empowerment";
  figure.title =
      world.simulated ? "Entropy of the cells during training" : "Empowerment during training";
  figure.y_label = "nats";
  const auto mark = [&](const char* label, std::optional<double> value, const char* style) {
    if (value) figure.marks.push_back({label, *value, style});
  };
  if (world.baseline) mark("random", world.baseline->random.measures["H"], "dash");
  mark("H_max", world.optimum("H_max"), "");
  mark("H_at_D_max", world.optimum("H_at_D_max"), "dash");
  mark("C_open", world.in_truth("C_open"), "dot");
  set_range(figure);
  return figure;
}

CurveFigure reward_figure(const WorldReport& world) {
  CurveFigure figure = figure_of(world, &RunCurve::external);
  figure.id = "reward";
  figure.title = "External reward during training";
  figure.y_label = "reward";
  if (const auto most = world.in_truth("reward_max")) {
    figure.marks.push_back({"reward_max", *most, ""});
  }
  set_range(figure);
  return figure;
}

std::string draw_curves(const CurveFigure& figure, Form form) {
  Svg svg(width, height, figure.title);
  Plot plot{.left = 52, .right = width - 118, .top = 46, .bottom = height - 40};
  plot.across = {0, static_cast<double>(figure.last)};
  plot.up = figure.range;
  draw_axes(svg, figure, plot);
  draw_marks(svg, figure, plot);
  for (const auto& line : figure.lines) draw_line(svg, line, plot);
  draw_legend(svg, figure, plot);
  return svg.finish(form);
}

}  // namespace vic
