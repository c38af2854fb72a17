#include "report/data/run_log.h"

#include <algorithm>

namespace vic {

void parse_log(std::string_view text, const std::string& path, bool finished,
               const std::function<void(long update, const FileValue& line)>& visit) {
  std::optional<long> last;
  std::size_t begin = 0;
  for (long number = 1; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    // a run that goes on, or was killed, may have written half of its last line
    if (end == std::string_view::npos && !finished) break;
    const FileValue line = FileValue::parse(text.substr(begin, std::min(end, text.size()) - begin),
                                            fmt::format("{}:{}", path, number));
    const long update = line.whole("update");
    if (last && update <= *last) {
      fail_usage("{} is damaged: update {} does not come after {}.", line.path(), update, *last);
    }
    visit(update, line);
    last = update;
    begin = end == std::string_view::npos ? text.size() : end + 1;
  }
}

}  // namespace vic
