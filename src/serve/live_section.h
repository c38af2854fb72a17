// The report's section about a run and those beside it, drawn again as they train.
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

  // {"html", "charts", "films", "runs", "seconds"}: the section of the run in this folder, what its
  // scripts draw, the folders of the runs in it, and the seconds that it took. Drawn again only
  // where a file or an evaluation is new, and not before so much time has passed that drawing takes
  // a small share of the processor. Throws a UsageError where a file is damaged.
  const std::string& json(const std::string& folder, const std::vector<RunStatus>& runs,
                          LiveEvaluations& evaluations);

 private:
  using Clock = std::chrono::steady_clock;
  struct Files {
    std::string stamps;  // tells versions of the run's files apart
    RunFiles run;
  };
  struct Drawn {
    std::string stamps, text;
    Clock::time_point next;  // not before
  };
  const RunFiles& read(const std::string& folder);
  Json draw(const std::string& folder, const std::vector<std::string>& others,
            LiveEvaluations& evaluations);

  std::string root_;
  std::map<std::string, Files> files_;
  std::map<std::string, Drawn> drawn_;
};

}  // namespace vic
