#include "experiment/sweep.h"

#include <algorithm>
#include <future>
#include <map>
#include <memory>
#include <new>

#include "base/file.h"
#include "base/process.h"
#include "eval/record.h"

namespace vic {
namespace {

// a run that is there already must be that of the experiment
void require_same_settings(const Run& run, const std::string& folder) {
  const std::vector<Assignment> kept = read_settings_file(folder + "/settings.toml");
  for (const Assignment& wanted : run.resolved) {
    const auto found = std::ranges::find(kept, wanted.key, &Assignment::key);
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

// what all runs of a world are measured against
Reference solve(const RunPlan& plan, const std::vector<double>& lambdas, std::size_t i,
                const SweepWatch& watch) {
  const auto progress = [&](std::string_view quantity, double, double) {
    if (watch.busy) watch.busy(i, fmt::format("solving the world: {}", quantity));
  };
  return find_reference(make_run(Overrides(plan.assignments)).world, lambdas, progress, watch.stop);
}

Training open_training(const RunPlan& plan, const std::string& folder, const Warn& warn) {
  if (has_run(folder)) return resume_training(folder, warn);
  return begin_training(make_run(Overrides(plan.assignments)), folder);
}

}  // namespace

SweepPlan plan_sweep(const Experiment& experiment, const std::string& folder, Stop stop) {
  SweepPlan plan{.folder = folder, .runs = {}};
  for (const RunPlan& wanted : experiment.runs) {
    stop.check();
    const Run run = make_run(Overrides(wanted.assignments));
    SweepRun& out = plan.runs.emplace_back();
    out.folder = folder + "/" + wanted.name;
    out.world = world_key(run);
    out.updates = run.learner->settings().all_updates();
    if (!has_run(out.folder)) continue;
    require_run(out.folder);
    require_same_settings(run, out.folder);
    out.done = is_done(out.folder);
  }
  return plan;
}

bool sweep(const Experiment& experiment, const SweepPlan& plan, int jobs, const SweepWatch& watch) {
  make_folders(plan.folder);
  const auto lock = FolderLock::take(plan.folder);
  if (!lock)
    throw Error(fmt::format("Another sweep works in {}; wait for it to end.", plan.folder));

  const std::vector<double> lambdas = experiment.frontier_lambdas();
  std::map<std::string, std::shared_future<Reference>> references;
  std::vector<std::function<void()>> solving, training;
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    const RunPlan& wanted = experiment.runs[i];
    const SweepRun& run = plan.runs[i];
    if (run.done) continue;
    // every world is solved once, and first: a run whose world is being solved waits for it
    if (!references.contains(run.world)) {
      const auto task = std::make_shared<std::packaged_task<Reference()>>(
          [&, i] { return solve(wanted, lambdas, i, watch); });
      references[run.world] = task->get_future();
      solving.push_back([task] { (*task)(); });
    }
    training.push_back([&, i, known = references[run.world]] {
      if (watch.stop.wanted()) return;
      try {
        Training work = open_training(wanted, run.folder, watch.warn);
        const Reference& reference = known.get();
        const auto warn = [&](const std::string& sentence) {
          watch.warn(fmt::format("{}: {}", run.folder, sentence));
        };
        TrainingWatch follow{.warn = warn, .stop = watch.stop};
        if (watch.progress) follow.progress = [&](const Learner&) { watch.progress(i, work); };
        follow.evaluating = [&](std::string_view part, double) {
          if (watch.busy) watch.busy(i, fmt::format("evaluating: {}", part));
        };
        const auto evaluation = train(work, reference, follow);
        if (evaluation && watch.done)
          watch.done(i, evaluation_json(*work.run.learner, *evaluation, reference));
      } catch (const Interrupted&) {
        // the world of the run is not solved; it has not begun
      } catch (const std::bad_alloc&) {
        throw;  // the program has a sentence for it
      } catch (const std::exception& error) {
        throw Error(fmt::format("{}: {}", run.folder, error.what()));
      }
    });
  }
  solving.insert(solving.end(), training.begin(), training.end());
  if (!solving.empty()) run_tasks(solving, jobs);
  return !watch.stop.wanted();
}

std::vector<Json> read_evaluations(const Experiment& experiment, const std::string& folder) {
  std::vector<Json> evaluations;
  for (const RunPlan& plan : experiment.runs) {
    const std::string run = folder + "/" + plan.name, path = run + "/evaluation.json";
    if (!is_done(run)) {
      evaluations.emplace_back(nullptr);
      continue;
    }
    auto json = Json::try_parse(read_file(path));
    if (!json) {
      throw Error(fmt::format("{} is damaged: it is not JSON; remove it and sweep again.", path));
    }
    evaluations.push_back(std::move(*json));
  }
  return evaluations;
}

}  // namespace vic
