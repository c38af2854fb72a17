// The present state of every run under some folders, cheap enough to refresh every second:
//
//   RunList list({"runs"});
//   while (shown) draw(list.refresh());
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/settings.h"

namespace vic {

// A run is pending if it was submitted to Slurm and has no folder yet.
enum class RunState { training, interrupted, finished, damaged, pending };
template <>
inline constexpr auto names_of<RunState> =
    std::to_array<std::string_view>({"training", "interrupted", "finished", "damaged", "pending"});

// The phase of a run that is training.
enum class RunPhase { warm_up, learning, evaluation };
template <>
inline constexpr auto names_of<RunPhase> = std::to_array<std::string_view>({"warm-up", "learning",
                                                                            "evaluation"});

struct RunStatus {
  std::string folder;
  std::string world, algorithm;  // empty if the settings are damaged
  long seed = 0;
  long update = 0;                // the last one in the logs
  long warm_up = 0, updates = 0;  // of the whole run: `updates` includes the warm-up
  RunState state = RunState::interrupted;
  std::optional<RunPhase> phase;       // of a run that is training
  std::optional<double> seconds_left;  // until the last update, at the present rate
  // Nats. H is that of the evaluation or, for an unfinished run, of the last survey; I_hat is the
  // running estimate of tables. H_max is known once the world is solved, for tables.
  std::optional<double> H, I_hat, H_max;
  // The warnings of the evaluation, or of the training if the run is not finished.
  std::vector<std::string> warnings;
  std::string problem;                // a sentence, if the run is damaged
  std::optional<std::string> holder;  // the host that trains it, and its scheduler's task
};

// Caches what it has read, and reads only what has changed: settings and results as whole files, of
// logs the last lines. The lock of a folder tells whether its run is training.
class RunList {
 public:
  // The run folders at these paths and below.
  explicit RunList(std::vector<std::string> paths);
  ~RunList();

  // All runs that exist now. Damaged files are part of the result and do not throw.
  std::vector<RunStatus> refresh();

  // Sentences about the folders that the last refresh could not read.
  const std::vector<std::string>& unreadable() const { return unreadable_; }

 private:
  class Watched;

  std::vector<std::string> paths_;
  std::map<std::string, std::unique_ptr<Watched>> runs_;  // by folder
  std::vector<std::string> unreadable_;
};

// An element of "runs" of vic runs --json.
Json status_json(const RunStatus& status);

}  // namespace vic
