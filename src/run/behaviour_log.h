// behaviours.jsonl: what a body did with its options as the training went on, a line now and then.
#pragma once

#include <string>

#include "base/append_file.h"
#include "run/run_folder.h"

namespace vic {

class BehaviourLog {
 public:
  // Opens the log of a learner that has done `update` updates; lines about later ones will come
  // again.
  BehaviourLog(const std::string& folder, long update);

  // Draws options from the policy, as `survey_every` asks for, and adds what they did.
  void follow(const Run& run);

  void sync() { file_.sync(); }

 private:
  AppendFile file_;
};

}  // namespace vic
