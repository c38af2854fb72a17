#include "run/alarm_log.h"

#include "base/file.h"
#include "base/text.h"

namespace vic {
namespace {

// longer than the lines of metrics between two checks
constexpr std::size_t tail_bytes = std::size_t{1} << 18;

// alarm_interval, rounded up to a multiple of the updates between two lines of metrics
long interval_of(const RunSettings& settings) {
  const long every = settings.metrics_every;
  return (alarm_interval + every - 1) / every * every;
}

// the metrics of an update, as far as alarms compare them with those of later ones
Metrics logged_metrics(const std::string& path, long update) {
  if (update == 0) return {};
  const std::string text = read_end(path, tail_bytes);
  const std::size_t begin = text.rfind(fmt::format("{{\"update\":{},", update));
  if (begin == std::string::npos) return {};
  const auto line = Json::try_parse(text.substr(begin, text.find('\n', begin) - begin));
  const Json* baseline = line ? line->find("baseline") : nullptr;
  if (baseline == nullptr || !baseline->is_number()) return {};
  Metrics metrics;
  metrics.update = update;
  metrics.baseline = baseline->get<double>();
  return metrics;
}

void say(long update, const std::string& sentence, const Warn& warn) {
  warn(fmt::format("After update {}: {}", update, sentence));
}

}  // namespace

AlarmLog::AlarmLog(const Run& run, const std::string& folder, const Warn& warn)
    : interval_(interval_of(run.settings)),
      before_(logged_metrics(folder + "/metrics.jsonl",
                             run.learner->state().update / interval_ * interval_)),
      log_(folder + "/alarms.jsonl", run.learner->state().update, [&](const Json& line) {
        read(FileValue::parse(line.dump(), folder + "/alarms.jsonl"), warn);
      }) {}

void AlarmLog::read(const FileValue& line, const Warn& warn) {
  for (const FileValue& alarm : line.objects("alarms")) {
    said_.insert(alarm.text("cause"));
    say(line.whole("update"), shown(alarm.text("sentence"), std::string::npos), warn);
  }
}

void AlarmLog::follow(const Agent& agent, const Metrics& now, const Warn& warn) {
  if (now.update % interval_ != 0) return;
  Json line = {{"update", now.update}, {"alarms", Json::array()}};
  for (const auto& [cause, sentence] : training_alarms(agent, before_, now)) {
    if (!said_.insert(cause).second) continue;
    line["alarms"].push_back({{"cause", cause}, {"sentence", sentence}});
    say(now.update, sentence, warn);
  }
  if (!line["alarms"].empty()) log_.append(line);
  before_ = now;
}

}  // namespace vic
