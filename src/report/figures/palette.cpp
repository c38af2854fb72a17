#include "report/figures/palette.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/report_files.h"

namespace vic {
namespace {

enum class Theme { light, dark };

struct Colour {
  const char *name, *light, *dark;

  const char* in(Theme theme) const { return theme == Theme::light ? light : dark; }
};

constexpr Colour colours[] = {{"ink", "#1b2230", "#e8ebf0"},     {"soft", "#566070", "#a6afbb"},
                              {"faint", "#8a93a1", "#7d8794"},   {"rule", "#dfe3e8", "#2c343d"},
                              {"paper", "#ffffff", "#13171c"},   {"wall", "#c9cfd7", "#3a434e"},
                              {"control", "#2f4b6e", "#86b4e4"}, {"chance", "#b4c3d4", "#3c5470"},
                              {"whole", "#8d99a8", "#66727f"},   {"warm", "#f1f3f6", "#1a2027"},
                              {"c0", "#d55e00", "#f5894a"},      {"c1", "#0072b2", "#5aaee8"},
                              {"c2", "#009e73", "#35c596"},      {"c3", "#b5588f", "#e395c3"},
                              {"c4", "#a87900", "#e0b03f"},      {"c5", "#3f9fd0", "#8fd3f4"},
                              {"c6", "#6b6f76", "#a3a9b1"},      {"c7", "#7a4fb5", "#b79bea"}};

using Rgb = std::array<double, 3>;

// from nothing to the largest p: away from the paper in lightness, through green-blue
constexpr std::array<Rgb, 6> light_heat = {{{250, 251, 251},
                                            {211, 231, 228},
                                            {143, 198, 200},
                                            {72, 152, 175},
                                            {33, 103, 145},
                                            {17, 56, 98}}};
constexpr std::array<Rgb, 6> dark_heat = {
    {{24, 29, 35}, {27, 62, 88}, {35, 104, 140}, {68, 156, 176}, {146, 209, 199}, {235, 249, 220}}};

std::string heat_colour(Theme theme, double share) {
  const auto& stops = theme == Theme::light ? light_heat : dark_heat;
  const double at = share * static_cast<double>(stops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double w = at - static_cast<double>(i);
  std::array<int, 3> rgb{};
  for (std::size_t k = 0; k < 3; ++k) {
    rgb[k] = static_cast<int>(std::lround((1 - w) * stops[i][k] + w * stops[i + 1][k]));
  }
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

// the heat classes, each rule after `prefix`
std::string heat_css(Theme theme, const std::string& prefix) {
  std::string css;
  for (int level = 0; level <= heat_levels; ++level) {
    css += fmt::format("{}.fig .h{}{{fill:{}}}", prefix, level,
                       heat_colour(theme, static_cast<double>(level) / heat_levels));
  }
  // ink that is read on the upper half of the scale
  css += fmt::format("{}.fig .value.on{{fill:{}}}", prefix,
                     theme == Theme::light ? "#ffffff" : "#10151b");
  return css;
}

// "--ink:#1d2430;--c0:#d55e00;…"
std::string colour_variables(Theme theme) {
  std::string css;
  for (const Colour& colour : colours) {
    css += fmt::format("--{}:{};", colour.name, colour.in(theme));
  }
  return css;
}

// the file has a rule a line
std::string rules() {
  std::string css(resources::figure_css);
  std::erase(css, '\n');
  return css;
}

}  // namespace

int heat_level(double share) {
  if (!(share > 0)) return 0;
  // the smallest p that is not 0 does not look like 0
  return std::clamp(static_cast<int>(std::lround(std::sqrt(share) * heat_levels)), 1, heat_levels);
}

std::string series_class(std::string_view look, int colour) {
  return fmt::format("{} c{}", look, colour % series_colours);
}

std::string figure_css() {
  const std::string dark = ":root[data-theme=\"dark\"]";
  return fmt::format(":root{{{}}}\n{}\n@media screen{{{}{{{}}}{}}}\n{}",
                     colour_variables(Theme::light), heat_css(Theme::light, ""), dark,
                     colour_variables(Theme::dark), heat_css(Theme::dark, dark + " "), rules());
}

std::string standalone_css() {
  std::string css = rules();
  for (const Colour& colour : colours) {
    const std::string variable = fmt::format("var(--{})", colour.name);
    for (std::size_t at = 0; (at = css.find(variable, at)) != std::string::npos;) {
      css.replace(at, variable.size(), colour.light);
    }
  }
  return css + heat_css(Theme::light, "");
}

}  // namespace vic
