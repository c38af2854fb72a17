// TOML text from a file of the user's. toml++ is compiled in toml.cpp alone.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

namespace vic {

// The table that the text describes, as an object with its members by rising key; every value knows
// its lines. Dates and times, which none of our files has, are null. `path` is what errors call the
// text. Throws a UsageError of one line with the file and the line where the text is not TOML.
Json parse_toml(std::string_view text, const std::string& path);

}  // namespace vic
