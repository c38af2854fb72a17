// How an update's cost grows.
#pragma once

#include <ostream>

namespace vic {

// Prints milliseconds and megabytes of an update of Algorithm 2 as T_max, hidden size and batch
// double twice each, and the ratio of each line to the one before.
void print_scaling(std::ostream& out);

}  // namespace vic
