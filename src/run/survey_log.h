// What the options of a run do as its training goes on, a line every run.survey_every updates:
//
//   control.jsonl      H, and where they are known D and N, of a table
//   behaviours.jsonl   of a simulated world
#pragma once

#include <optional>
#include <string>

#include "base/stop.h"
#include "eval/policy_table.h"
#include "run/run_folder.h"
#include "run/update_log.h"

namespace vic {

class SurveyLog {
 public:
  // The log of the run as it is now; lines about later updates will come again.
  SurveyLog(const Run& run, const std::string& folder);

  // Measures the policy, after every run.survey_every updates, and adds the line unless it is there
  // already. Nothing that is learned depends on it. Where `stop` is wanted it throws Interrupted
  // and adds nothing: called again after the same update, it does.
  void follow(const Run& run, Stop stop);

  void sync() { log_.sync(); }

 private:
  UpdateLog log_;
  std::optional<HistoryTree> tree_;  // of a table that is small enough
};

}  // namespace vic
