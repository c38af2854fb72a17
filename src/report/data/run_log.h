// The logs of a run, line by line.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/file_value.h"

namespace vic {

// Reads a log, an object with a rising "update" a line. The last line of a run that is not
// finished may be half written. Throws a UsageError that names the line.
void parse_log(std::string_view text, const std::string& path, bool finished,
               const std::function<void(long update, const FileValue& line)>& visit);

}  // namespace vic
