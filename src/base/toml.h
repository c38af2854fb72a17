// TOML text from a file of the user's.
#pragma once

#include <toml++/toml.h>
#include <string>
#include <string_view>

namespace vic {

// The table that the text describes; `path` is what errors call it. Throws a UsageError of one line
// with the file and the line where the text is not TOML.
toml::table parse_toml(std::string_view text, const std::string& path);

}  // namespace vic
