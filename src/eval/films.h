// The options that a run in a simulated world shows: films.json.
#pragma once

#include <cstddef>
#include <vector>

#include "eval/record.h"
#include "sim/simulator.h"

namespace vic {

// About this many options are shown in all, and at most this many of one behaviour, not counting
// the extremes.
inline constexpr std::size_t films_in_all = 24, films_a_behaviour = 3;

// Chooses which of many options to show, in the order of showing: flips first, most turns before
// fewer and backward before forward, then the other behaviours by name; within each, the farthest
// in the first coordinate first. Those that went farthest in a coordinate, in either direction, and
// the highest are always among them; then, as far as there is room, each behaviour's middle,
// foremost and hindmost option.
std::vector<std::size_t> choose_films(const std::vector<Behaviour>& options,
                                      std::size_t most = films_in_all);

// "side", "top" or "slanted".
const char* film_view_name(FilmView view);

// films.json: world, T, seconds of an action, the coordinates, the radius (mm) and limb of each
// part once, and for each option that is shown its behaviour, its path and its poses at every
// action. `options` are the states (T + 1, n) of each option, the start first. docs/physics.md has
// the fields.
Json films_json(const Simulator& world, const std::vector<std::vector<double>>& options);

}  // namespace vic
