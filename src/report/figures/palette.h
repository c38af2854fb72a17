// The colours of the figures, for paper (web/light.css) and for dark screens (web/dark.css). Series
// colours are those of Okabe and Ito, distinct for people with any colour vision; heat maps run in
// lightness alone, away from the paper.
#pragma once

#include <string>
#include <string_view>

namespace vic {

// Series beyond the last colour begin again.
inline constexpr int series_colours = 8;
// "band c3"
std::string series_class(std::string_view look, int colour);

// Heat classes h0 .. h40, by the square root of a cell's share of the largest p: rare is visible.
inline constexpr int heat_levels = 40;
int heat_level(double share);

// For the page: colours as variables, light and dark, and the rules of web/figure.css.
std::string figure_css();

// The rules with the light colours written out, for files that stand alone.
std::string standalone_css();

}  // namespace vic
