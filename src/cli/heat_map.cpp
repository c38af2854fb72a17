#include "cli/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace vic {
namespace {

// dark to bright green, as the paper paints its final states
std::string shade(double fraction, const char* text) {
  const auto mix = [&](int dark, int bright) {
    return dark + static_cast<int>(std::lround(fraction * (bright - dark)));
  };
  const int ink = fraction > 0.5 ? 16 : 250;
  return fmt::format("\x1b[38;5;{};48;2;{};{};{}m{}\x1b[0m", ink, mix(28, 60), mix(34, 220),
                     mix(32, 90), text);
}

std::string cell_text(double fraction, Palette palette, char start) {
  if (palette == Palette::colour) {
    return shade(fraction, start == ' ' ? "  " : "s0");
  }
  const int tenth = static_cast<int>(std::ceil(10 * fraction));
  if (fraction <= 0) return fmt::format(".{}", start);
  return tenth >= 10 ? fmt::format("X{}", start) : fmt::format("{}{}", tenth, start);
}

std::string on_picture(const TabularWorld& world, std::span<const double> p, double largest,
                       Palette palette) {
  // what stands in the picture where no state is: walls and gaps
  std::vector<std::vector<std::string>> text;
  for (const std::string& line : world.picture.lines) {
    auto& row = text.emplace_back();
    for (char c : line) {
      const bool gap = c == ' ' || palette == Palette::plain;
      row.push_back(gap ? std::string{c, ' '} : fmt::format("\x1b[48;5;240m  \x1b[0m"));
    }
  }
  for (int s = 0; s < world.S; ++s) {
    const Cell cell = world.picture.cells[s];
    text[cell.row][cell.column] = cell_text(p[s] / largest, palette, s == world.s_0 ? '<' : ' ');
  }
  std::string out;
  for (const auto& row : text) {
    out += "  ";
    for (const std::string& cell : row) out += cell;
    out += '\n';
  }
  if (palette == Palette::plain) {
    out += fmt::format("  1-9, X: tenths of the largest p = {:.4g}; '.': 0; '<': start\n", largest);
  } else {
    out += "  ";
    for (int i = 0; i <= 8; ++i) out += shade(i / 8.0, "  ");
    out += fmt::format("  p from 0 to {:.4g}\n", largest);
  }
  return out;
}

std::string as_bars(const TabularWorld& world, std::span<const double> p, double largest,
                    Palette palette) {
  constexpr int most = 40, width = 40;
  std::vector<int> order(world.S);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return p[a] > p[b]; });
  std::size_t name_width = 0;
  for (const std::string& name : world.state_names) name_width = std::max(name_width, name.size());
  name_width = std::min<std::size_t>(name_width, 24);
  std::string out;
  int shown = 0;
  for (int s : order) {
    if (p[s] <= 0 || shown == most) break;
    const int length = static_cast<int>(std::lround(p[s] / largest * width));
    const std::string blank(length, palette == Palette::plain ? '#' : ' ');
    out += fmt::format("  {:<{}.{}}  {:.6f}  {}\n", world.state_names[s], name_width, name_width,
                       p[s], palette == Palette::plain ? blank : shade(1, blank.c_str()));
    ++shown;
  }
  const auto positive = std::count_if(p.begin(), p.end(), [](double x) { return x > 0; });
  if (positive > shown) out += fmt::format("  and {} states more\n", positive - shown);
  return out;
}

}  // namespace

std::string route_map(const TabularWorld& world, std::span<const int> states, int goal) {
  std::vector<std::vector<std::string>> text;
  for (const std::string& line : world.picture.lines) {
    auto& row = text.emplace_back();
    for (char c : line) row.push_back({' ', c, ' '});
  }
  const auto mark = [&](int s, const std::string& what) {
    const Cell cell = world.picture.cells[s];
    text[cell.row][cell.column] = fmt::format("{:>2} ", what);
  };
  if (!text.empty()) {
    for (int s = 0; s < world.S; ++s) mark(s, ".");
    mark(goal, "G");
    for (std::size_t i = 0; i < states.size(); ++i) mark(states[i], fmt::format("{}", i % 100));
  }
  std::string out;
  for (const auto& row : text) {
    out += "  ";
    for (const std::string& cell : row) out += cell;
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

std::string heat_map(const TabularWorld& world, std::span<const double> p, Palette palette) {
  const double largest = *std::max_element(p.begin(), p.end());
  if (world.picture.empty()) return as_bars(world, p, largest, palette);
  return on_picture(world, p, largest, palette);
}

}  // namespace vic
