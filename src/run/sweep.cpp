#include "run/sweep.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <map>

#include "base/file.h"
#include "base/tasks.h"

namespace vic {
namespace {

std::string folder_of(const RunPlan& plan, const std::string& folder) {
  return folder + "/" + plan.name;
}

// a run that is there already must be the one that the experiment asks for
void require_same_settings(const Run& run, const std::string& folder) {
  const std::vector<Assignment> kept = read_settings_file(folder + "/settings.toml");
  for (const Assignment& wanted : run.resolved) {
    const auto found = std::find_if(kept.begin(), kept.end(), [&](const Assignment& setting) {
      return setting.key == wanted.key;
    });
    if (found != kept.end() && found->value == wanted.value) continue;
    fail_usage("{} was trained with {} = {}, and the experiment wants {}; choose another --out.",
               folder, wanted.key, found == kept.end() ? "nothing" : found->value, wanted.value);
  }
}

// worlds are the same where their settings are
std::string world_key(const Run& run) {
  std::string key = run.settings.world;
  for (const Assignment& setting : run.resolved) {
    if (setting.key.starts_with("world.")) key += "\n" + setting.key + "=" + setting.value;
  }
  return key;
}

// The truth about every world of the sweep: solved once, and waited for by the runs that need it.
class Truths {
 public:
  // Whether the world is new.
  bool add(const std::string& key) { return truths_.try_emplace(key).second; }

  void solve(const std::string& key, const TabularWorld& world) {
    std::promise<Json>& promise = truths_.at(key).promise;
    try {
      promise.set_value(find_truth_json(world));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }

  const Json& get(const std::string& key) const { return truths_.at(key).future.get(); }

 private:
  struct Entry {
    std::promise<Json> promise;
    std::shared_future<Json> future = promise.get_future().share();
  };
  std::map<std::string, Entry> truths_;
};

Training open_training(const RunPlan& plan, const std::string& folder, const Warn& warn) {
  if (has_run(folder)) return resume_training(folder, warn);
  return begin_training(make_run(Overrides(plan.assignments)), folder);
}

}  // namespace

std::vector<SweepRun> plan_sweep(const Experiment& experiment, const std::string& folder) {
  std::vector<SweepRun> runs;
  for (const RunPlan& plan : experiment.runs) {
    const Run run = make_run(Overrides(plan.assignments));
    SweepRun& out = runs.emplace_back();
    out.folder = folder_of(plan, folder);
    const TrainSettings& settings = run.learner->settings();
    out.updates = long{settings.warm_up} + settings.updates;
    if (!has_run(out.folder)) continue;
    require_same_settings(run, out.folder);
    out.done = is_done(out.folder);
  }
  return runs;
}

bool sweep(const Experiment& experiment, const std::string& folder, int jobs,
           const SweepWatch& watch) {
  const std::vector<SweepRun> runs = plan_sweep(experiment, folder);
  std::error_code status;
  std::filesystem::create_directories(folder, status);
  if (status) throw Error(fmt::format("Cannot make the folder {}: {}.", folder, status.message()));
  const auto lock = FolderLock::take(folder);
  if (!lock) throw Error(fmt::format("Another sweep works in {}; wait for it to end.", folder));

  const auto stopped = [&] { return watch.stop != nullptr && watch.stop->load(); };
  Truths truths;
  std::vector<std::function<void()>> solving, training;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].done) continue;
    const RunPlan& plan = experiment.runs[i];
    // the worlds are solved first: a run whose world is being solved waits for it
    Run run = make_run(Overrides(plan.assignments));
    const std::string key = world_key(run);
    if (truths.add(key)) {
      solving.push_back([&truths, key, world = std::shared_ptr(std::move(run.world))] {
        truths.solve(key, *world);
      });
    }
    training.push_back([&, i, key] {
      if (stopped()) return;
      try {
        Training work = open_training(plan, runs[i].folder, watch.warn);
        const auto evaluation = train(work, truths.get(key),
                                      {.progress =
                                           [&](Learner&) {
                                             if (watch.progress) watch.progress(i, work);
                                           },
                                       .warn = watch.warn,
                                       .stop = watch.stop});
        if (evaluation && watch.done) {
          watch.done(i, evaluation_json(work.run, *evaluation, truths.get(key)));
        }
      } catch (const std::exception& error) {
        throw Error(fmt::format("{}: {}", runs[i].folder, error.what()));
      }
    });
  }
  solving.insert(solving.end(), training.begin(), training.end());
  if (!solving.empty()) run_tasks(solving, jobs);
  return !stopped();
}

std::vector<Json> read_evaluations(const Experiment& experiment, const std::string& folder) {
  std::vector<Json> evaluations;
  for (const RunPlan& plan : experiment.runs) {
    const std::string path = folder_of(plan, folder) + "/evaluation.json";
    if (!is_done(folder_of(plan, folder))) {
      evaluations.emplace_back(nullptr);
      continue;
    }
    Json json = Json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded()) {
      throw Error(fmt::format("{} is damaged: it is not JSON; remove it and sweep again.", path));
    }
    evaluations.push_back(std::move(json));
  }
  return evaluations;
}

}  // namespace vic
