// vic bench --to SHARE: processor seconds of training until a policy reaches that share of the
// optimum. The exact measures along the way do not count.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/updates.h"
#include "eval/policy_table.h"
#include "world/tabular.h"

namespace vic {

// A training, and whether D or H is to come near its largest value.
struct TimeToCase {
  std::string world;
  std::string algorithm;
  double lambda = 0;  // 0: D, 1: H

  const char* measure() const { return lambda == 0 ? "D" : "H"; }
};

// On the noisy line, grid and tree: those that maximise D or H.
const std::vector<TimeToCase>& time_to_cases();

// One seed.
struct TimeTo {
  std::optional<double> seconds;  // nothing if the run ends before
  long updates = 0;               // until then, the warm-up included
  double share = 0;               // of the largest value, at the last measure
};

// A world with all that measuring needs. Not movable: it refers to itself.
struct KnownWorld {
  TabularWorld world;
  std::optional<HistoryTree> tree;
  double H_max = 0, D_max = 0;

  // Throws an Error if the world is too large.
  KnownWorld(const std::string& name, const BenchPlan& plan);
  KnownWorld(const KnownWorld&) = delete;
  KnownWorld& operator=(const KnownWorld&) = delete;
};

// The seeds 1 to plan.rounds of a case, with the user's settings in place of the defaults.
std::vector<TimeTo> measure_time_to(const TimeToCase& c, const KnownWorld& known, double share,
                                    const BenchPlan& plan, const Progress& progress);

}  // namespace vic
