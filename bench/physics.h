// The speed of the simulation, compared with a bare loop of mj_step, and of learning, compared with
// the simulation.
#pragma once

#include <ostream>

#include "base/json.h"
#include "bench/parts.h"

namespace vic {

// Actions per second of a batch of episodes and of the bare loop, on one thread and on two, with
// their ratios in wall time and in processor time; an array, one row per number of threads.
Json physics_speed(int rounds, const Progress& progress);

// Seconds of an update of implicit VIC on half-cheetah and of its steps alone, likewise.
Json physics_update_speed(int rounds, const Progress& progress);

void print_physics_update_speed(const Json& rows, std::ostream& out);
void print_physics_speed(const Json& rows, std::ostream& out);

}  // namespace vic
