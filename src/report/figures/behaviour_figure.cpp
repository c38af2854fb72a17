// What the options of a run did while it trained.
#include <fmt/core.h>

#include <algorithm>

#include "report/figures/charts.h"

namespace vic {
namespace {

constexpr double width = 340, height = 190, left = 42, right = 4, top = 8, bottom = 22;
constexpr std::size_t most_columns = 48;

// kinds beyond the colours of figures/palette.cpp begin again
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

}  // namespace

BehaviourKinds behaviour_kinds(const WorldReport& world) {
  BehaviourKinds kinds;
  for (const RunFiles* run : world.runs()) {
    if (!run->simulated) continue;
    for (const BehaviourLine& line : run->simulated->behaviours) {
      for (const BehaviourCount& one : line.behaviours) kinds[one.kind] = one.kind_name;
    }
  }
  return kinds;
}

std::string draw_behaviours(const RunFiles& run, Form form) {
  if (!run.simulated || run.simulated->behaviours.empty()) return "";
  const std::vector<BehaviourLine> lines = thinned(run.simulated->behaviours, most_columns);
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
  svg.line(left, height - bottom, width - right, height - bottom, "axis");
  svg.text(left, height - 6, "small", fmt::format("{}", lines.front().update));
  svg.text(width - right, height - 6, "small", fmt::format("update {}", lines.back().update),
           "end");
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
