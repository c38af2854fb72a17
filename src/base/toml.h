// TOML text from a file of the user's.
#pragma once

#include <toml++/toml.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"

namespace vic {

// The table that the text describes; `path` is what errors call it. Throws a UsageError of one line
// with the file and the line where the text is not TOML.
toml::table parse_toml(std::string_view text, const std::string& path);

// The numbers and texts of a table of tables, under dotted keys. Throws a UsageError for anything
// else.
std::vector<Assignment> settings_in(const toml::table& table, const std::string& path);

}  // namespace vic
