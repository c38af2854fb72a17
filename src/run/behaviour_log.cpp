#include "run/behaviour_log.h"

#include "base/file.h"
#include "eval/record.h"

namespace vic {

BehaviourLog::BehaviourLog(const std::string& folder, long update)
    : path_(folder + "/behaviours.jsonl") {
  if (!path_exists(path_)) return;
  const std::string text = read_file(path_);
  // lines about updates up to this one; a half line ends them
  for (std::size_t end; (end = text.find('\n', kept_)) != std::string::npos; kept_ = end + 1) {
    const auto line = Json::try_parse(text.substr(kept_, end - kept_));
    const Json* at = line ? line->find("update") : nullptr;
    if (at == nullptr || !at->is_integer() || at->get<double>() > static_cast<double>(update))
      break;
    last_ = at->get<long>();
  }
}

void BehaviourLog::follow(const Run& run, Stop stop) {
  const long update = run.learner->state().update;
  if (update % run.settings.survey_every != 0 || update <= last_) return;
  const std::optional<Json> line =
      behaviours_json(*run.learner, run.settings.survey_options, [&](int, int) { stop.check(); });
  if (!line) return;
  if (!file_) file_.emplace(path_, kept_);
  file_->append(line->dump() + "\n");
  file_->flush();
  last_ = update;
}

}  // namespace vic
