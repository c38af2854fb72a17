// Shows a sweep: on a terminal a line for each run that is trained now and one for the whole, with
// the time left; elsewhere a line for each run that ends.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/usage.h"
#include "cli/console.h"
#include "experiment/sweep.h"

namespace vic {

class SweepMonitor {
 public:
  SweepMonitor(const Console& console, const std::vector<SweepRun>& runs,
               const Experiment& experiment);
  ~SweepMonitor();
  SweepMonitor(const SweepMonitor&) = delete;
  SweepMonitor& operator=(const SweepMonitor&) = delete;

  // Both may be called on any thread.
  void progress(std::size_t run, const Training& training);
  void done(std::size_t run, const Json& evaluation);

 private:
  using Clock = std::chrono::steady_clock;
  // a run that is trained now
  struct Active {
    long update = 0;
    std::string text;
    Stopwatch watch;
    Clock::time_point looked = {};
  };

  void draw();
  void erase();
  std::string total_line() const;

  const Console& console_;
  const std::vector<SweepRun>& runs_;
  const Experiment& experiment_;
  std::mutex mutex_;
  std::map<std::size_t, Active> active_;
  Stopwatch watch_;
  Clock::time_point drawn_ = {};
  long updates_done_ = 0, updates_all_ = 0;  // of the runs that were not done before
  std::size_t finished_ = 0;                 // runs
  int lines_ = 0;                            // on the terminal now
};

}  // namespace vic
