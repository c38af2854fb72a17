// vic reach in simulated worlds: points as goals.
#pragma once

#include <string>

#include "cli/console.h"
#include "eval/reach.h"
#include "run/run_folder.h"

namespace vic {

// Conditions the options of a run in a simulated world on a point and shows how close they come,
// or, if `goal` is empty, on every cell that its policy ends in. `svg` is a file for a film.
void show_points(const Run& run, const Simulator& world, const std::string& goal,
                 const ReachSettings& settings, const std::string& svg, const Console& console);

// Runs chains of options toward a point, each option from where the last one ended.
void show_chain(const Run& run, const Simulator& world, const std::string& goal,
                const ReachSettings& settings, const Console& console);

}  // namespace vic
