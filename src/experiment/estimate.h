// An estimate of what a run of a sweep will take, for a scheduler that wants to know in advance.
#pragma once

#include <string>

#include "experiment/sweep.h"

namespace vic {

struct RunEstimate {
  double seconds = 0, megabytes = 0;  // of the run that takes longest, of the one that needs most
  std::string origin;                 // where it comes from: "in runs that are finished"
};

// Estimates the runs that are left: from those that are finished, or else from a few updates of the
// three kinds with the most work, about half a second each. Throws Interrupted.
RunEstimate estimate_runs(const Experiment& experiment, const SweepPlan& plan, Stop stop = {});

}  // namespace vic
