#include "run/update_log.h"

#include "base/file.h"

namespace vic {

UpdateLog::UpdateLog(std::string path, long update,
                     const std::function<void(const Json& line)>& visit)
    : path_(std::move(path)) {
  if (!path_exists(path_)) return;
  const std::string text = read_file(path_);
  // lines are kept up to the first one about a later update, or the first half line
  for (std::size_t end; (end = text.find('\n', kept_)) != std::string::npos; kept_ = end + 1) {
    const auto line = Json::try_parse(text.substr(kept_, end - kept_));
    const Json* at = line ? line->find("update") : nullptr;
    if (at == nullptr || !at->is_integer() || at->get<double>() > static_cast<double>(update))
      break;
    last_ = at->get<long>();
    if (visit) visit(*line);
  }
  if (kept_ < text.size()) file_.emplace(path_, kept_);
}

void UpdateLog::append(const Json& line) {
  if (!file_) file_.emplace(path_, kept_);
  file_->append(line.dump() + "\n");
  file_->flush();
  last_ = line["update"].get<long>();
}

}  // namespace vic
