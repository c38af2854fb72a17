// What a run of a sweep will take, before it is submitted to a scheduler that wants to know.
#pragma once

#include <string>

#include "experiment/sweep.h"

namespace vic {

struct RunEstimate {
  double seconds = 0, megabytes = 0;  // of the run that takes longest, of the one that needs most
  std::string origin;                 // how that is known: "in runs that are finished"
};

// Of the runs that are left: from those that are finished, or from a few updates of the three kinds
// that are the most work, which take about half a second each. Throws Interrupted.
RunEstimate estimate_runs(const Experiment& experiment, const SweepPlan& plan, Stop stop = {});

}  // namespace vic
