// Training a run in its folder, from wherever it is to the end.
//
//   Training training = begin_training(make_run(overrides), folder);  // or resume_training(folder)
//   const auto evaluation = train(training, reference, {.stop = &stop});
//
// Runs of different folders may be trained on different threads at once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/stop.h"
#include "eval/record.h"
#include "run/run_folder.h"

namespace vic {

// A run whose folder this process has locked.
struct Training {
  Run run;
  std::string folder;
  FolderLock lock;

  long updates() const;  // of the whole run, the warm-up included
};

// Callbacks of a training, all called on the thread that trains.
struct TrainingWatch {
  std::function<void(const Learner& learner)> progress = {};  // after every update
  // during the evaluation: the part that is being measured, and the share of it that is done
  std::function<void(std::string_view part, double done)> evaluating = {};
  Warn warn = no_warning;  // of damage that was found, and of alarms
  Stop stop = {};          // once wanted, saves and stops
};

// A new run in a folder that has none, or that replaces one. Throws as begin_run_folder does.
Training begin_training(Run run, const std::string& folder, Existing existing = Existing::keep,
                        std::optional<FolderLock> taken = {});

// An interrupted run, as its folder has it. Throws as load_run and lock_run do.
Training resume_training(const std::string& folder, const Warn& warn = no_warning,
                         std::optional<FolderLock> taken = {});

// Whether nothing is left to do: the learner has done all updates, and the folder has its results.
bool is_finished(const Training& training);

// evaluation.json: the evaluation with the run's result_mark.
Json result_json(const Run& run, const Evaluation& evaluation, const Reference& reference);

// Takes a rank's share of all updates that are left, beside the rank that trains, and writes
// nothing.
void take_part(Learner& learner, Stop stop);

// Throws an Error if the ranks of a job have different learners.
void require_same(const Learner& learner);

// Trains to the end, evaluates, and writes truth.json and evaluation.json, after which the run
// is_done. `reference` is that of the world. Returns nothing if it was stopped: then the checkpoint
// has all that was learned, and the finished parts of the evaluation are kept. Weights,
// metrics.jsonl and evaluation.json are the same to the byte however often a run was interrupted.
// Throws an Error if a file cannot be written; the last checkpoint then stays as it was.
std::optional<Evaluation> train(Training& training, const Reference& reference,
                                const TrainingWatch& watch);

}  // namespace vic
