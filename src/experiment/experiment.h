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
  std::string group;  // what reports put into one figure; by default the world
  std::string algorithm;
  int seed = 0;
  bool first_seed = false;
  std::vector<Assignment> varied = {};  // what the runs of its table differ in: one for each axis
  std::vector<Assignment> assignments;  // for make_run, those of `varied` included

  // What a claim is tested for besides the group: "transition, lambda 0.5".
  std::string method() const;
};

struct Experiment {
  std::string title;
  std::vector<RunPlan> runs;
  std::vector<Claim> claims;

  // Those of the exact frontier in the figure: the values of train.lambda, where the runs vary it,
  // and some between them. In the quick form of an experiment none are between them.
  std::vector<double> frontier_lambdas() const;
  bool quick = false;
};

// What a table of runs is made of: every world with every algorithm, choice of settings and seed.
struct RunTable {
  std::vector<std::pair<std::string, std::string>> worlds;  // group, and name or path
  std::vector<std::string> algorithms;
  std::vector<Axis> axes;
  std::vector<int> seeds;
  std::vector<Assignment> settings;  // of all its runs
  std::string origin;                // where it comes from, as errors call it
};

// The number of its runs.
double count_runs(const RunTable& table);

// Adds them. Throws a UsageError where the experiment has too many by then, or one of them twice.
void add_runs(Experiment& experiment, const RunTable& table);

// Reads the file. Throws a UsageError of one line with file and line for whatever is wrong in it:
// the settings of the runs are not looked at, make_run does that.
Experiment read_experiment(std::string_view text, const std::string& path);

// The first seed of every run for a few updates: shows that all parts work, and nothing else.
Experiment quick(Experiment experiment);

}  // namespace vic
