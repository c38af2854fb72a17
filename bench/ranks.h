// vic bench --ranks: what the ranks of a job say to each other in an update, and nothing else.
#pragma once

#include <ostream>

#include "base/stop.h"

namespace vic {

// Measures it on the ranks of this job, and prints it on the first of them.
void print_ranks(std::ostream& out, Stop stop);

}  // namespace vic
