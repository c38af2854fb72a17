// Whether the claims of an experiment hold.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "experiment/experiment.h"

namespace vic {

// A claim for one group and algorithm.
struct Verdict {
  std::string claim;
  std::string group, algorithm;  // the algorithm with its lambda, where the runs say one
  std::string measure;
  std::string wanted;            // "at least 0.99", "from 0.98 to 1.02"
  int seeds = 0;                 // runs that were measured
  double measured = 0;           // mean over the seeds, or the worst; NaN where a run is missing
  std::string measured_as = {};  // "mean", "worst", or why nothing was measured
  bool pass = false;
};

// Tests the claims. `evaluations` are those of the runs, one each, null for a run that is not done.
std::vector<Verdict> test_claims(const Experiment& experiment,
                                 const std::vector<Json>& evaluations);

// A list with an object for each verdict; `measured` is null where it is not known.
Json verdicts_json(const std::vector<Verdict>& verdicts);

// Writes verdict.json into the folder of a sweep, where reports find it: {title, claims}.
void write_verdicts(const Experiment& experiment, const std::vector<Verdict>& verdicts,
                    const std::string& folder);

}  // namespace vic
