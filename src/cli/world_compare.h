// vic worlds WORLD --compare OTHER: whether two simulated worlds move identically, bit by bit.
#pragma once

#include "cli/console.h"
#include "sim/simulator.h"

namespace vic {

// Plays `options` options of random actions in both and prints where their states first differ, and
// by how much at most. Throws a UsageError if they do not have the same states and actions.
void compare_worlds(const Simulator& world, const Simulator& other, int options, int seed,
                    const Console& console);

}  // namespace vic
