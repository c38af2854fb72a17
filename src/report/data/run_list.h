// What every run under some folders is doing now, cheap enough to be looked at every second:
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

// A run is pending where it was submitted to Slurm and has no folder yet.
enum class RunState { training, interrupted, finished, damaged, pending };
template <>
inline constexpr auto names_of<RunState> =
    std::to_array<std::string_view>({"training", "interrupted", "finished", "damaged", "pending"});

// What a run that trains is at.
enum class RunPhase { warm_up, learning, evaluation };
template <>
inline constexpr auto names_of<RunPhase> = std::to_array<std::string_view>({"warm-up", "learning",
                                                                            "evaluation"});

struct RunStatus {
  std::string folder;
  std::string world, algorithm;  // empty where the settings are damaged
  long seed = 0;
  long update = 0;                // the last one that the logs have
  long warm_up = 0, updates = 0;  // of the whole run: `updates` has the warm-up in it
  RunState state = RunState::interrupted;
  std::optional<RunPhase> phase;       // of a run that trains
  std::optional<double> seconds_left;  // until the last update, at the present rate
  // Nats. H is that of the evaluation, or of the last survey of a run that is not finished; I_hat
  // is the running estimate of tables. H_max is known once the world is solved, of tables.
  std::optional<double> H, I_hat, H_max;
  // What the evaluation warns of, or the training of a run that is not finished.
  std::vector<std::string> warnings;
  std::string problem;                // a sentence, where the run is damaged
  std::optional<std::string> holder;  // the host that trains it, and the task of a scheduler there
};

// Keeps what it has read, and reads again only what has changed: of settings and results the whole
// files, of logs the last lines. Whether a run trains is known by the lock of its folder.
class RunList {
 public:
  // The run folders at these paths and below.
  explicit RunList(std::vector<std::string> paths);
  ~RunList();

  // All runs there are now. Damaged files are part of the answer; nothing is thrown for them.
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
