// Training a run in its folder, from wherever it is to the end.
//
//   Training training = begin_training(make_run(overrides), folder);     // or
//   resume_training(folder) const auto evaluation = train(training, reference, {.stop = &stop});
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

// A run whose folder is ours.
struct Training {
  Run run;
  std::string folder;
  FolderLock lock;

  long updates() const;  // of the whole run, the warm-up included
};

// Who looks on. Everything is called on the thread that trains.
struct TrainingWatch {
  std::function<void(const Learner& learner)> progress = {};  // after every update
  // during the evaluation: what is measured now, and the share of it that is done
  std::function<void(std::string_view part, double done)> evaluating = {};
  Warn warn = no_warning;  // of what was found damaged, and of what cannot be right
  Stop stop = {};          // once wanted, saves and ends
};

// A new run in a folder that has none, or in the place of one. Throws as begin_run_folder does.
Training begin_training(Run run, const std::string& folder, Existing existing = Existing::keep,
                        std::optional<FolderLock> taken = {});

// A run that was interrupted, as its folder has it. Throws as load_run and lock_run do.
Training resume_training(const std::string& folder, const Warn& warn = no_warning,
                         std::optional<FolderLock> taken = {});

// Whether nothing is left to do: the learner has done all updates, and the folder has its results.
bool is_finished(const Training& training);

// evaluation.json: the evaluation with the run's result_mark.
Json result_json(const Run& run, const Evaluation& evaluation, const Reference& reference);

// Takes a rank's share of all updates that are left, beside the rank that trains, and writes
// nothing.
void take_part(Learner& learner, Stop stop);

// Throws an Error where the learners of a job's ranks are not the same.
void require_same(const Learner& learner);

// Trains to the end, evaluates, and writes truth.json and evaluation.json, after which the run
// is_done. `reference` is that of the world. Returns nothing where it was stopped: then the
// checkpoint has all that was learned, and the parts of the evaluation that were done are kept.
// What was learned, metrics.jsonl and evaluation.json are the
// same to the byte however often a run was interrupted. Throws an Error where something cannot be
// written; the last checkpoint is then as it was.
std::optional<Evaluation> train(Training& training, const Reference& reference,
                                const TrainingWatch& watch);

}  // namespace vic
