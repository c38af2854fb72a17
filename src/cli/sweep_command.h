// What vic sweep and vic reproduce share: training an experiment, with its progress shown.
#pragma once

#include <string>

#include "cli/command.h"
#include "experiment/sweep.h"

namespace vic {

struct SweepOptions {
  std::string file, out;
  int jobs = 0;  // 0: one per core
  bool quick = false;

  void add_to(Arguments& arguments);

  // The folder of the runs.
  std::string folder() const;
};

// The experiment of the file, with what the user set on top of it.
Experiment load_experiment(const SweepOptions& options, const UserSettings& given);

// Trains all runs that are not done. Throws a StoppedBySignal once all is saved.
void sweep_and_watch(const Experiment& experiment, const SweepOptions& options,
                     const Console& console);

}  // namespace vic
