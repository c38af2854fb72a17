// The speed of the simulation, beside a bare loop of mj_step, and of learning, beside the
// simulation.
#pragma once

#include <ostream>

#include "base/json.h"
#include "bench/parts.h"

namespace vic {

// Actions per second of a batch of episodes and of the bare loop, on one thread and on two, and
// their ratios by the clock and by the processor's time; an array, one row per number of threads.
Json physics_speed(int rounds, const Progress& progress);

// Seconds of an update of implicit VIC on half-cheetah and of the steps it takes alone, likewise.
Json physics_update_speed(int rounds, const Progress& progress);

void print_physics_update_speed(const Json& rows, std::ostream& out);
void print_physics_speed(const Json& rows, std::ostream& out);

}  // namespace vic
