#include "report/figures/curve_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "report/figures/palette.h"

namespace vic {
namespace {

constexpr double width = 720, height = 336;
constexpr double left = 52, right = 118, top = 46, bottom = 40;

CurveFigure figure_of(const WorldReport& world, std::vector<double> RunCurve::*field) {
  CurveFigure figure;
  bool first = true;
  for (const Series& series : world.series) {
    SeriesCurve curve = mean_curve(series, field);
    if (curve.update.empty()) continue;
    const long warm_up = series.runs[0].warm_up;
    figure.warm_up = first || figure.warm_up == warm_up ? warm_up : 0;
    figure.last = std::max(figure.last, curve.update.back());
    figure.lines.push_back({series.label, series.colour, std::move(curve)});
    first = false;
  }
  return figure;
}

// a range that holds everything, with a little air. It begins at 0 unless that leaves a third of
// the figure empty; a mark many times as high as the curves is named beside the figure
void set_range(CurveFigure& figure) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& line : figure.lines) {
    for (double y : line.curve.band.low) low = std::min(low, y);
    for (double y : line.curve.band.high) high = std::max(high, y);
  }
  if (!(low <= high)) return;
  std::vector<CurveMark> near;
  for (const CurveMark& mark : figure.marks) {
    (mark.value > 4 * std::max(high, -low) ? figure.beyond : near).push_back(mark);
  }
  figure.marks = std::move(near);
  for (const CurveMark& mark : figure.marks) {
    low = std::min(low, mark.value);
    high = std::max(high, mark.value);
  }
  if (low > 0 && low < high / 3) low = 0;
  const double air = high > low ? 0.06 * (high - low) : 0.5;
  figure.low = low == 0 ? 0 : low - air;
  figure.high = high + air;
}

struct Scale {
  const CurveFigure& figure;
  double x(double update) const {
    return left + update / static_cast<double>(std::max(1L, figure.last)) * (width - left - right);
  }
  double y(double value) const {
    return height - bottom -
           (value - figure.low) / (figure.high - figure.low) * (height - top - bottom);
  }
};

std::string tick_text(double value) {
  return fmt::format("{:g}", std::abs(value) < 1e-12 ? 0.0 : value);
}

void draw_axes(Svg& svg, const CurveFigure& figure, const Scale& at) {
  if (figure.warm_up > 0) {
    svg.rect(at.x(0), top, at.x(static_cast<double>(figure.warm_up)) - at.x(0),
             height - top - bottom, "warm");
    svg.text(at.x(0) + 3, top - 7, "small", "warm-up");
  }
  for (double y : round_ticks(figure.low, figure.high, 5)) {
    svg.line(left, at.y(y), width - right, at.y(y), "grid");
    svg.text(left - 8, at.y(y) + 4, "small", tick_text(y), "end");
  }
  svg.line(left, height - bottom, width - right, height - bottom, "axis");
  for (double x : round_ticks(0, static_cast<double>(figure.last), 6)) {
    svg.line(at.x(x), height - bottom, at.x(x), height - bottom + 4, "axis");
    svg.text(at.x(x), height - bottom + 17, "small", tick_text(x), "middle");
  }
  svg.text(width - right, height - 8, "small", "updates", "end");
  svg.text(left - 8, top - 7, "small", figure.y_label, "end");
}

void draw_marks(Svg& svg, const CurveFigure& figure, const Scale& at) {
  std::vector<double> places;
  for (const CurveMark& mark : figure.marks) places.push_back(at.y(mark.value));
  const auto labels = spread(places, 13, top, height - bottom);
  for (std::size_t i = 0; i < figure.marks.size(); ++i) {
    svg.line(left, places[i], width - right, places[i], "mark " + figure.marks[i].style);
    svg.symbol(width - right + 6, labels[i] + 4, "small",
               fmt::format("{} {:.3f}", figure.marks[i].label, figure.marks[i].value));
  }
}

void draw_legend(Svg& svg, const CurveFigure& figure) {
  double x = left;
  for (const auto& line : figure.lines) {
    const int colour = line.colour % series_colours;
    svg.rect(x, 9, 14, 4, fmt::format("swatch c{}", colour));
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
  if (world.baseline)
    figure.marks.push_back({"random", *world.baseline->random.measures["H"], "dash"});
  if (world.H_max()) figure.marks.push_back({"H_max", *world.H_max(), ""});
  if (world.H_at_D_max()) figure.marks.push_back({"H_at_D_max", *world.H_at_D_max(), "dash"});
  if (world.truth && world.truth->C_open) {
    figure.marks.push_back({"C_open", *world.truth->C_open, "dot"});
  }
  set_range(figure);
  return figure;
}

CurveFigure reward_figure(const WorldReport& world) {
  CurveFigure figure = figure_of(world, &RunCurve::external);
  figure.id = "reward";
  figure.title = "External reward during training";
  figure.y_label = "reward";
  if (world.truth && world.truth->reward_max) {
    figure.marks.push_back({"reward_max", *world.truth->reward_max, ""});
  }
  set_range(figure);
  return figure;
}

std::string draw_curves(const CurveFigure& figure, Form form) {
  Svg svg(width, height, figure.title);
  const Scale at{figure};
  draw_axes(svg, figure, at);
  draw_marks(svg, figure, at);
  for (const auto& [label, colour, curve] : figure.lines) {
    std::vector<std::pair<double, double>> mean, around;
    for (std::size_t i = 0; i < curve.update.size(); ++i) {
      const double x = at.x(static_cast<double>(curve.update[i]));
      mean.emplace_back(x, at.y(curve.band.mean[i]));
      around.emplace_back(x, at.y(curve.band.high[i]));
    }
    for (std::size_t i = curve.update.size(); i-- > 0;) {
      around.emplace_back(at.x(static_cast<double>(curve.update[i])), at.y(curve.band.low[i]));
    }
    svg.path(around, fmt::format("band c{}", colour % series_colours), "Z");
    svg.path(mean, fmt::format("mean c{}", colour % series_colours));
  }
  draw_legend(svg, figure);
  return svg.finish(form);
}

std::vector<double> spread(std::vector<double> places, double distance, double low, double high) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  // down from the first, then up from the last
  double next = low;
  for (std::size_t i : order) {
    places[i] = std::max(places[i], next);
    next = places[i] + distance;
  }
  double room = high;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    places[*i] = std::min(places[*i], room);
    room = places[*i] - distance;
  }
  return places;
}

}  // namespace vic
