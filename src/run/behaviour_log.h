// behaviours.jsonl: what the options of a simulated world did as the training went on, a line now
// and then. Runs of tables have no such file.
#pragma once

#include <optional>
#include <string>

#include "base/append_file.h"
#include "base/stop.h"
#include "run/run_folder.h"

namespace vic {

class BehaviourLog {
 public:
  // The log of a learner that has done `update` updates; lines about later ones will come again.
  BehaviourLog(const std::string& folder, long update);

  // Samples options from the policy, every run.survey_every updates, and adds what they did, unless
  // that is there already. Where `stop` is wanted it throws Interrupted and adds nothing: called
  // again after the same update, it does.
  void follow(const Run& run, Stop stop);

  void sync() {
    if (file_) file_->sync();
  }

 private:
  std::string path_;
  std::size_t kept_ = 0;            // bytes of lines that stay
  long last_ = 0;                   // the update of the last line
  std::optional<AppendFile> file_;  // from the first line on
};

}  // namespace vic
