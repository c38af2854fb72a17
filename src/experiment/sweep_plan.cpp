// What a sweep has to do, and how long that may take.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/file.h"
#include "experiment/sweep.h"

namespace vic {
namespace {

// What runs that differ in the seed alone have in common.
struct Kind {
  std::vector<Assignment> resolved;
  SweepRun run;
  std::vector<RunTime> finished = {};  // durations of those that are done
};

// an existing run must be the one of the experiment
void require_same_settings(const std::vector<Assignment>& resolved, const std::string& folder) {
  const std::vector<Assignment> kept = read_settings_file(folder + "/settings.toml");
  for (const Assignment& wanted : resolved) {
    const auto found = std::ranges::find(kept, wanted.key, &Assignment::key);
    if (found != kept.end() && found->value == wanted.value) continue;
    fail_usage("{} was trained with {} = {}, and the experiment wants {}; choose another --out.",
               folder, wanted.key, found == kept.end() ? "nothing" : found->value, wanted.value);
  }
}

// worlds are the same if their settings are; a simulated one also needs the same number of random
// options, as many as the run's evaluation samples
std::string world_key(const Run& run) {
  std::string key = run.settings.world;
  for (const Assignment& setting : run.resolved) {
    if (setting.key.starts_with("world.")) key += "\n" + setting.key + "=" + setting.value;
  }
  if (simulator_in(run.world) != nullptr) key += fmt::format("\n{}", run.eval.survey);
  return key;
}

// a very rough measure of the time: weights times steps times options times updates
double work_of(const Run& run) {
  const Agent& agent = run.learner->agent();
  double weights = 0;
  for (const AgentModel& model : agent.models) {
    weights += static_cast<double>(model.model.net().parameters().values.size());
  }
  const int T = agent.simulator() ? agent.simulator()->spec().T : agent.table().T_max;
  return weights * T * agent.settings.batch * static_cast<double>(agent.settings.all_updates());
}

Kind make_kind(const RunPlan& wanted) {
  const Run run = make_run(Overrides(wanted.assignments));
  Kind kind{run.resolved, {}};
  kind.run.world = world_key(run);
  kind.run.updates = run.learner->settings().all_updates();
  kind.run.threads = run.learner->settings().threads;
  kind.run.work = work_of(run);
  return kind;
}

// identifies runs that differ in nothing but the seed
std::string kind_key(const RunPlan& wanted) {
  std::string key;
  for (const Assignment& one : wanted.assignments) {
    if (one.key != "train.seed") key += one.key + "=" + one.value + "\n";
  }
  return key;
}

}  // namespace

SweepPlan plan_sweep(const Experiment& experiment, const std::string& folder, Stop stop) {
  SweepPlan plan{.folder = folder, .runs = {}};
  std::map<std::string, Kind> kinds;
  std::vector<Kind*> kind_of;
  for (const RunPlan& wanted : experiment.runs) {
    stop.check();
    const auto [found, fresh] = kinds.try_emplace(kind_key(wanted));
    Kind& kind = found->second;
    if (fresh) kind = make_kind(wanted);
    kind_of.push_back(&kind);
    SweepRun& run = plan.runs.emplace_back(kind.run);
    run.folder = folder + "/" + wanted.name;
    if (!has_run(run.folder)) continue;
    require_run(run.folder);
    const auto seed = std::ranges::find(kind.resolved, "train.seed", &Assignment::key);
    seed->value = fmt::format("{}", wanted.seed);
    require_same_settings(kind.resolved, run.folder);
    run.done = is_done(run.folder);
    if (!run.done) continue;
    if (const auto time = read_run_time(run.folder)) kind.finished.push_back(*time);
  }
  // as long as the longest run of its kind
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    SweepRun& run = plan.runs[i];
    for (const RunTime& time : kind_of[i]->finished) {
      run.seconds = std::max(run.seconds.value_or(0), time.seconds);
      if (time.megabytes) run.megabytes = std::max(run.megabytes.value_or(0), *time.megabytes);
    }
  }
  return plan;
}

std::vector<double> SweepPlan::durations() const {
  // the slowest of the known rates
  double rate = 0;
  for (const SweepRun& run : runs) {
    if (run.seconds && run.work > 0) rate = std::max(rate, *run.seconds / run.work);
  }
  std::vector<double> all;
  for (const SweepRun& run : runs) {
    all.push_back(run.seconds ? *run.seconds : run.work * (rate > 0 ? rate : 1));
  }
  return all;
}

std::size_t SweepPlan::left() const {
  return static_cast<std::size_t>(std::ranges::count(runs, false, &SweepRun::done));
}

}  // namespace vic
