// A run: a world, settings and a learner, and the folder that holds them. docs/runs.md lists the
// files of the folder.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/folder_lock.h"
#include "base/json.h"
#include "base/settings.h"
#include "eval/evaluate.h"
#include "eval/reference.h"
#include "method/learner.h"
#include "run/checkpoint_file.h"
#include "run/run_logs.h"
#include "sim/world.h"

namespace vic {

// The version of a run folder's files; see docs/runs.md.
inline constexpr int run_format = 3;

struct RunSettings {
  int format = run_format;
  std::string world;
  std::string group;
  int metrics_every = 10;
  int checkpoint_every = 0;
  int survey_every = 200;
  int survey_options = 1024;
  std::string from;

  template <class Visitor>
  void visit(Visitor&& field) {
    field("format", format, Range{run_format, run_format}, "version of the run folder's files");
    field("world", world, Range{}, "the world's name, or its file");
    field("group", group, Range{}, "the name of its figure in reports; by default the world");
    field("metrics_every", metrics_every, Range{1, 1e9}, "updates between two lines of metrics");
    field("checkpoint_every", checkpoint_every, Range{0, 1e9},
          "updates between two checkpoints; 0: by time");
    field("survey_every", survey_every, Range{1, 1e9},
          "updates between two surveys of the options; in tables, of H, D and N");
    field("survey_options", survey_options, Range{10, 1e9},
          "options of a sampled survey, and of the one after training; in a simulated world by "
          "default a hundredth of the options of training, 32 to 1,024");
    field("from", from, Range{}, "the run and update whose weights it began with; see --from");
  }
};

// A learner with its world and settings.
struct Run {
  RunSettings settings;
  EvalSettings eval;                 // of the evaluation after training, and of vic eval
  std::vector<Assignment> resolved;  // every setting, as settings.toml has it
  World world;
  std::unique_ptr<Learner> learner;
  std::string world_file, world_text;  // the run's copy of the world's file, if any
  LogMarks marks;               // how much of the folder's logs belongs to the learner's state
  bool newest_damaged = false;  // the learner is that of the checkpoint before the newest

  // The world, which must be a table; otherwise throws a UsageError.
  const TabularWorld& table() const { return require_table(world); }
};

// A run that has not begun, from what the user set: run.world, world.*, train.* and eval.*; of
// eval.* `resolved` has only what was set. The default of train.algorithm is the first that fits
// the world. The copy of the world's file, if there is one, is read from `folder`; `scales` are
// those of the checkpoint, and are measured if there are none. Throws a UsageError.
Run make_run(Overrides overrides, const std::string& folder = "",
             std::optional<Scales> scales = {});

// The reference of the run, with at most as many random options as its evaluation samples.
Reference find_reference(const Run& run, std::span<const double> lambdas = {},
                         const SolveProgress& progress = {}, Stop stop = {});

// A run as its folder has it, with its learner as in the newest sound checkpoint, or as at the
// beginning if there is none. Throws a UsageError for a folder without a run or whose files were
// changed since, with the key that differs; an Error if no checkpoint is sound.
Run load_run(const std::string& folder, const Warn& warn);

// The same for a run that has been trained. Throws a UsageError if there is no checkpoint.
Run load_trained_run(const std::string& folder, const Warn& warn);

// The same for a run in a tabular world. Throws a UsageError for a simulated world.
Run load_tabular_run(const std::string& folder, const Warn& warn);

// Where a run keeps the file of its world; "" for a registered one. Nothing outside the folder is
// read, whatever run.world says: the settings may come from someone else.
std::string world_copy(const std::vector<Assignment>& settings, const std::string& folder);

// Throws a UsageError if the settings have the format of another version, or are not text.
void require_format(const std::vector<Assignment>& settings, const std::string& folder);

// Whether a folder has a run, and whether that is trained and evaluated.
bool has_run(const std::string& folder);
bool is_done(const std::string& folder);

// Throws a UsageError if the folder has no run, or if a file that belongs to one is a link, a pipe
// or a device.
void require_run(const std::string& folder);

// What to do with a run that the folder of a new one already has.
enum class Existing { keep, replace };

// Throws a UsageError if the folder has a run that is to be kept.
void require_no_run(const std::string& folder, Existing existing = Existing::keep);

// Locks a folder for the duration of a training. Throws an Error if another process holds it.
FolderLock lock_run(const std::string& folder);

// Makes the folder of a new run and writes what does not change: the world, the build, a first
// checkpoint if the run begins with the weights of another, and the settings last. Takes the lock
// of the folder if it is not given. Throws a UsageError if there is a run that is to be kept;
// otherwise all files of that run are removed.
FolderLock begin_run_folder(const Run& run, const std::string& folder,
                            Existing existing = Existing::keep,
                            std::optional<FolderLock> taken = {});

// Warns if the run was begun by another build of the program.
void warn_of_another_build(const std::string& folder, const Warn& warn);

// Writes the checkpoint, completely or not at all. The marks are those of the learner's state.
void save_checkpoint(const Run& run, const std::string& folder);

}  // namespace vic
