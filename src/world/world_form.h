// The two forms of a world file, read alike: a map with moves, or a table of transitions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/file_value.h"
#include "world/tabular.h"

namespace vic {

// Rewards beyond these are refused, as in the registered worlds.
inline constexpr Range reward_range{-1e9, 1e9};

// A world as its file tells it.
struct WrittenWorld {
  TabularWorld world;
  std::vector<std::string> start_names;  // of the first of world.starts; empty: no start is chosen
  std::vector<int> lines;                // (S) where in the file the state stands
};

// What both forms say in the same keys.
struct CommonKeys {
  std::string name;
  int T_max = 0;
  double step_reward = 0;
};

WrittenWorld read_map_form(const FileValue& file, const CommonKeys& common);
WrittenWorld read_table_form(const FileValue& file, const CommonKeys& common);

// Whether probabilities with this sum are those of all that can happen.
bool sums_to_one(double sum);

}  // namespace vic
