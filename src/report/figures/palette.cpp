#include "report/figures/palette.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace vic {
namespace {

using Colours = std::vector<std::pair<const char*, const char*>>;

const Colours& colours(Theme theme) {
  static const Colours light = {
      {"ink", "#1b2230"},   {"soft", "#566070"}, {"faint", "#8a93a1"},   {"rule", "#dfe3e8"},
      {"paper", "#ffffff"}, {"wall", "#c9cfd7"}, {"control", "#2f4b6e"}, {"chance", "#b4c3d4"},
      {"whole", "#8d99a8"}, {"warm", "#f1f3f6"}, {"c0", "#d55e00"},      {"c1", "#0072b2"},
      {"c2", "#009e73"},    {"c3", "#b5588f"},   {"c4", "#a87900"},      {"c5", "#3f9fd0"},
      {"c6", "#6b6f76"},    {"c7", "#7a4fb5"},
  };
  static const Colours dark = {
      {"ink", "#e8ebf0"},   {"soft", "#a6afbb"}, {"faint", "#7d8794"},   {"rule", "#2c343d"},
      {"paper", "#13171c"}, {"wall", "#3a434e"}, {"control", "#86b4e4"}, {"chance", "#3c5470"},
      {"whole", "#66727f"}, {"warm", "#1a2027"}, {"c0", "#f5894a"},      {"c1", "#5aaee8"},
      {"c2", "#35c596"},    {"c3", "#e395c3"},   {"c4", "#e0b03f"},      {"c5", "#8fd3f4"},
      {"c6", "#a3a9b1"},    {"c7", "#b79bea"},
  };
  return theme == Theme::light ? light : dark;
}

// names of colours are $ink, $c0, …
std::string rules() {
  std::string css =
      ".fig text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;"
      "font-size:12px;fill:$ink;font-variant-numeric:tabular-nums}"
      ".fig .sub{font-size:.8em}.fig .over{paint-order:stroke;stroke:$paper;stroke-width:4px;"
      "stroke-linejoin:round}.fig .small{font-size:11px;fill:$soft}.fig .name{font-weight:600}"
      ".fig .axis{stroke:$faint;stroke-width:1;fill:none}"
      ".fig .grid{stroke:$rule;stroke-width:1;fill:none}"
      ".fig .warm{fill:$warm}"
      ".fig .mark{stroke:$soft;stroke-width:1.2;fill:none}"
      ".fig .curve{stroke:$ink;stroke-width:1.6;fill:none;stroke-linejoin:round}"
      ".fig .hollow{fill:$paper;stroke-width:2}"
      ".fig .ring{stroke:$paper;stroke-width:1}"
      ".fig .dash{stroke-dasharray:6 4}.fig .dot{stroke-dasharray:1.5 3}"
      ".fig .mean{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}"
      ".fig .band{stroke:none;fill-opacity:.18}"
      ".fig .control{fill:$control}.fig .chance{fill:$chance}.fig .whole{fill:$whole}"
      ".fig .whisker{stroke:$ink;stroke-width:1.4;fill:none}"
      ".fig .route{fill:none;stroke:$ink;stroke-width:1.6;stroke-linejoin:round;opacity:0.75}"
      ".fig .wall{fill:$wall}.fig .edge{stroke:$faint;stroke-width:1.2;fill:none}"
      ".fig .cell{stroke:$rule;stroke-width:1}.fig .start{stroke:$ink;stroke-width:2}"
      ".fig .value{font-size:11px;text-anchor:middle}"
      ".fig .sky{fill:$warm}.fig .ground{fill:$rule}.fig .trail{stroke:$c5;stroke-width:1.6;"
      "fill:none;stroke-linejoin:round}.fig .step{fill:$c5}"
      ".fig .limb,.fig .halo{fill:none;stroke-linecap:round}.fig .halo{stroke:$warm}"
      ".fig .b0,.fig .b1{fill:$c0}.fig .b2,.fig .b3{fill:$c1}.fig .b4{fill:$c2}.fig .b5{fill:$c4}"
      ".fig .b6{fill:$chance}.fig .b7{fill:$c3}.fig .b8{fill:$c6}"
      ".fig .b1,.fig .b2{fill-opacity:.55}.fig .b5,.fig .b7,.fig .b8{fill-opacity:.7}"
      ".fig .ghost{opacity:.45}.fig .fixed{stroke:$faint}.fig .l0{stroke:$control}"
      ".fig .l1{stroke:$c0}.fig .l2{stroke:$c4}.fig .l3{stroke:$c2}.fig .l4{stroke:$c3}";
  for (int c = 0; c < series_colours; ++c) {
    css += fmt::format(
        ".fig .mean.c{0},.fig .hollow.c{0}{{stroke:$c{0}}}.fig .band.c{0},.fig "
        ".swatch.c{0}{{fill:$c{0}}}",
        c);
  }
  return css;
}

template <class Written>
std::string with_colours(std::string css, Written written) {
  for (const auto& [name, value] : colours(Theme::light)) {
    const std::string variable = fmt::format("${}", name);
    for (std::size_t at = 0; (at = css.find(variable, at)) != std::string::npos;) {
      // no name of ours begins with another
      css.replace(at, variable.size(), written(name, value));
    }
  }
  return css;
}

using Rgb = std::array<double, 3>;

// from nothing to the largest p: away from the paper in lightness, through green-blue
const std::vector<Rgb>& heat_stops(Theme theme) {
  static const std::vector<Rgb> light = {{250, 251, 251}, {211, 231, 228}, {143, 198, 200},
                                         {72, 152, 175},  {33, 103, 145},  {17, 56, 98}};
  static const std::vector<Rgb> dark = {{24, 29, 35},   {27, 62, 88},    {35, 104, 140},
                                        {68, 156, 176}, {146, 209, 199}, {235, 249, 220}};
  return theme == Theme::light ? light : dark;
}

std::string heat_colour(Theme theme, double share) {
  const auto& stops = heat_stops(theme);
  const double at = share * static_cast<double>(stops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double w = at - static_cast<double>(i);
  std::array<int, 3> rgb{};
  for (std::size_t k = 0; k < 3; ++k) {
    rgb[k] = static_cast<int>(std::lround((1 - w) * stops[i][k] + w * stops[i + 1][k]));
  }
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

}  // namespace

int heat_level(double share) {
  if (!(share > 0)) return 0;
  // the smallest p that is not 0 does not look like 0
  return std::clamp(static_cast<int>(std::lround(std::sqrt(share) * heat_levels)), 1, heat_levels);
}

std::string colour_variables(Theme theme) {
  std::string css;
  for (const auto& [name, value] : colours(theme)) css += fmt::format("--{}:{};", name, value);
  return css;
}

std::string figure_css() {
  return with_colours(rules(),
                      [](const char* name, const char*) { return fmt::format("var(--{})", name); });
}

std::string standalone_css() {
  return with_colours(rules(), [](const char*, const char* value) { return std::string(value); }) +
         heat_css(Theme::light, "");
}

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

}  // namespace vic
