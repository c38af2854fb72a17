// Shows a sweep: on a terminal a line for each run in training and one for the whole, with the time
// left; otherwise a line for each run that ends.
#pragma once

#include "cli/console.h"
#include "experiment/sweep.h"

namespace vic {

// Shows the sweep for the lifetime of the returned object. The arguments must outlive it.
SweepWatch watch_on(const Console& console, const Experiment& experiment, const SweepPlan& plan,
                    const SweepShare& share);

}  // namespace vic
