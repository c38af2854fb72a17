// The speed of the physics, beside a bare loop of mj_step, and of learning, beside the physics.
#pragma once

#include "base/json.h"
#include "cli/console.h"

namespace vic {

// Actions a second of a batch of episodes and of the bare loop, on one thread and on two, and their
// ratios by the clock and by the processor's time; an array, a row for each number of threads.
Json physics_speed(int rounds, ProgressLine& progress);

// Seconds of an update of implicit VIC on half-cheetah and of the steps it takes alone, likewise.
Json physics_update_speed(int rounds, ProgressLine& progress);

void print_physics_update_speed(const Json& rows, const Console& console);
void print_physics_speed(const Json& rows, const Console& console);

}  // namespace vic
