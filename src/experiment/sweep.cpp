#include "experiment/sweep.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <mutex>
#include <new>
#include <thread>

#include "base/file.h"
#include "base/process.h"
#include "eval/record.h"

namespace vic {
namespace {

// the reference for all runs in a world
Reference solve(const RunPlan& plan, const std::vector<double>& lambdas, std::size_t i,
                const SweepWatch& watch) {
  const auto progress = [&](std::string_view quantity, double, double) {
    if (watch.busy) watch.busy(i, fmt::format("solving the world: {}", quantity));
  };
  return find_reference(make_run(Overrides(plan.assignments)), lambdas, progress, watch.stop);
}

// if other hosts did not see the locks, two of them could train the same run
void require_shared_locks(const std::string& folder) {
  const std::string mounts = "/proc/self/mountinfo";
  std::string why;
  if (path_exists(mounts)) why = why_locks_stay_local(folder, read_file(mounts));
  if (!why.empty()) throw Error(why);
}

class Sweeper {
 public:
  Sweeper(const Experiment& experiment, const SweepPlan& plan, const SweepShare& share,
          const SweepWatch& watch)
      : experiment_(experiment),
        plan_(plan),
        share_(share),
        watch_(watch),
        lambdas_(experiment.frontier_lambdas()) {}

  // Trains the runs that no other process holds, and returns the remaining ones, in their order.
  std::vector<std::size_t> train_free(const std::vector<std::size_t>& runs);

  // Whether this process has begun as many runs as it may train.
  bool is_full() const { return share_.most_runs > 0 && begun_ >= share_.most_runs; }

 private:
  enum class Outcome { done, left };

  Outcome attempt(std::size_t i);
  void train_run(std::size_t i, FolderLock lock);
  const Reference& reference(std::size_t i);

  const Experiment& experiment_;
  const SweepPlan& plan_;
  const SweepShare& share_;
  const SweepWatch& watch_;
  std::vector<double> lambdas_;
  std::mutex mutex_;
  std::map<std::string, std::shared_future<Reference>> references_;  // by world
  std::atomic<int> begun_ = 0;
};

std::vector<std::size_t> Sweeper::train_free(const std::vector<std::size_t>& runs) {
  std::vector<Outcome> outcomes(runs.size(), Outcome::left);
  run_each(static_cast<int>(runs.size()), share_.jobs,
           [&](int n, int) { outcomes[n] = attempt(runs[n]); });
  std::vector<std::size_t> left;
  for (std::size_t n = 0; n < runs.size(); ++n) {
    if (outcomes[n] == Outcome::left) left.push_back(runs[n]);
  }
  return left;
}

Sweeper::Outcome Sweeper::attempt(std::size_t i) {
  const std::string& folder = plan_.runs[i].folder;
  if (watch_.stop.wanted()) return Outcome::left;
  // takes one of the permitted runs, given back below if this one is not trained
  const bool full = begun_++ >= share_.most_runs && share_.most_runs > 0;
  if (!full) {
    try {
      make_folders(folder);
      auto lock = FolderLock::take(folder, share_.holder);
      if (lock && share_.shard && !lock->holds()) {
        throw Error(
            "the file system has no locks, so two processes would train the same run; choose "
            "another --out.");
      }
      if (lock && !is_done(folder)) {
        train_run(i, std::move(*lock));
        return watch_.stop.wanted() && !is_done(folder) ? Outcome::left : Outcome::done;
      }
    } catch (const Interrupted&) {
      return Outcome::left;  // the run's world was not solved, so the run has not begun
    } catch (const std::bad_alloc&) {
      throw;  // the program reports it in a sentence of its own
    } catch (const std::exception& error) {
      throw Error(fmt::format("{}: {}", folder, error.what()));
    }
  }
  --begun_;
  if (!is_done(folder)) return Outcome::left;
  if (watch_.done_elsewhere) watch_.done_elsewhere(i);
  return Outcome::done;
}

void Sweeper::train_run(std::size_t i, FolderLock lock) {
  const RunPlan& wanted = experiment_.runs[i];
  const std::string& folder = plan_.runs[i].folder;
  const Reference& known = reference(i);
  Training work = has_run(folder) ? resume_training(folder, watch_.warn, std::move(lock))
                                  : begin_training(make_run(Overrides(wanted.assignments)), folder,
                                                   Existing::keep, std::move(lock));
  const auto warn = [&](const std::string& sentence) {
    watch_.warn(fmt::format("{}: {}", folder, sentence));
  };
  TrainingWatch follow{.warn = warn, .stop = watch_.stop};
  if (watch_.progress) follow.progress = [&](const Learner&) { watch_.progress(i, work); };
  follow.evaluating = [&](std::string_view part, double) {
    if (watch_.busy) watch_.busy(i, fmt::format("evaluating: {}", part));
  };
  const auto evaluation = train(work, known, follow);
  if (evaluation && watch_.done)
    watch_.done(i, evaluation_json(*work.run.learner, *evaluation, known));
}

// every world is solved once: other threads that need it wait
const Reference& Sweeper::reference(std::size_t i) {
  std::packaged_task<Reference()> task;
  std::shared_future<Reference> known;
  {
    const std::scoped_lock lock(mutex_);
    const auto [found, fresh] = references_.try_emplace(plan_.runs[i].world);
    if (fresh) {
      task = std::packaged_task<Reference()>(
          [this, i] { return solve(experiment_.runs[i], lambdas_, i, watch_); });
      found->second = task.get_future();
    }
    known = found->second;
  }
  if (task.valid()) task();
  return known.get();
}

}  // namespace

std::size_t sweep(const Experiment& experiment, const SweepPlan& plan, const SweepShare& share,
                  const SweepWatch& watch) {
  using namespace std::chrono_literals;
  make_folders(plan.folder);
  if (share.shard) require_shared_locks(plan.folder);
  std::vector<std::size_t> left = longest_first(plan.durations(), share.shard);
  std::erase_if(left, [&](std::size_t i) { return plan.runs[i].done; });
  Sweeper sweeper(experiment, plan, share, watch);
  while (!left.empty() && !watch.stop.wanted() && !sweeper.is_full()) {
    const std::size_t before = left.size();
    left = sweeper.train_free(left);
    if (left.size() < before) continue;
    // others hold what is left: only the locks of the folders tell when they are done
    if (share.shard) break;
    if (watch.waiting) watch.waiting(left.size());
    for (int n = 0; n < 10 && !watch.stop.wanted(); ++n) std::this_thread::sleep_for(50ms);
  }
  return left.size();
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
