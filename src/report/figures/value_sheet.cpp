#include "report/figures/value_sheet.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/figures/palette.h"

namespace vic {
namespace {

constexpr double gap = 22, head = 22, scale_height = 34;

struct Span {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  explicit Span(const ValuePanel& panel) {
    for (const std::optional<double>& value : panel.values) {
      if (!value) continue;
      low = std::min(low, *value);
      high = std::max(high, *value);
    }
  }

  // in lightness, linear: a number of nats is seen as it is
  int level(double value) const {
    const double share = high > low ? (value - low) / (high - low) : 0.5;
    return static_cast<int>(std::lround(share * heat_levels));
  }
};

void draw_panel(Svg& svg, const HeatLayout& layout, const ValuePanel& panel, double x, double y) {
  const Span span(panel);
  std::vector<CellLook> looks;
  for (const std::optional<double>& value : panel.values) {
    looks.push_back(value ? CellLook{span.level(*value), fmt::format("{:.2f}", *value)}
                          : CellLook{-1, ""});
  }
  svg.symbol(x + 1, y + 14, "name", panel.title);
  draw_cells(svg, layout, looks, x, y + head);
  // the scale below
  constexpr double step = 3;
  const double top = y + head + layout.height + 4, width = step * (heat_levels + 1);
  for (int level = 0; level <= heat_levels; ++level) {
    svg.rect(x + 1 + step * level, top, step + 0.5, 10, fmt::format("h{}", level));
  }
  svg.text(x + 1, top + 23, "small", fmt::format("{:.3f}", span.low));
  svg.text(x + 1 + width, top + 23, "small", fmt::format("{:.3f}", span.high), "end");
}

}  // namespace

std::string draw_value_sheet(const HeatLayout& layout, const std::vector<ValuePanel>& panels,
                             const std::string& label, Form form) {
  const double width = std::max(layout.width, 140.0) + gap;
  const double height = layout.height + head + scale_height;
  // what is flat is stacked, what is not stands side by side, two in a row
  const int n = static_cast<int>(panels.size()), across = layout.width > 3 * layout.height ? 1 : 2;
  const int rows = (n + across - 1) / across;
  Svg svg(width * std::min(n, across), (height + gap) * rows, label);
  for (int i = 0; i < n; ++i) {
    draw_panel(svg, layout, panels[i], width * (i % across), (height + gap) * (i / across));
  }
  return svg.finish(form);
}

}  // namespace vic
