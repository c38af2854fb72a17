// Small evaluations of the last checkpoints of runs in training, made beside the training in a
// thread that takes little of the processor.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/stop.h"
#include "report/data/run_files.h"

namespace vic {

struct LiveValues {
  FinalValues values;
  std::optional<FilmReel> films;  // of a simulated world
};

// The evaluation of a run as its folder is now. Throws as load_trained_run does, and Interrupted.
LiveValues evaluate_checkpoint(const std::string& folder, Stop stop);

class LiveEvaluations {
 public:
  LiveEvaluations();
  ~LiveEvaluations();  // ends the evaluation that is under way
  LiveEvaluations(const LiveEvaluations&) = delete;
  LiveEvaluations& operator=(const LiveEvaluations&) = delete;

  // Sets the runs to evaluate, in place of those before. They are evaluated in this order, and
  // again whenever there is a new checkpoint.
  void want(std::vector<std::string> folders);

  // The newest evaluation, nothing if there is none yet.
  std::shared_ptr<const LiveValues> find(const std::string& folder) const;

  // How many have been made: drawings made with fewer are out of date.
  long made() const;

 private:
  struct Known {
    std::string checkpoint;  // the one that was evaluated
    std::shared_ptr<const LiveValues> values;
  };
  void work();
  std::optional<std::string> next() const;  // a wanted run with a new checkpoint

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> wanted_;
  std::map<std::string, Known> known_;
  long made_ = 0;
  StopRequest stop_;
  std::thread thread_;  // last: it begins when the rest is constructed
};

}  // namespace vic
