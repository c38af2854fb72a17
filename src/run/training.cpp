#include "run/training.h"

#include <algorithm>
#include <chrono>

#include "base/checksum.h"
#include "base/file.h"
#include "base/process.h"
#include "base/ranks.h"
#include "eval/alarms.h"
#include "run/alarm_log.h"
#include "run/checkpoint.h"
#include "run/kept_evaluation.h"
#include "run/result_mark.h"
#include "run/survey_log.h"

namespace vic {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// When to write a checkpoint: after a number of updates, or by the clock. The choice only decides
// what an interruption costs, so the clock cannot affect the results.
class Schedule {
 public:
  explicit Schedule(int every) : every_(every) {}

  bool due(long update) const {
    if (every_ > 0) return update % every_ == 0;
    return Clock::now() - last_ >= pause_;
  }

  // a checkpoint begun at `begin` is now written
  void wrote(Clock::time_point begin) {
    last_ = Clock::now();
    pause_ = std::max(shortest, pauses * Seconds(last_ - begin));
  }

 private:
  static constexpr Seconds shortest{10};
  // checkpoints take at most half a per cent of the time
  static constexpr double pauses = 200;

  int every_;
  Clock::time_point last_ = Clock::now();
  Seconds pause_ = shortest;
};

// the lock is on the folder itself, but files are written by its path
void require_in_place(const Training& training) {
  if (training.lock.in_place()) return;
  throw Error(fmt::format(
      "{} was moved or replaced while it was trained; vic train --resume goes on where it is now.",
      training.folder));
}

// The files of a run that grow while it trains.
struct Logs {
  RunLogs metrics;
  AlarmLog alarms;
  SurveyLog surveys;

  Logs(const Training& training, const Warn& warn)
      : metrics(training.folder, training.run.marks, training.run.learner->state().update, warn),
        alarms(training.run, training.folder, warn),
        surveys(training.run, training.folder) {}

  void sync(long update) {
    surveys.sync();
    alarms.sync();
    metrics.sync(update);
  }
};

// a checkpoint never refers to lines that are not on the disk
void save(Training& training, Logs& logs) {
  require_in_place(training);
  logs.sync(training.run.learner->state().update);
  training.run.marks = logs.metrics.marks();
  save_checkpoint(training.run, training.folder);
}

// whether training came to its end
bool learn(Training& training, const TrainingWatch& watch) {
  Learner& learner = *training.run.learner;
  const long& update = learner.state().update;
  const long all = training.updates();
  Logs logs(training, watch.warn);
  Schedule schedule(training.run.settings.checkpoint_every);
  long saved = update;
  // whether the logs have everything up to the present update
  const auto complete = [&] {
    try {
      logs.surveys.follow(training.run, watch.stop);
      return true;
    } catch (const Interrupted&) {
      return false;
    }
  };
  bool whole = complete();
  // with other ranks, all stop after the same update
  while (whole && update < all && !learner.ranks().stopped(watch.stop.wanted())) {
    learner.update();
    if (update % training.run.settings.metrics_every == 0) {
      logs.metrics.add(learner.metrics());
      logs.alarms.follow(learner.agent(), learner.metrics(), watch.warn);
    }
    logs.metrics.follow(update);
    whole = complete();
    if (update < all && schedule.due(update)) {
      const Clock::time_point begin = Clock::now();
      save(training, logs);
      schedule.wrote(begin);
      saved = update;
    }
    if (watch.progress) watch.progress(learner);
  }
  if (update > saved) save(training, logs);
  logs.surveys.sync();
  return whole && update >= all;
}

// the evaluation, continued if it was interrupted; nothing if it is interrupted again
std::optional<Evaluation> evaluate_and_keep(const Training& training, KeptEvaluation& kept,
                                            const TrainingWatch& watch) {
  const Run& run = training.run;
  const auto keep = [&](const Evaluation& so_far) {
    require_in_place(training);
    kept.note(so_far);
  };
  EvalSettings settings = run.eval;
  settings.stop = watch.stop;
  try {
    return evaluate(*run.learner, settings, {.progress = watch.evaluating, .keep = keep},
                    kept.read());
  } catch (const Interrupted&) {
    require_in_place(training);
    kept.write();
    return std::nullopt;
  }
}

}  // namespace

void take_part(Learner& learner, Stop stop) {
  const long all = learner.settings().all_updates();
  while (learner.state().update < all && !learner.ranks().stopped(stop.wanted())) learner.update();
}

void require_same(const Learner& learner) {
  const std::string bytes = write_tensors(snapshot(learner));
  const std::vector<std::uint32_t> all =
      gather(learner.ranks(), std::vector<std::uint32_t>{crc32c(bytes)});
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r] == all[0]) continue;
    throw Error(fmt::format(
        "Rank {} begins with other weights than rank 0: all ranks need the same program and the "
        "same files, those of the run among them.",
        r));
  }
}

long Training::updates() const {
  return run.learner->settings().all_updates();
}

Training begin_training(Run run, const std::string& folder, Existing existing,
                        std::optional<FolderLock> taken) {
  FolderLock lock = begin_run_folder(run, folder, existing, std::move(taken));
  return {std::move(run), folder, std::move(lock)};
}

Training resume_training(const std::string& folder, const Warn& warn,
                         std::optional<FolderLock> taken) {
  require_run(folder);
  FolderLock lock = taken ? std::move(*taken) : lock_run(folder);
  Run run = load_run(folder, warn);
  warn_of_another_build(folder, warn);
  if (run.newest_damaged) set_damaged_aside(folder);
  return {std::move(run), folder, std::move(lock)};
}

bool is_finished(const Training& training) {
  return training.run.learner->state().update >= training.updates() && is_done(training.folder) &&
         wrong_results(training.run, training.folder).empty();
}

Json result_json(const Run& run, const Evaluation& evaluation, const Reference& reference) {
  Json json = evaluation_json(*run.learner, evaluation, reference);
  json.update(result_mark(run));
  return json;
}

std::optional<Evaluation> train(Training& training, const Reference& reference,
                                const TrainingWatch& watch) {
  const Stopwatch whole;
  const auto write = [&](const char* name, const std::string& text) {
    write_file(training.folder + name, text + "\n", Links::replace);
  };
  // at the beginning, so that a run in progress can be compared with it
  write("/truth.json", truth_json(reference).dump(2));
  if (!learn(training, watch)) return std::nullopt;
  KeptEvaluation kept(training.run, training.folder);
  std::optional<Evaluation> evaluation = evaluate_and_keep(training, kept, watch);
  if (!evaluation) return std::nullopt;
  require_in_place(training);
  if (auto films = films_json(*training.run.learner, *evaluation)) {
    films->update(result_mark(training.run));
    write("/films.json", films->dump());
  }
  add_end_of_timing(training.folder, training.updates(), whole.seconds());
  kept.remove();
  // the evaluation makes the run done
  write("/evaluation.json", result_json(training.run, *evaluation, reference).dump(2));
  for (const Alarm& alarm : evaluation_alarms(*training.run.learner, *evaluation, reference)) {
    watch.warn(alarm.sentence);
  }
  return evaluation;
}

}  // namespace vic
