// Worlds of the user's own, read from TOML files. docs/world-files.md describes the format.
#pragma once

#include <string>
#include <string_view>

#include "base/settings.h"
#include "world/tabular.h"

namespace vic {

// Reads the world file at `path`; world.T_max and world.start may be overridden. Throws a
// UsageError of one line with file, line, key, value and what is allowed.
TabularWorld load_world_file(const std::string& path, Overrides& overrides);

// The same from text already in memory; `path` is what errors call it.
TabularWorld parse_world_file(std::string_view text, const std::string& path, Overrides& overrides);

}  // namespace vic
