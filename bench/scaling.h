// The growth of an update's cost.
#pragma once

#include <ostream>

#include "base/stop.h"

namespace vic {

// Prints milliseconds and megabytes of an update of Algorithm 2 as T_max, hidden size and batch
// double twice each, and the ratio of each line to the one before.
void print_scaling(std::ostream& out, Stop stop);

}  // namespace vic
