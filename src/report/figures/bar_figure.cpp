#include "report/figures/bar_figure.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/figures/curve_figure.h"
#include "report/figures/palette.h"

namespace vic {
namespace {

constexpr double width = 460, left = 2, right = 14, top = 44, bottom = 34;
constexpr double row_height = 40, bar_height = 14;

struct Row {
  std::string label;
  int colour = -1;  // none: no learner
  Estimate H;
  std::optional<double> D, N;
};

std::vector<Row> rows_of(const WorldReport& world, const std::vector<SeriesSummary>& summaries) {
  std::vector<Row> rows;
  for (const SeriesSummary& one : summaries) {
    const auto &H = one.values["H"], &D = one.values["D"], &N = one.values["N"];
    if (!H) continue;
    Row row{.label = one.label, .colour = one.colour, .H = *H, .D = {}, .N = {}};
    if (D && N) row.D = D->mean, row.N = N->mean;
    rows.push_back(std::move(row));
  }
  if (world.D_max() && world.H_at_D_max()) {
    rows.push_back({.label = "the maximiser of D",
                    .colour = -1,
                    .H = {.mean = *world.H_at_D_max(), .half = {}, .n = 0},
                    .D = world.D_max(),
                    .N = *world.H_at_D_max() - *world.D_max()});
  }
  if (world.truth) {
    rows.push_back({.label = "uniform policy",
                    .colour = -1,
                    .H = {.mean = world.truth->uniform_H, .half = {}, .n = 0},
                    .D = world.truth->uniform_D,
                    .N = world.truth->uniform_N});
  }
  return rows;
}

std::string values_text(const Row& row) {
  if (!row.D) return fmt::format("H {:.3f}", row.H.mean);
  return fmt::format("D {:.3f} + N {:.3f} = H {:.3f}", *row.D, *row.N, row.H.mean);
}

template <class ToX>
void draw_row(Svg& svg, const Row& row, double y, ToX x) {
  const std::string tip =
      fmt::format(" data-tip=\"{}\"", escape_markup(row.label + ": " + values_text(row)));
  double indent = 0;
  if (row.colour >= 0) {
    svg.circle(left + 4, y - 9, 4, fmt::format("swatch c{}", row.colour % series_colours));
    indent = 13;
  }
  svg.text(left + indent, y - 5, row.colour >= 0 ? "name over" : "over", row.label);
  svg.text(width - right - 7, y - 5, "small over", values_text(row), "end");
  if (row.D) {
    svg.rect(x(0), y, x(*row.D) - x(0), bar_height, "control", tip);
    svg.rect(x(*row.D), y, x(*row.D + *row.N) - x(*row.D), bar_height, "chance", tip);
  } else {
    svg.rect(x(0), y, x(row.H.mean) - x(0), bar_height, "whole", tip);
  }
  if (row.H.half) {
    const double low = x(std::max(0.0, row.H.mean - *row.H.half)),
                 high = x(row.H.mean + *row.H.half);
    const double middle = y + bar_height / 2;
    svg.line(low, middle, high, middle, "whisker");
    svg.line(low, middle - 3, low, middle + 3, "whisker");
    svg.line(high, middle - 3, high, middle + 3, "whisker");
  }
}

template <class ToX>
void draw_marks(Svg& svg, const WorldReport& world, double height, ToX x) {
  std::vector<CurveMark> marks;
  if (world.D_max()) marks.push_back({"D_max", *world.D_max(), "dash"});
  if (world.H_max()) marks.push_back({"H_max", *world.H_max(), ""});
  std::vector<double> places;
  for (const CurveMark& mark : marks) places.push_back(x(mark.value));
  const auto labels = spread(places, 84, 40, width - right - 40);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    svg.line(places[i], top - 24, places[i], height - bottom, "mark " + marks[i].style);
    svg.symbol(labels[i], top - 30, "small",
               fmt::format("{} {:.3f}", marks[i].label, marks[i].value), "middle");
  }
}

}  // namespace

std::string draw_bars(const WorldReport& world, const std::vector<SeriesSummary>& summaries,
                      Form form) {
  const std::vector<Row> rows = rows_of(world, summaries);
  double largest = world.H_max().value_or(0);
  for (const Row& row : rows) largest = std::max(largest, row.H.mean + row.H.half.value_or(0));
  if (!(largest > 0)) largest = 1;
  const double height = top + row_height * static_cast<double>(rows.size()) + bottom;
  const auto x = [&](double value) { return left + value / largest * (width - left - right); };

  Svg svg(width, height, "H split into control D and chance N, " + world.label);
  for (double value : round_ticks(0, largest, 5)) {
    svg.line(x(value), top, x(value), height - bottom, "grid");
    svg.text(x(value), height - bottom + 15, "small", fmt::format("{:g}", value),
             value == 0 ? "start" : "middle");
  }
  draw_marks(svg, world, height, x);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    draw_row(svg, rows[i], top + row_height * static_cast<double>(i) + 20, x);
  }
  svg.line(left, height - bottom, width - right, height - bottom, "axis");
  svg.rect(left, height - 11, 10, 10, "control");
  svg.text(left + 15, height - 2, "small", "D, control");
  svg.rect(left + 84, height - 11, 10, 10, "chance");
  svg.text(left + 99, height - 2, "small", "N, chance");
  if (std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.D; })) {
    svg.rect(left + 166, height - 11, 10, 10, "whole");
    svg.text(left + 181, height - 2, "small", "H, not split");
  }
  svg.text(width - right, height - 2, "small", "nats", "end");
  return svg.finish(form);
}

}  // namespace vic
