// vic reach --chain: several options in a row, farther than one goes.
#pragma once

#include <string>

#include "cli/console.h"
#include "eval/reach.h"
#include "run/run_folder.h"

namespace vic {

// Plans and shows a journey from s_0 to a goal, or, where `goal` is empty, the arrivals and costs
// of journeys to every state that moves can lead to.
void show_chains(const Run& run, const std::string& goal, const ReachSettings& settings,
                 const Console& console);

}  // namespace vic
