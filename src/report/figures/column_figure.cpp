// Columns over the updates of a training: H split into D and N, and behaviours.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "report/figures/charts.h"
#include "report/figures/palette.h"

namespace vic {
namespace {

constexpr double width = 340, height = 190, top = 8, bottom = 22;
constexpr std::size_t most_columns = 48;

// the first and the last update below the columns
void draw_updates(Svg& svg, double left, double right, long first, long last) {
  svg.line(left, height - bottom, right, height - bottom, "axis");
  svg.text(left, height - 6, "small", grouped_text(first));
  svg.text(right, height - 6, "small", fmt::format("update {}", grouped_text(last)), "end");
}

// the colours of figures/palette.cpp repeat beyond these kinds
constexpr int colours = 9;

// the share of each kind, and its name
std::map<int, std::pair<double, std::string>> shares_of(const BehaviourLine& line) {
  std::map<int, std::pair<double, std::string>> shares;
  long all = 0;
  for (const BehaviourCount& one : line.behaviours) all += one.options;
  for (const BehaviourCount& one : line.behaviours) {
    auto& [share, name] = shares[one.kind];
    share += static_cast<double>(one.options) / static_cast<double>(std::max(1L, all));
    name = one.kind_name;
  }
  return shares;
}

// the largest possible values, named at the right edge of a plot
void draw_optima(Svg& svg, const WorldReport& world, const Plot& plot) {
  std::vector<CurveMark> marks;
  if (const auto H = world.optimum("H_max")) marks.push_back({"H_max", *H, ""});
  if (const auto D = world.optimum("D_max")) marks.push_back({"D_max", *D, "dash"});
  std::vector<double> places;
  for (const CurveMark& mark : marks) places.push_back(plot.y(mark.value));
  const auto labels = spread(places, 13, plot.top, plot.bottom);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    svg.line(plot.left, places[i], plot.right, places[i], "mark " + marks[i].style);
    svg.symbol(plot.right + 5, labels[i] + 4, "small", marks[i].label);
  }
}

}  // namespace

std::string draw_control(const WorldReport& world, const Series& series, Form form) {
  const ControlCurve curve = mean_control(series);
  if (curve.update.empty()) return "";
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < curve.update.size(); ++i) columns.push_back(i);
  columns = thinned(columns, most_columns);
  double most = std::max(world.optimum("H_max").value_or(0), world.optimum("D_max").value_or(0));
  for (double H : curve.H) most = std::max(most, H);
  Plot plot{.left = 32, .right = width - 42, .top = top, .bottom = height - bottom};
  plot.up = {0, most > 0 ? 1.04 * most : 1};
  plot.across = {0, static_cast<double>(columns.size())};

  Svg svg(width, height, "H during training, split into control D and chance N, " + series.label);
  for (double value : round_ticks(0, plot.up.high, 4)) {
    svg.line(plot.left, plot.y(value), plot.right, plot.y(value), "grid");
    svg.text(plot.left - 6, plot.y(value) + 4, "small", fmt::format("{:g}", value), "end");
  }
  const double step = plot.x(1) - plot.x(0);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::size_t i = columns[k];
    const bool split = !curve.D.empty();
    const std::string tip = fmt::format(
        " data-tip=\"update {}: {}H {:.3f}\"", grouped_text(curve.update[i]),
        split ? fmt::format("D {:.3f} + N {:.3f} = ", curve.D[i], curve.N[i]) : "", curve.H[i]);
    const auto bar = [&](double from, double to, const char* part) {
      svg.rect(plot.x(static_cast<double>(k)), plot.y(to), std::max(0.5, step - 1),
               plot.y(from) - plot.y(to), part, tip);
    };
    if (split) {
      bar(0, curve.D[i], "control");
      bar(curve.D[i], curve.H[i], "chance");
    } else {
      bar(0, curve.H[i], "whole");
    }
  }
  draw_optima(svg, world, plot);
  draw_updates(svg, plot.left, plot.right, curve.update[columns.front()],
               curve.update[columns.back()]);
  return svg.finish(form);
}

BehaviourKinds behaviour_kinds(const WorldReport& world) {
  BehaviourKinds kinds;
  for (const RunFiles* run : world.runs()) {
    for (const BehaviourLine& line : run->behaviours) {
      for (const BehaviourCount& one : line.behaviours) kinds[one.kind] = one.kind_name;
    }
  }
  return kinds;
}

std::string draw_behaviours(const RunFiles& run, Form form) {
  constexpr double left = 42, right = 4;
  if (run.behaviours.empty()) return "";
  const std::vector<BehaviourLine> lines = thinned(run.behaviours, most_columns);
  Svg svg(width, height, fmt::format("what options did during training, seed {}", run.seed));
  const double high = height - top - bottom;
  const double step = (width - left - right) / static_cast<double>(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    double y = height - bottom;
    for (const auto& [kind, entry] : shares_of(lines[i])) {
      const auto& [share, name] = entry;
      if (share == 0) continue;
      y -= share * high;
      svg.rect(left + step * static_cast<double>(i), y, std::max(0.5, step - 1), share * high,
               fmt::format("b{}", kind % colours),
               fmt::format(" data-tip=\"update {}: {} {:.1f} %\"", lines[i].update,
                           escape_markup(name), 100 * share));
    }
  }
  for (int percent : {0, 50, 100}) {
    const double y = height - bottom - high * percent / 100;
    svg.text(left - 6, y + 4, "small", fmt::format("{} %", percent), "end");
  }
  draw_updates(svg, left, width - right, lines.front().update, lines.back().update);
  return svg.finish(form);
}

std::string behaviour_legend_html(const BehaviourKinds& kinds) {
  std::string html;
  for (const auto& [kind, name] : kinds) {
    html += fmt::format(
        "<li><svg class=\"fig\" width=\"12\" height=\"12\" aria-hidden=\"true\"><rect width=\"12\" "
        "height=\"12\" class=\"b{}\"/></svg>{}</li>",
        kind % colours, escape_markup(name));
  }
  return fmt::format("<ul class=\"kinds\">{}</ul>\n", html);
}

}  // namespace vic
