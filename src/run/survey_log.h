// How the options of a run change as it trains, one line every run.survey_every updates:
//
//   control.jsonl      in a table: H, and D and N where they are known
//   behaviours.jsonl   in a simulated world: a survey
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
  // The log of the run as it is now; lines about later updates will be written again.
  SurveyLog(const Run& run, const std::string& folder);

  // Measures the policy after every run.survey_every updates, and adds the line unless it is
  // already there. Training does not depend on it. If `stop` is wanted it throws Interrupted and
  // adds nothing; called again after the same update, it adds the line.
  void follow(const Run& run, Stop stop);

  void sync() { log_.sync(); }

 private:
  UpdateLog log_;
  std::optional<HistoryTree> tree_;  // of a table that is small enough
};

}  // namespace vic
