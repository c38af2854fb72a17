#include "run/behaviour_log.h"

#include "base/file.h"
#include "eval/record.h"

namespace vic {
namespace {

// how much of the log is about updates up to this one; a half line ends it
std::size_t kept_bytes(const std::string& path, long update) {
  if (!path_exists(path)) return 0;
  const std::string text = read_file(path);
  std::size_t kept = 0;
  for (std::size_t end; (end = text.find('\n', kept)) != std::string::npos; kept = end + 1) {
    const auto line = Json::try_parse(text.substr(kept, end - kept));
    const Json* at = line ? line->find("update") : nullptr;
    if (at == nullptr || !at->is_integer() || at->get<double>() > static_cast<double>(update))
      break;
  }
  return kept;
}

}  // namespace

BehaviourLog::BehaviourLog(const std::string& folder, long update)
    : path_(folder + "/behaviours.jsonl"), update_(update) {}

void BehaviourLog::follow(const Run& run) {
  if (run.learner->state().update % run.settings.survey_every != 0) return;
  const std::optional<Json> line = behaviours_json(*run.learner, run.settings.survey_options);
  if (!line) return;
  if (!file_) file_.emplace(path_, kept_bytes(path_, update_));
  file_->append(line->dump() + "\n");
  file_->flush();
}

}  // namespace vic
