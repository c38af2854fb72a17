// An experiment: the runs of a figure and the claims about them, in a file (docs/experiments.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
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
  std::optional<double> lambda = {};    // where the file has lambdas
  std::vector<Assignment> assignments;  // for make_run

  // What a claim is tested for besides the group: the algorithm, and its lambda.
  std::string method() const;
};

struct Experiment {
  std::string title;
  std::vector<RunPlan> runs;
  std::vector<Claim> claims;
  // Those of the exact frontier in the figure: the lambdas of the runs, and some between them.
  std::vector<double> lambdas;
};

// Reads the file. Throws a UsageError of one line with file and line for whatever is wrong in it:
// the settings of the runs are not looked at, make_run does that.
Experiment read_experiment(std::string_view text, const std::string& path);

// The first seed of every run for a few updates: shows that all parts work, and nothing else.
Experiment quick(Experiment experiment);

}  // namespace vic
