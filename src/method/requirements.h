// The settings that fit a world: what an algorithm requires of it, and settings of each other.
#pragma once

#include "method/algorithm.h"
#include "method/settings.h"
#include "sim/simulator.h"
#include "world/tabular.h"

namespace vic {

// Throws a UsageError for settings that do not fit, which says what to take instead.
void require_fit(const TabularWorld& world, const TrainSettings& settings,
                 const Algorithm& algorithm);
void require_fit(const Simulator& world, const TrainSettings& settings, const Algorithm& algorithm);

}  // namespace vic
