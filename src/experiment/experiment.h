// An experiment: the runs of a figure and the claims about them, in a file (docs/experiments.md).
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"

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

// What the seeds are put together to.
enum class Over {
  mean,   // the mean over the seeds must hold
  every,  // each seed must hold: the worst of them is shown
};

struct Claim {
  std::string text;
  // Whose runs it is about; an empty list selects all.
  std::vector<std::string> groups, algorithms;
  std::vector<double> lambdas;
  std::string measure;  // "H" or "H / H_max": see eval/measures.h
  double at_least = -std::numeric_limits<double>::infinity();
  double at_most = std::numeric_limits<double>::infinity();
  Over over = Over::mean;

  bool selects(const RunPlan& run) const;
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
