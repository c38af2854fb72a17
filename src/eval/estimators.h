// Estimators of H, D and N from n options, compared where the truth is known: options of the
// uniform policy (docs/estimators.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/settings.h"
#include "base/stop.h"
#include "oracle/control.h"
#include "world/tabular.h"

namespace vic {

struct EstimatorSettings {
  int repeats = 50;
  int largest = 4096;  // sample sizes are 16, 32, ... up to this
  int seed = 1;
  double sigma = 0.25;  // width of the mixtures of equation 17
  int histories = 100000;
  Stop stop = {};

  template <class Visitor>
  void visit(Visitor&& field) {
    field("repeats", repeats, Range{2, 100000}, "samples of each size");
    field("largest", largest, Range{16, 1048576}, "sizes are 16, 32, ... options, up to this");
    field("seed", seed, Range{0, 2147483647}, "of the options that are drawn");
    field("sigma", sigma, Range{1e-3, 1e3}, "width of the components, in coordinates");
    field("histories", histories, Range{1, 20000000}, "worlds have at most this many histories");
  }
};

// One estimator at one sample size.
struct EstimatorPoint {
  int n = 0;
  double mean = 0, sd = 0;      // over the repeats
  std::optional<double> bound;  // the mean of U, where equation 13 or 19 gives one
};

struct EstimatorCurve {
  std::string name;
  std::string of;  // "H", "D" or "N"
  double truth = 0;
  std::vector<EstimatorPoint> points;  // by increasing n
};

struct EstimatorStudy {
  Control truth;  // of the uniform policy
  int states_reachable = 0;
  std::vector<EstimatorCurve> curves;
};

// Throws a UsageError if the world has too many histories, and Interrupted. `step` is called with
// each sample size that is done.
EstimatorStudy study_estimators(const TabularWorld& world, const EstimatorSettings& settings,
                                const std::function<void(int n)>& step = {});

}  // namespace vic
