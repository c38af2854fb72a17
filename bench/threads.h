// The gain of a second thread within one run.
#pragma once

#include <ostream>

#include "base/stop.h"

namespace vic {

// Prints milliseconds of an update with one thread and with two, by the clock on the wall and in
// turn, and their ratio: the medians, and the shortest of each, which is what an update takes where
// no other program runs.
void print_threads(std::ostream& out, Stop stop);

}  // namespace vic
