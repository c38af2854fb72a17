// The colours of the figures, for paper (web/light.css) and for dark screens (web/dark.css). Series
// have the colours of Okabe and Ito, which are distinct for people with any colour vision; heat
// maps vary in lightness alone, away from that of the background.
#pragma once

#include <string>
#include <string_view>

namespace vic {

// The colours repeat beyond the last one.
inline constexpr int series_colours = 8;
// "band c3"
std::string series_class(std::string_view look, int colour);

// Heat classes h0 .. h40, by the square root of a cell's share of the largest p, so that rare
// states are visible.
inline constexpr int heat_levels = 40;
int heat_level(double share);

// For the page: colours as variables, light and dark, and the rules of web/figure.css.
std::string figure_css();

// The rules with the light colours filled in, for standalone files.
std::string standalone_css();

}  // namespace vic
