// Curves over updates.
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

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
    figure.lines.push_back({series.label, series.colour, warm_up, std::move(curve)});
  }
  figure.choose_axis();
  return figure;
}

// a range that contains everything, with a small margin. It begins at 0 unless that leaves a third
// of the figure empty; a mark many times as high as the curves is named beside the figure
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

// the place of an update of a line on the axis; nothing if it is not drawn
std::optional<double> place_of(const CurveFigure& figure, const CurveFigure::Line& line,
                               long update) {
  if (figure.axis == CurveAxis::all) return static_cast<double>(update);
  const long own = update - line.warm_up;
  if (own < (figure.axis == CurveAxis::log ? 1 : 0)) return {};
  const auto place = static_cast<double>(own);
  return figure.axis == CurveAxis::log ? std::log10(place) : place;
}

Extent extent_of(const CurveFigure& figure) {
  Extent across;
  if (figure.axis != CurveAxis::log) across.hold(0);
  for (const CurveFigure::Line& line : figure.lines) {
    for (long update : line.curve.update) {
      if (const auto place = place_of(figure, line, update)) across.hold(*place);
    }
  }
  if (!(across.low < across.high)) across = {across.low - 0.5, across.high + 0.5};
  return across;
}

void draw_axes(Svg& svg, const CurveFigure& figure, const Plot& plot) {
  if (figure.warm_up > 0 && figure.axis == CurveAxis::all) {
    svg.rect(plot.left, plot.top,
             plot.x(std::min(static_cast<double>(figure.warm_up), plot.across.high)) - plot.left,
             plot.bottom - plot.top, "warm");
    svg.text(plot.left + 3, plot.top - 7, "small", "warm-up");
  }
  const char* updates = figure.axis == CurveAxis::all ? "updates" : "updates of the policy";
  plot.draw_axes(svg, figure.x_title.empty() ? updates : figure.x_title,
                 figure.axis == CurveAxis::log ? Scale::log10 : Scale::whole);
  svg.turned_text(14, (plot.top + plot.bottom) / 2, "small", figure.y_title);
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

void draw_line(Svg& svg, const CurveFigure& figure, const CurveFigure::Line& line,
               const Plot& plot) {
  const SeriesCurve& curve = line.curve;
  const auto points = [&](const std::vector<double>& values) {
    std::vector<std::pair<double, double>> list;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto place = place_of(figure, line, curve.update[i]);
      if (place) list.emplace_back(plot.x(*place), plot.y(values[i]));
    }
    return list;
  };
  auto around = points(curve.band.high);
  const auto below = points(curve.band.low);
  around.insert(around.end(), below.rbegin(), below.rend());
  svg.path(around, series_class("band", line.colour), "Z");
  svg.path(points(curve.band.mean), series_class("mean", line.colour));
}

// the names of the series in rows above the plot; returns their height
double draw_legend(Svg& svg, const CurveFigure& figure, double left, double right) {
  double x = left, y = 15;
  for (const auto& line : figure.lines) {
    const double wide = 19 + label_width(line.label) + 18;
    if (x > left && x + wide > right) x = left, y += 17;
    svg.rect(x, y - 6, 14, 4, series_class("swatch", line.colour));
    svg.text(x + 19, y, "", line.label);
    x += wide;
  }
  return y;
}

}  // namespace

CurveFigure empowerment_figure(const WorldReport& world) {
  CurveFigure figure = figure_of(world, &RunCurve::I_hat);
  figure.id = world.simulated ? "cells" : "empowerment";
  figure.title =
      world.simulated ? "Entropy of the cells during training" : "Empowerment during training";
  figure.y_label = "nats";
  figure.y_title = world.simulated ? "entropy of the cells (nats)" : "Î (nats)";
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
  figure.y_title = "external reward";
  if (const auto most = world.in_truth("reward_max")) {
    figure.marks.push_back({"reward_max", *most, ""});
  }
  set_range(figure);
  return figure;
}

std::vector<CurveFigure> discovery_figures(const WorldReport& world) {
  std::vector<CurveFigure> figures;
  const auto add = [&](std::vector<double> RunCurve::*field, const char* what) {
    CurveFigure figure = figure_of(world, field);
    const auto rises = [](const CurveFigure::Line& line) {
      return line.curve.band.high.back() > 0;
    };
    if (std::ranges::none_of(figure.lines, rises)) return;
    figure.id = fmt::format("{}-seen", what);
    figure.title = fmt::format("{} met for the first time", what);
    figure.title.front() = static_cast<char>(std::toupper(figure.title.front()));
    figure.y_label = what;
    figure.y_title = fmt::format("{} met so far", what);
    set_range(figure);
    figures.push_back(std::move(figure));
  };
  add(&RunCurve::cells_seen, "cells");
  add(&RunCurve::behaviours_seen, "behaviours");
  return figures;
}

void CurveFigure::choose_axis() {
  long longest = 0, shortest = std::numeric_limits<long>::max();
  bool learned = false;
  for (const Line& line : lines) {
    const long own = line.curve.update.back() - line.warm_up;
    learned = learned || own > 0;
    longest = std::max(longest, own);
    if (own > 0) shortest = std::min(shortest, own);
  }
  if (!learned) return;
  const bool mostly_warm_up =
      std::ranges::any_of(lines, [&](const Line& line) { return 2 * line.warm_up > longest; });
  const bool other_warm_ups = std::ranges::any_of(
      lines, [&](const Line& line) { return line.warm_up != lines[0].warm_up; });
  if (mostly_warm_up || other_warm_ups) axis = CurveAxis::policy;
  if (2 * longest >= 5 * shortest) axis = CurveAxis::log;
}

std::string draw_curves(const CurveFigure& figure, Form form) {
  constexpr double left = 62, right = width - 124;
  // the legend's rows push the plot down
  Svg probe(width, height, "");
  const double legend = draw_legend(probe, figure, left, right);
  Svg svg(width, height + legend, figure.title);
  draw_legend(svg, figure, left, right);
  Plot plot{.left = left, .right = right, .top = legend + 30, .bottom = height + legend - 40};
  plot.across = extent_of(figure);
  plot.up = figure.range;
  draw_axes(svg, figure, plot);
  draw_marks(svg, figure, plot);
  for (const auto& line : figure.lines) draw_line(svg, figure, line, plot);
  return svg.finish(form);
}

}  // namespace vic
