#include "cli/heat_map.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vic {
namespace {

// dark to bright green, as in the paper's figures of final states
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

// the picture with the text of each state in its cell; `elsewhere` makes the text of walls and gaps
template <class Elsewhere>
std::vector<std::string> on_picture(const TabularWorld& world,
                                    const std::vector<std::string>& cells,
                                    const Elsewhere& elsewhere) {
  std::vector<std::vector<std::string>> text;
  for (const std::string& line : world.picture.lines) {
    auto& row = text.emplace_back();
    for (char c : line) row.push_back(elsewhere(c));
  }
  for (int s = 0; s < world.S; ++s) {
    const Cell cell = world.picture.cells[s];
    text[cell.row][cell.column] = cells[s];
  }
  std::vector<std::string> lines;
  for (const auto& row : text) lines.push_back(fmt::format("  {}", fmt::join(row, "")));
  return lines;
}

// the same with two characters per cell, and the legend of plain text or of the shades
std::string shaded(const TabularWorld& world, const std::vector<std::string>& cells,
                   Palette palette, const std::string& plain, const std::string& shades) {
  const auto lines = on_picture(world, cells, [&](char c) {
    const bool gap = c == ' ' || palette == Palette::plain;
    return gap ? std::string{c, ' '} : std::string("\x1b[48;5;240m  \x1b[0m");
  });
  std::string legend = palette == Palette::plain ? plain : "  ";
  for (int i = 0; i <= 8 && palette == Palette::colour; ++i) legend += shade(i / 8.0, "  ");
  if (palette == Palette::colour) legend += shades;
  return fmt::format("{}\n{}\n", fmt::join(lines, "\n"), legend);
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
  if (world.picture.empty()) return "";
  std::vector<std::string> cells(world.S, " . ");
  cells[goal] = " G ";
  for (std::size_t i = 0; i < states.size(); ++i) cells[states[i]] = fmt::format("{:>2} ", i % 100);
  std::string out;
  for (std::string& line : on_picture(world, cells, [](char c) {
         return std::string{' ', c, ' '};
       })) {
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string heat_map(const TabularWorld& world, std::span<const double> p, Palette palette) {
  const double largest = *std::max_element(p.begin(), p.end());
  if (world.picture.empty()) return as_bars(world, p, largest, palette);
  std::vector<std::string> cells;
  for (int s = 0; s < world.S; ++s) {
    cells.push_back(cell_text(p[s] / largest, palette, s == world.s_0 ? '<' : ' '));
  }
  return shaded(
      world, cells, palette,
      fmt::format("  1-9, X: tenths of the largest p = {:.4g}; '.': 0; '<': start", largest),
      fmt::format("  p from 0 to {:.4g}", largest));
}

std::string value_map(const TabularWorld& world, std::span<const std::optional<double>> values,
                      Palette palette) {
  if (world.picture.empty()) return "";
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const std::optional<double>& value : values) {
    if (!value) continue;
    low = std::min(low, *value);
    high = std::max(high, *value);
  }
  std::vector<std::string> cells;
  for (const std::optional<double>& value : values) {
    const double fraction = value && high > low ? (*value - low) / (high - low) : 1;
    if (!value) {
      cells.emplace_back(". ");
    } else if (palette == Palette::colour) {
      cells.push_back(shade(fraction, "  "));
    } else {
      cells.push_back(fmt::format("{} ", std::min(9, static_cast<int>(10 * fraction))));
    }
  }
  return shaded(world, cells, palette,
                fmt::format("  0-9: from {:.4f} to {:.4f}; '.': none", low, high),
                fmt::format("  from {:.4f} to {:.4f}", low, high));
}

std::string value_sheet(const TabularWorld& world, const std::vector<ValuePanel>& panels,
                        const std::string& label) {
  const HeatLayout layout = layout_of(world.picture, world.state_names);
  std::vector<ValuePanel> drawn;
  for (const ValuePanel& panel : panels) {
    ValuePanel& one = drawn.emplace_back(ValuePanel{panel.title, {}});
    for (const auto& place : layout.places) {
      one.values.push_back(panel.values[*world.state_named(place.state)]);
    }
  }
  return draw_value_sheet(layout, drawn, label, Form::file);
}

}  // namespace vic
