// Users' worlds, read from TOML files. docs/world-files.md describes the format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/file_value.h"
#include "world/tabular.h"

namespace vic {

// Reads the world file at `path`; world.T_max and world.start may be overridden. Throws a
// UsageError of one line with file, line, key, value and what is allowed.
TabularWorld load_world_file(const std::string& path, Overrides& overrides);

// The same from text already in memory; `path` is its name in errors.
TabularWorld parse_world_file(std::string_view text, const std::string& path, Overrides& overrides);

// ---- the two forms of a file: a map with moves, or a table of transitions

// Rewards beyond these are refused, as in the registered worlds.
inline constexpr Range reward_range{-1e9, 1e9};

// A world as its file describes it.
struct WrittenWorld {
  TabularWorld world;
  std::vector<std::string> start_names;  // of the first of world.starts; empty: no start is chosen
  std::vector<int> lines;                // (S) the line of the file that defines the state
};

// The keys that both forms share.
struct CommonKeys {
  std::string name;
  int T_max = 0;
  double step_reward = 0;
};

WrittenWorld read_map_form(const FileValue& file, const CommonKeys& common);
WrittenWorld read_table_form(const FileValue& file, const CommonKeys& common);

// Whether options may stop early: "free" or "never". Throws a UsageError for anything else.
bool may_stop(const std::string& termination);

// Whether the sum of probabilities is 1, up to rounding.
bool sums_to_one(double sum);

}  // namespace vic
