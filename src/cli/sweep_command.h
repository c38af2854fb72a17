// What vic sweep and vic reproduce share: an experiment, trained while somebody looks on.
#pragma once

#include <string>

#include "cli/command.h"
#include "experiment/sweep.h"

namespace vic {

struct SweepOptions {
  CommonOptions common;
  std::string file, out;
  int jobs = 0;  // 0: one for each core
  bool quick = false;

  void add_to(CLI::App& app);

  // The folder of the runs.
  std::string folder() const;
};

// The experiment of the file, with what the user set on top of it.
Experiment load_experiment(const SweepOptions& options);

// Trains all runs that are not done. Throws a StoppedBySignal once all is saved.
void sweep_and_watch(const Experiment& experiment, const SweepOptions& options,
                     const Console& console);

}  // namespace vic
