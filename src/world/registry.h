// The registry: the worlds that have a name, and loading a world by name or file.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/settings.h"
#include "world/tabular.h"

namespace vic {

// A registered world: a name, one line about it, and a function of its settings.
struct WorldEntry {
  std::string name;
  std::string figure;  // where the paper uses it
  std::string summary;
  std::function<std::vector<SettingInfo>()> settings;  // with their defaults
  std::function<TabularWorld(Overrides&)> make;        // takes the world.* settings
};

// Makes an entry from a function of a settings struct and the values of this world of the family.
template <class Settings>
WorldEntry world_entry(std::string name, std::string figure, std::string summary,
                       TabularWorld (*make)(const std::string& name, const Settings&),
                       Settings defaults) {
  return {.name = name,
          .figure = std::move(figure),
          .summary = std::move(summary),
          .settings = [defaults] { return describe("world", defaults); },
          .make =
              [name, make, defaults](Overrides& overrides) {
                Settings settings = defaults;
                overrides.apply("world", settings);
                return make(name, settings);
              }};
}

// All registered worlds, in the order of the paper.
const std::vector<WorldEntry>& registry();

// Adds worlds and returns true. To be called before any other thread reads the registry, as by
//   const bool registered = register_worlds(…);
// in the file of the worlds.
bool register_worlds(const std::vector<WorldEntry>& family);

// Whether a world's name is the path of a file: it ends in .toml or has a slash in it.
bool is_world_file(const std::string& name);

// The world of a registered name, or of a world file (a path: anything that ends in .toml or has a
// slash in it). Takes the world.* settings from `overrides`. Throws a UsageError; for an unknown
// name it suggests the closest one, `other_names` included.
TabularWorld load_world(const std::string& name, Overrides& overrides,
                        std::vector<std::string> other_names = {});

// The families of worlds, each in its own file.
std::vector<WorldEntry> line_worlds();
std::vector<WorldEntry> grid_worlds();
std::vector<WorldEntry> tree_worlds();
std::vector<WorldEntry> four_rooms_worlds();
std::vector<WorldEntry> rooms_35_worlds();
std::vector<WorldEntry> noisy_tv_worlds();

}  // namespace vic
