// Whether the claims of an experiment hold, are refuted, or are undecided.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "experiment/experiment.h"

namespace vic {

// If all seeds are measured, a claim about their mean is decided by the 95 % interval of the mean:
// it holds if the whole interval lies within the bounds, and is refuted if all of it lies outside.
// A claim about every seed holds or is refuted. If all its runs are missing it is not run.
// Otherwise it is undecided.
enum class Finding { holds, refuted, undecided, not_run };
template <>
inline constexpr auto names_of<Finding> = std::to_array<std::string_view>({"holds", "refuted",
                                                                           "undecided", "not run"});

// A claim for one group and method.
struct Verdict {
  Claim claim;
  std::string group, algorithm;  // the algorithm with its lambda, if the runs have one
  int seeds = 0;
  std::optional<double> measured = {};        // mean over the seeds, or the worst of them
  std::string measured_as = {};               // "mean", "worst", or why nothing was measured
  std::optional<double> low = {}, high = {};  // 95 % interval of the mean, or the extreme seeds
  std::optional<double> effect = {};  // in comparisons: mean over standard deviation of the pairs
  Finding finding = Finding::undecided;
};

// The measured number of each seed; NaN if not known.
using BySeed = std::map<int, double>;

// The verdict on a claim about these numbers.
Verdict conclude(const Claim& claim, const std::string& group, const std::string& algorithm,
                 const BySeed& by_seed);

// The results of a run: null and empty if it is not done.
struct RunResult {
  Json evaluation = {};
  std::string metrics = {};  // the text of metrics.jsonl
};

// The results of the runs in a sweep's folder; metrics only if a claim is about them.
std::vector<RunResult> read_results(const Experiment& experiment, const std::string& folder);

// Tests the claims; one result for each run.
std::vector<Verdict> test_claims(const Experiment& experiment,
                                 const std::vector<RunResult>& results);

// A list with an object for each verdict; null if a number is not known.
Json verdicts_json(const std::vector<Verdict>& verdicts);

// Writes verdict.json into the folder of a sweep, where reports find it: {title, claims}.
void write_verdicts(const Experiment& experiment, const std::vector<Verdict>& verdicts,
                    const std::string& folder);

}  // namespace vic
