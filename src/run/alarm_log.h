// alarms.jsonl: the warnings of a training, {"update", "alarms": [{"cause", "sentence"}]}. A run
// without warnings has no such file.
#pragma once

#include <set>
#include <string>

#include "base/file_value.h"
#include "eval/alarms.h"
#include "run/run_folder.h"
#include "run/update_log.h"

namespace vic {

class AlarmLog {
 public:
  // Opens the log of the run as it is now, and repeats the warnings in it. The folder must have the
  // metrics of the run.
  AlarmLog(const Run& run, const std::string& folder, const Warn& warn);

  // Called with every line of metrics. Checks one of them about every alarm_interval updates, and
  // warns of each cause once: like the metrics, the log depends on nothing else.
  void follow(const Agent& agent, const Metrics& now, const Warn& warn);

  void sync() { log_.sync(); }

 private:
  void read(const FileValue& line, const Warn& warn);

  long interval_;   // updates between two checks
  Metrics before_;  // those of the last check
  std::set<std::string> said_;
  UpdateLog log_;
};

}  // namespace vic
