// The options of vic sweep, vic reproduce and vic submit: an experiment, or a world and what to
// vary.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "experiment/experiment.h"

namespace vic {

struct SweepOptions {
  std::string file, out;  // an experiment, or the world of a sweep without one
  std::vector<std::string> over;
  std::string seeds, algorithms;
  int jobs = 0;  // 0: one per core, or one for a shard
  bool quick = false;
  bool verdicts_only = false;  // train nothing
  std::string shard;
  int runs = 0;  // 0: all

  // Whether the runs are given on the command line, not in a file.
  bool direct() const {
    return !over.empty() || !seeds.empty() || !algorithms.empty() || !file.ends_with(".toml");
  }

  std::string name() const;    // of the experiment
  std::string folder() const;  // of the runs
};

// The experiment of the file, or of the command line, with the user's settings on top. Throws a
// UsageError.
Experiment load_experiment(const SweepOptions& options, const UserSettings& given);

// Declares --out and --quick, and the options that vary a world without a file.
void declare_runs_of(Arguments& arguments, SweepOptions& options);
void declare_variation(Arguments& arguments, SweepOptions& options);

}  // namespace vic
