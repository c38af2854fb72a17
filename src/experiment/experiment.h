// An experiment: the runs of a figure and the claims about them, in a file (docs/experiments.md).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/settings.h"
#include "experiment/claim.h"

namespace vic {

// One run of the experiment.
struct RunPlan {
  std::string name;   // of its folder
  std::string group;  // runs that reports put into one figure; by default the world
  std::string algorithm;
  int seed = 0;
  bool first_seed = false;
  std::vector<Assignment> varied = {};  // where the runs of its table differ: one for each axis
  std::vector<Assignment> assignments;  // for make_run, including those of `varied`

  // What a claim is tested for, besides the group: "transition, lambda 0.5".
  std::string method() const;
};

struct Experiment {
  std::string title;
  std::vector<RunPlan> runs;
  std::vector<Claim> claims;

  // The lambdas of the exact frontier in the figure: the values of train.lambda, if the runs vary
  // it, and some between them. The quick form of an experiment has none between them.
  std::vector<double> frontier_lambdas() const;
  bool quick = false;
};

// The ingredients of a table of runs: every world with every algorithm, choice of settings and
// seed.
struct RunTable {
  std::vector<std::pair<std::string, std::string>> worlds;  // group, and name or path
  std::vector<std::string> algorithms;
  std::vector<Axis> axes;
  std::vector<int> seeds;
  std::vector<Assignment> settings;  // of all its runs
  std::string origin;                // where it comes from, for errors
};

// The number of its runs.
double count_runs(const RunTable& table);

// Adds them. Throws a UsageError if the experiment then has too many runs, or one of them twice.
void add_runs(Experiment& experiment, const RunTable& table);

// Reads the file. Throws a UsageError of one line, with file and line, for anything that is wrong
// in it except the settings of runs, which make_run checks.
Experiment read_experiment(std::string_view text, const std::string& path);

// The first seed of every run for a few updates: only shows that all parts work.
Experiment quick(Experiment experiment);

}  // namespace vic
