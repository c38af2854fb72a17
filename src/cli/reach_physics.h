// vic reach for bodies: points as goals.
#pragma once

#include <string>

#include "cli/console.h"
#include "eval/reach.h"
#include "run/run_folder.h"

namespace vic {

// Sends the run's options to a point and shows how close they come, or, where `goal` is empty, to
// every cell that its policy ends in. Where `svg` is not empty, draws the film of an option there.
void show_points(const Run& run, const std::string& goal, const ReachSettings& settings,
                 const std::string& svg, bool json, const Console& console);

}  // namespace vic
