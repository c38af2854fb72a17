// Bars: H split into D, control, and N, chance.
#include <fmt/core.h>

#include <algorithm>

#include "report/figures/charts.h"
#include "report/figures/palette.h"

namespace vic {
namespace {

// pixels of the split
constexpr double width = 460, left = 2, right = 14, top = 44, bottom = 34;
constexpr double row_height = 40, bar_height = 14, line_height = 15;

// the series, and the references they are compared with, whose colour is -1
std::vector<SeriesSummary> rows_of(const WorldReport& world, std::vector<SeriesSummary> rows) {
  std::erase_if(rows, [](const SeriesSummary& one) { return !one.values["H"]; });
  const auto add = [&](const char* label, double H, std::optional<double> D,
                       std::optional<double> N) {
    const auto alone = [](double x) { return Estimate{.mean = x, .half = {}}; };
    SeriesSummary& row = rows.emplace_back();
    row.label = label;
    row.colour = -1;
    row.values["H"] = alone(H);
    if (D) row.values["D"] = alone(*D);
    if (N) row.values["N"] = alone(*N);
  };
  if (const auto H = world.optimum("H_at_D_max"), D = world.optimum("D_max"); H && D) {
    add("the maximiser of D", *H, D, *H - *D);
  }
  if (const auto& truth = world.truth) {
    add("uniform policy", truth->uniform_H, truth->uniform_D, truth->uniform_N);
  }
  return rows;
}

bool is_split(const SeriesSummary& row) {
  return row.values["D"] && row.values["N"];
}

std::string values_text(const SeriesSummary& row) {
  if (!is_split(row)) return fmt::format("H {:.3f}", row.values["H"]->mean);
  return fmt::format("D {:.3f} + N {:.3f} = H {:.3f}", row.values["D"]->mean, row.values["N"]->mean,
                     row.values["H"]->mean);
}

// whether name and values need a separate line each
bool is_long(const SeriesSummary& row) {
  return 13 + label_width(row.label) + label_width(values_text(row)) > width - right - 30;
}

// the name in as many lines as it needs
std::vector<std::string> name_lines(const SeriesSummary& row) {
  std::vector<std::string> lines(1);
  std::string_view rest = row.label;
  while (!rest.empty()) {
    // settings are separated by middle dots
    const std::size_t end = std::min(rest.find(" · ", 1), rest.size());
    const std::string part(rest.substr(0, end));
    rest.remove_prefix(end);
    const bool full = label_width(lines.back() + part) > width - right - 20;
    if (full && !lines.back().empty()) lines.emplace_back();
    lines.back() += part;
  }
  return lines;
}

// draws downward from y; returns where it ends
double draw_row(Svg& svg, const SeriesSummary& row, double y, const Plot& plot) {
  const auto names = name_lines(row);
  y += line_height * static_cast<double>(names.size() - (is_long(row) ? 0 : 1));
  const auto bar = [&](double from, double to, const char* part) {
    svg.rect(plot.x(from), y, plot.x(to) - plot.x(from), bar_height, part,
             fmt::format(" data-tip=\"{}\"", escape_markup(row.label + ": " + values_text(row))));
  };
  double indent = 0;
  if (row.colour >= 0) indent = 13;
  double name_y = y - 5 - line_height * static_cast<double>(names.size() - (is_long(row) ? 0 : 1));
  if (row.colour >= 0) svg.circle(left + 4, name_y - 4, 4, series_class("swatch", row.colour));
  for (const std::string& line : names) {
    svg.text(left + indent, std::exchange(name_y, name_y + line_height),
             row.colour >= 0 ? "name over" : "over", line);
  }
  svg.text(width - right - 7, y - 5, "small over", values_text(row), "end");
  if (is_split(row)) {
    bar(0, row.values["D"]->mean, "control");
    bar(row.values["D"]->mean, row.values["D"]->mean + row.values["N"]->mean, "chance");
  } else {
    bar(0, row.values["H"]->mean, "whole");
  }
  if (row.values["H"]->half) {
    const double low = plot.x(std::max(0.0, row.values["H"]->mean - *row.values["H"]->half));
    const double high = plot.x(row.values["H"]->mean + *row.values["H"]->half),
                 middle = y + bar_height / 2;
    svg.line(low, middle, high, middle, "whisker");
    for (double end : {low, high}) svg.line(end, middle - 3, end, middle + 3, "whisker");
  }
  return y + row_height;
}

void draw_marks(Svg& svg, const WorldReport& world, const Plot& plot) {
  std::vector<CurveMark> marks;
  if (const auto D = world.optimum("D_max")) marks.push_back({"D_max", *D, "dash"});
  if (const auto H = world.optimum("H_max")) marks.push_back({"H_max", *H, ""});
  std::vector<double> places;
  for (const CurveMark& mark : marks) places.push_back(plot.x(mark.value));
  // a label's centre keeps half its width from the edges
  const auto labels = spread(places, 92, 44, width - 46);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    svg.line(places[i], top - 24, places[i], plot.bottom, "mark " + marks[i].style);
    svg.symbol(labels[i], top - 30, "small",
               fmt::format("{} {:.3f}", marks[i].label, marks[i].value), "middle");
  }
}

}  // namespace

std::string draw_bars(const WorldReport& world, const std::vector<SeriesSummary>& summaries,
                      Form form) {
  const std::vector<SeriesSummary> rows = rows_of(world, summaries);
  double largest = world.optimum("H_max").value_or(0);
  for (const SeriesSummary& row : rows)
    largest = std::max(largest, row.values["H"]->mean + row.values["H"]->half.value_or(0));
  if (!(largest > 0)) largest = 1;
  Svg probe(width, top, "");
  double end = top + 20;
  const Plot anywhere{.left = left, .right = width - right, .across = {0, largest}};
  for (const SeriesSummary& row : rows) end = draw_row(probe, row, end, anywhere);
  const double height = end - 20 + bottom;
  Plot plot{.left = left, .right = width - right, .top = top, .bottom = height - bottom};
  plot.across = {0, largest};

  Svg svg(width, height, "H split into control D and chance N, " + world.label);
  for (double value : round_ticks(0, largest, 5)) {
    svg.line(plot.x(value), top, plot.x(value), plot.bottom, "grid");
    svg.text(plot.x(value), plot.bottom + 15, "small", fmt::format("{:g}", value),
             value == 0 ? "start" : "middle");
  }
  draw_marks(svg, world, plot);
  double y = top + 20;
  for (const SeriesSummary& row : rows) y = draw_row(svg, row, y, plot);
  svg.line(left, plot.bottom, plot.right, plot.bottom, "axis");
  const auto legend = [&](double x, const char* part, const char* words) {
    svg.rect(x, height - 11, 10, 10, part);
    svg.text(x + 15, height - 2, "small", words);
  };
  legend(left, "control", "D, control");
  legend(left + 84, "chance", "N, chance");
  if (!std::all_of(rows.begin(), rows.end(), is_split)) {
    legend(left + 166, "whole", "H, not split");
  }
  svg.text(plot.right, height - 2, "small", "nats", "end");
  return svg.finish(form);
}

}  // namespace vic
