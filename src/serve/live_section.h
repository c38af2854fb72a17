// The report's section about a run and others of its world, redrawn as they train.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "report/data/report_data.h"
#include "report/data/run_list.h"
#include "serve/live_evaluation.h"

namespace vic {

class LiveSections {
 public:
  // `root` is the folder that is served.
  explicit LiveSections(std::string root) : root_(std::move(root)) {}

  // {"html", "charts", "films", "runs", "seconds"}: the section of the run in this folder, the data
  // of its scripts, the folders of the runs in it, and the seconds that it took. Redrawn only if a
  // file or an evaluation is new, and only often enough that drawing takes a small share of the
  // processor. Throws a UsageError if a file is damaged.
  const std::string& json(const std::string& folder, const std::vector<RunStatus>& runs,
                          LiveEvaluations& evaluations);

 private:
  using Clock = std::chrono::steady_clock;
  struct Files {
    std::string stamps;  // identifies the versions of the runs' files
    RunFiles run;
  };
  struct Drawn {
    std::string stamps, text;
    Clock::time_point next;  // not redrawn before
  };
  const RunFiles& read(const std::string& folder);
  Json draw(const std::string& folder, const std::vector<std::string>& others,
            LiveEvaluations& evaluations);

  std::string root_;
  std::map<std::string, Files> files_;
  std::map<std::string, Drawn> drawn_;
};

}  // namespace vic
