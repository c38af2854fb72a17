#include "report/figures/frontier_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "method/algorithm.h"
#include "method/settings.h"
#include "report/figures/palette.h"

namespace vic {
namespace {

constexpr double width = 480, height = 372;
constexpr double left = 46, right = 20, top = 78, bottom = 40;

// the weight of chance in what a run maximises
double lambda_of(const RunFiles& run) {
  const std::string text = run.setting("train.lambda");
  TrainSettings settings;
  std::from_chars(text.data(), text.data() + text.size(), settings.lambda);
  return find_algorithm(run.algorithm).lambda_of(settings);
}

// coverage is on the x axis; `y` tells what is on the other
FrontierFigure figure_of(const WorldReport& world, double FrontierValues::*exact,
                         const char* measure) {
  FrontierFigure figure;
  for (const FrontierValues& point : world.truth->frontier) {
    figure.exact.push_back({point.lambda, point.H, point.*exact});
  }
  // by rising lambda, as the curve runs
  std::vector<std::pair<double, const Series*>> order;
  for (const Series& series : world.series) {
    order.emplace_back(lambda_of(series.runs[0]), &series);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [lambda, series] : order) {
    const int number = static_cast<int>(figure.series.size());
    figure.series.push_back({fmt::format("λ {:g}", lambda), series->colour, lambda});
    for (const RunFiles* run : series->finished()) {
      const PerMeasure<double>& values = run->result->measures;
      if (const auto& y = values[measure]) figure.learned.push_back({number, *values["H"], *y});
    }
  }
  return figure;
}

struct Axis {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void hold(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void add_air() {
    const double air = high > low ? 0.06 * (high - low) : 0.5;
    low -= air;
    high += air;
  }
};

struct Scale {
  Axis across, up;

  explicit Scale(const FrontierFigure& figure) {
    for (const auto& point : figure.exact) across.hold(point.x), up.hold(point.y);
    for (const auto& run : figure.learned) across.hold(run.x), up.hold(run.y);
    if (figure.best > 0) up.hold(figure.best);
    across.add_air();
    // what cannot be negative begins at 0
    up.hold(0);
    const double air = 0.06 * up.high;
    up.high += air > 0 ? air : 0.5;
  }
  double x(double value) const {
    return left + (value - across.low) / (across.high - across.low) * (width - left - right);
  }
  double y(double value) const {
    return height - bottom - (value - up.low) / (up.high - up.low) * (height - top - bottom);
  }
};

std::string tick_text(double value) {
  return fmt::format("{:g}", std::abs(value) < 1e-12 ? 0.0 : value);
}

void draw_axes(Svg& svg, const FrontierFigure& figure, const Scale& at) {
  for (double y : round_ticks(at.up.low, at.up.high, 5)) {
    svg.line(left, at.y(y), width - right, at.y(y), "grid");
    svg.text(left - 8, at.y(y) + 4, "small", tick_text(y), "end");
  }
  svg.line(left, height - bottom, width - right, height - bottom, "axis");
  for (double x : round_ticks(at.across.low, at.across.high, 6)) {
    svg.line(at.x(x), height - bottom, at.x(x), height - bottom + 4, "axis");
    svg.text(at.x(x), height - bottom + 17, "small", tick_text(x), "middle");
  }
  svg.text(width - right, height - 8, "small", "coverage H, nats", "end");
  svg.text(left, top - 9, "small", figure.y_label);
  if (figure.best > 0) {
    svg.line(left, at.y(figure.best), width - right, at.y(figure.best), "mark dot");
    svg.text(left + 4, at.y(figure.best) + 14, "small over",
             fmt::format("the best of any policy, {:.3f}", figure.best));
  }
}

// certified up to lambda = 1; dashed beyond, where the curve is a lower bound
void draw_exact(Svg& svg, const FrontierFigure& figure, const Scale& at) {
  std::vector<std::pair<double, double>> known, beyond;
  for (const auto& point : figure.exact) {
    // a maximiser of H alone may have any D between its neighbours'
    if (point.lambda == 1) continue;
    const std::pair place(at.x(point.x), at.y(point.y));
    if (point.lambda < 1) known.push_back(place);
    if (point.lambda > 1) {
      if (beyond.empty() && !known.empty()) beyond.push_back(known.back());
      beyond.push_back(place);
    }
  }
  svg.path(known, "curve");
  svg.path(beyond, "curve dash");
}

// each with the colour of its lambda: hollow on the curve, full as it was learned
void draw_points(Svg& svg, const FrontierFigure& figure, const Scale& at) {
  for (const auto& name : figure.series) {
    for (const auto& point : figure.exact) {
      if (point.lambda != name.lambda || point.lambda == 1) continue;
      svg.circle(at.x(point.x), at.y(point.y), 5.5,
                 fmt::format("hollow c{}", name.colour % series_colours));
    }
  }
  for (const auto& run : figure.learned) {
    svg.circle(at.x(run.x), at.y(run.y), 4.5,
               fmt::format("swatch ring c{}", figure.series[run.series].colour % series_colours));
  }
}

void draw_legend(Svg& svg, const FrontierFigure& figure) {
  svg.line(left, 12, left + 22, 12, "curve");
  svg.text(left + 28, 16, "", "the largest D + λN, λ from 0 to 1");
  svg.line(left + 250, 12, left + 272, 12, "curve dash");
  svg.text(left + 278, 16, "", "λ > 1, the best found");
  double x = left + 4;
  for (const auto& [label, colour, lambda] : figure.series) {
    svg.circle(x, 35, 4.5, fmt::format("swatch ring c{}", colour % series_colours));
    svg.text(x + 9, 39, "", label);
    // letters of this size are some 6.3 wide; λ is two bytes
    x += 9 + 6.3 * static_cast<double>(label.size()) + 8;
  }
}

}  // namespace

std::vector<FrontierFigure> frontier_figures(const WorldReport& world) {
  if (!world.truth || world.truth->frontier.empty()) return {};
  FrontierFigure control = figure_of(world, &FrontierValues::D, "D");
  control.id = "frontier";
  control.title = "Coverage against control";
  control.words =
      "No policy has more of both H and D than the curve. Dots are runs, circles the optimum for "
      "their λ.";
  control.y_label = "control D, nats";
  FrontierFigure reaching = figure_of(world, &FrontierValues::success, "reach.mean");
  reaching.id = "reaching";
  reaching.title = "Coverage against reaching";
  reaching.words =
      "The chance to end in a goal that is named, mean over all goals: of the exact posterior "
      "along the curve, of the learned one where runs are measured.";
  reaching.y_label = "success";
  reaching.best = world.truth->best_success;
  return {std::move(control), std::move(reaching)};
}

std::string draw_frontier(const FrontierFigure& figure, Form form) {
  Svg svg(width, height, figure.title);
  const Scale at(figure);
  draw_axes(svg, figure, at);
  draw_exact(svg, figure, at);
  draw_points(svg, figure, at);
  draw_legend(svg, figure);
  return svg.finish(form);
}

}  // namespace vic
