#include "report/figures/behaviour_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

namespace vic {
namespace {

constexpr double width = 340, height = 190, left = 42, right = 4, top = 8, bottom = 22;
constexpr std::size_t kinds = behaviour_kinds.size();
constexpr std::size_t most_columns = 48;

std::array<double, kinds> shares_of(const BehaviourLine& line) {
  std::array<double, kinds> shares{};
  long all = 0;
  for (const auto& [name, options] : line.behaviours) all += options;
  for (const auto& [name, options] : line.behaviours) {
    shares[behaviour_kind(name)] +=
        static_cast<double>(options) / static_cast<double>(std::max(1L, all));
  }
  return shares;
}

}  // namespace

std::size_t behaviour_kind(const std::string& name) {
  const bool several = std::atoi(name.c_str()) >= 2;
  if (name.find("backflip") != std::string::npos) return several ? 0 : 1;
  if (name.find("forward flip") != std::string::npos) return several ? 3 : 2;
  if (name.starts_with("runs")) return 4;
  if (name.starts_with("crawls")) return 5;
  if (name == "stands on its nose" || name == "rears up") return 7;
  if (name == "lies on its back") return 8;
  return 6;
}

std::string draw_behaviours(const RunFiles& run, Form form) {
  if (run.behaviours.empty()) return "";
  // thinned from the end, so that the last line stays
  std::vector<const BehaviourLine*> lines;
  const std::size_t n = run.behaviours.size(), stride = (n + most_columns - 1) / most_columns;
  for (std::size_t i = 0; i < n; ++i) {
    if ((n - 1 - i) % stride == 0) lines.push_back(&run.behaviours[i]);
  }
  Svg svg(width, height, fmt::format("what options did during training, seed {}", run.seed));
  const double high = height - top - bottom;
  const double step = (width - left - right) / static_cast<double>(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    double y = height - bottom;
    const auto shares = shares_of(*lines[i]);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      if (shares[kind] == 0) continue;
      y -= shares[kind] * high;
      svg.rect(left + step * static_cast<double>(i), y, std::max(0.5, step - 1),
               shares[kind] * high, fmt::format("b{}", kind),
               fmt::format(" data-tip=\"update {}: {} {:.1f} %\"", lines[i]->update,
                           behaviour_kinds[kind], 100 * shares[kind]));
    }
  }
  for (int percent : {0, 50, 100}) {
    const double y = height - bottom - high * percent / 100;
    svg.text(left - 6, y + 4, "small", fmt::format("{} %", percent), "end");
  }
  svg.line(left, height - bottom, width - right, height - bottom, "axis");
  svg.text(left, height - 6, "small", fmt::format("{}", lines.front()->update));
  svg.text(width - right, height - 6, "small", fmt::format("update {}", lines.back()->update),
           "end");
  return svg.finish(form);
}

std::string behaviour_legend_html() {
  std::string html;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    html += fmt::format(
        "<li><svg class=\"fig\" width=\"12\" height=\"12\" aria-hidden=\"true\"><rect width=\"12\" "
        "height=\"12\" class=\"b{}\"/></svg>{}</li>",
        kind, escape_markup(behaviour_kinds[kind]));
  }
  return fmt::format("<ul class=\"kinds\">{}</ul>\n", html);
}

}  // namespace vic
