#include "experiment/estimate.h"

#include <algorithm>
#include <map>

#include "base/process.h"

namespace vic {
namespace {

// seconds of an update of the policy, which costs more than one of the warm-up
double time_update(const RunPlan& plan, Stop stop) {
  std::vector<Assignment> assignments = plan.assignments;
  assignments.push_back({"train.warm_up", "0", "vic submit"});
  assignments.push_back({"train.updates", "1000000", "vic submit"});
  const Run run = make_run(Overrides(assignments));
  run.learner->update();  // the first one allocates memory
  const Stopwatch watch;
  int updates = 0;
  while (updates < 3 || (watch.seconds() < 0.5 && updates < 100)) {
    stop.check();
    run.learner->update();
    ++updates;
  }
  return watch.seconds() / updates;
}

}  // namespace

RunEstimate estimate_runs(const Experiment& experiment, const SweepPlan& plan, Stop stop) {
  RunEstimate found;
  std::map<double, std::size_t, std::greater<>> kinds;  // of the runs that are left, by work
  bool known = false;
  const std::vector<double> durations = plan.durations();
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    const SweepRun& run = plan.runs[i];
    known = known || run.seconds;
    if (run.megabytes) found.megabytes = std::max(found.megabytes, *run.megabytes);
    if (run.done) continue;
    found.seconds = std::max(found.seconds, durations[i]);
    kinds.try_emplace(run.work, i);
  }
  found.origin = "in runs that are finished";
  if (known) return found;

  // seconds per unit of work, from the slowest kind
  found.origin = "by a few updates";
  constexpr int most = 3;
  double rate = 0;
  int n = 0;
  for (auto kind = kinds.begin(); kind != kinds.end() && n < most; ++kind, ++n) {
    const auto& [work, i] = *kind;
    const double seconds = time_update(experiment.runs[i], stop);
    rate = std::max(rate, seconds * static_cast<double>(plan.runs[i].updates) / work);
  }
  found.seconds *= rate;
  found.megabytes = peak_megabytes();
  return found;
}

}  // namespace vic
