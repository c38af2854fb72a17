// The exact frontier as a curve, and the runs as points.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "method/algorithm.h"
#include "method/settings.h"
#include "report/figures/charts.h"
#include "report/figures/palette.h"

namespace vic {
namespace {

constexpr double width = 480, height = 372, left = 46;

// the weight of chance in the objective of a run
double lambda_of(const RunFiles& run) {
  const std::string text = run.setting("train.lambda");
  TrainSettings settings;
  std::from_chars(text.data(), text.data() + text.size(), settings.lambda);
  return find_algorithm(run.algorithm).lambda_of(settings);
}

// coverage on the x axis, a member of the truth and a measure of runs on the other
FrontierFigure figure_of(FrontierFigure figure, const WorldReport& world,
                         double FrontierValues::*exact, const char* measure) {
  for (const FrontierValues& point : world.truth->frontier) {
    figure.exact.push_back({point.lambda, point.H, point.*exact});
  }
  // by increasing lambda, as the curve runs
  std::vector<const Series*> order;
  for (const Series& series : world.series) order.push_back(&series);
  std::ranges::stable_sort(order, {}, [](const Series* one) { return lambda_of(one->runs[0]); });
  for (const Series* series : order) {
    const double lambda = lambda_of(series->runs[0]);
    figure.series.push_back({fmt::format("λ {:g}", lambda), series->colour, lambda});
    for (const RunFiles* run : series->finished()) {
      const PerMeasure<double>& values = run->result->measures;
      if (const auto& y = values[measure]) {
        figure.learned.push_back({series->colour, *values["H"], *y});
      }
    }
  }
  return figure;
}

Plot plot_of(const FrontierFigure& figure) {
  Plot plot{.left = left, .right = width - 20, .top = 78, .bottom = height - 40};
  for (const auto& point : figure.exact) plot.across.hold(point.x), plot.up.hold(point.y);
  for (const auto& run : figure.learned) plot.across.hold(run.x), plot.up.hold(run.y);
  if (figure.best > 0) plot.up.hold(figure.best);
  const double air = plot.across.air();
  plot.across = {plot.across.low - air, plot.across.high + air};
  // quantities that cannot be negative begin at 0
  plot.up.hold(0);
  plot.up.high += plot.up.air();
  return plot;
}

void draw_axes(Svg& svg, const FrontierFigure& figure, const Plot& plot) {
  plot.draw_axes(svg, "coverage H, nats");
  svg.text(left, plot.top - 9, "small", figure.y_label);
  if (figure.best <= 0) return;
  const double y = plot.y(figure.best);
  svg.line(left, y, plot.right, y, "mark dot");
  svg.text(left + 4, y + 14, "small over",
           fmt::format("the best of any policy, {:.3f}", figure.best));
}

// certified up to lambda = 1; dashed beyond, where the curve is a lower bound
void draw_exact(Svg& svg, const FrontierFigure& figure, const Plot& plot) {
  std::vector<std::pair<double, double>> known, beyond;
  for (const auto& point : figure.exact) {
    // a maximiser of H alone may have any D between its neighbours'
    if (point.lambda == 1) continue;
    const std::pair place(plot.x(point.x), plot.y(point.y));
    if (point.lambda < 1) known.push_back(place);
    if (point.lambda > 1) {
      if (beyond.empty() && !known.empty()) beyond.push_back(known.back());
      beyond.push_back(place);
    }
  }
  svg.path(known, "curve");
  svg.path(beyond, "curve dash");
}

// each in the colour of its lambda: hollow on the exact curve, filled as learned
void draw_points(Svg& svg, const FrontierFigure& figure, const Plot& plot) {
  for (const auto& name : figure.series) {
    for (const auto& point : figure.exact) {
      if (point.lambda != name.lambda || point.lambda == 1) continue;
      svg.circle(plot.x(point.x), plot.y(point.y), 5.5, series_class("hollow", name.colour));
    }
  }
  for (const auto& run : figure.learned) {
    svg.circle(plot.x(run.x), plot.y(run.y), 4.5, series_class("swatch ring", run.colour));
  }
}

void draw_legend(Svg& svg, const FrontierFigure& figure) {
  svg.line(left, 12, left + 22, 12, "curve");
  svg.text(left + 28, 16, "", "the largest D + λN, λ from 0 to 1");
  svg.line(left + 250, 12, left + 272, 12, "curve dash");
  svg.text(left + 278, 16, "", "λ > 1, the best found");
  double x = left + 4;
  for (const auto& [label, colour, lambda] : figure.series) {
    svg.circle(x, 35, 4.5, series_class("swatch ring", colour));
    svg.text(x + 9, 39, "", label);
    // letters of this size are about 6.3 wide; λ is two bytes
    x += 9 + 6.3 * static_cast<double>(label.size()) + 8;
  }
}

}  // namespace

std::vector<FrontierFigure> frontier_figures(const WorldReport& world) {
  if (!world.truth || world.truth->frontier.empty()) return {};
  FrontierFigure control, reaching;
  control.id = "frontier";
  control.title = "Coverage against control";
  control.words =
      "No policy has more of both H and D than the curve. Dots are runs, circles the optimum for "
      "their λ.";
  control.y_label = "control D, nats";
  reaching.id = "reaching";
  reaching.title = "Coverage against reaching";
  reaching.words =
      "The probability of ending in a given goal, mean over all goals: of the exact posterior "
      "along the curve, of the learned one where runs are measured.";
  reaching.y_label = "success";
  reaching.best = world.truth->best_success;
  return {figure_of(control, world, &FrontierValues::D, "D"),
          figure_of(reaching, world, &FrontierValues::success, "reach.mean")};
}

std::string draw_frontier(const FrontierFigure& figure, Form form) {
  Svg svg(width, height, figure.title);
  const Plot plot = plot_of(figure);
  draw_axes(svg, figure, plot);
  draw_exact(svg, figure, plot);
  draw_points(svg, figure, plot);
  draw_legend(svg, figure);
  return svg.finish(form);
}

}  // namespace vic
