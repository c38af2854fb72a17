// The gain of a second thread within one run.
#pragma once

#include <ostream>

#include "base/stop.h"

namespace vic {

// Prints milliseconds of an update with one thread and with two, in wall time and alternately, and
// their ratio: the medians, and the shortest of each, which is the time of an update if no other
// program runs.
void print_threads(std::ostream& out, Stop stop);

}  // namespace vic
