#include "run/behaviour_log.h"

#include "base/file.h"
#include "eval/physics_eval.h"
#include "eval/survey_json.h"

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
    : file_(folder + "/behaviours.jsonl", kept_bytes(folder + "/behaviours.jsonl", update)) {}

void BehaviourLog::follow(const Run& run) {
  const long update = run.learner->state().update;
  if (update % run.settings.survey_every != 0) return;
  const int options = EvalSettings{}.survey;
  Json line = {{"update", update}};
  line.update(
      survey_json(survey_of(*run.physics, sample_states(run.learner->agent(), options, /*seed=*/0))));
  line.erase("cell_list");
  file_.append(line.dump() + "\n");
  file_.flush();
}

}  // namespace vic
