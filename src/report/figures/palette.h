// The colours of the figures, for paper and for dark screens. Series colours are those of Okabe and
// Ito, which people with any colour vision can tell apart; heat maps run in lightness alone.
#pragma once

#include <string>
#include <string_view>

namespace vic {

// Series beyond the last colour begin again.
inline constexpr int series_colours = 8;
// "band c3"
std::string series_class(std::string_view look, int colour);

// Heat classes h0 .. h40, by the square root of a cell's share of the largest p: what is rare is
// seen, and what is seen is a rule that the scale tells.
inline constexpr int heat_levels = 40;
int heat_level(double share);

// Colours as variables, light and dark, and the rules of the figures' classes, web/figure.css: for
// the page.
std::string figure_css();

// The rules with the light colours written out, for files that stand alone.
std::string standalone_css();

}  // namespace vic
