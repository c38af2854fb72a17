// vic bench --ranks: the communication of a job's ranks in an update, alone.
#pragma once

#include <ostream>

#include "base/stop.h"

namespace vic {

// Measures it on the ranks of this job, and prints it on the first of them.
void print_ranks(std::ostream& out, Stop stop);

}  // namespace vic
