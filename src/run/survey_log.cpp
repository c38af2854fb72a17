#include "run/survey_log.h"

#include "eval/record.h"

namespace vic {
namespace {

// measuring this many histories takes a small share of the time between two surveys
constexpr long most_histories = 20000;

}  // namespace

SurveyLog::SurveyLog(const Run& run, const std::string& folder)
    : log_(folder + (table_in(run.world) != nullptr ? "/control.jsonl" : "/behaviours.jsonl"),
           run.learner->state().update) {
  if (const TabularWorld* table = table_in(run.world)) {
    tree_ = enumerate_tree(*table, most_histories);
  }
}

void SurveyLog::follow(const Run& run, Stop stop) {
  const long update = run.learner->state().update;
  if (update % run.settings.survey_every != 0 || update <= log_.last()) return;
  const auto step = [&](int, int) { stop.check(); };
  const int options = run.settings.survey_options;
  log_.append(table_in(run.world) != nullptr ? control_json(*run.learner, tree_, options, step)
                                             : behaviours_json(*run.learner, options, step));
}

}  // namespace vic
