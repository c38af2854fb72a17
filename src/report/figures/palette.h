// The colours of the figures, for paper and for dark screens. Series colours are those of Okabe and
// Ito, which people with any colour vision can tell apart; heat maps run in lightness alone.
#pragma once

#include <string>

namespace vic {

enum class Theme { light, dark };

// Series beyond the last colour begin again.
inline constexpr int series_colours = 8;

// Heat classes h0 .. h40, by the square root of a cell's share of the largest p: what is rare is
// seen, and what is seen is a rule that the scale tells.
inline constexpr int heat_levels = 40;
int heat_level(double share);

// "--ink:#1d2430;--c0:#d55e00;…"
std::string colour_variables(Theme theme);

// The rules of the figures' classes with colours as variables, for the page.
std::string figure_css();

// The same with the light colours written out, for files that stand alone.
std::string standalone_css();

// The heat classes, each rule after `prefix`.
std::string heat_css(Theme theme, const std::string& prefix);

}  // namespace vic
