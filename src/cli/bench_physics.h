// The speed of the physics, beside a bare loop of mj_step.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/console.h"

namespace vic {

// Actions a second of a batch of episodes and of the bare loop, on one thread and on two, and their
// ratios by the clock and by the processor's time; an array, a row for each number of threads.
nlohmann::ordered_json physics_speed(int rounds, ProgressLine& progress);

void print_physics_speed(const nlohmann::ordered_json& rows, const Console& console);

}  // namespace vic
