// The data of vic export: what an agent has learned, and the optima of a world.
#pragma once

#include "cli/command.h"
#include "cli/export_format.h"
#include "run/run_folder.h"
#include "world/tabular.h"

namespace vic {

// The moves of a world and "terminate".
std::vector<std::string> action_names(const TabularWorld& world);

// Options that pi_p samples.
Export export_sample(const Run& run, int options, int seed, const Step& step);

// pi_p, pi_q and b of a run, one row for each history that leaves a choice.
Export export_policy(const std::string& folder, const UserSettings& given, const Console& console);

// The maximisers of H, one row for each time and state, and of D, one row for each history.
Export export_optimal(const std::string& world, const UserSettings& given, const Console& console);

}  // namespace vic
