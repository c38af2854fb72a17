#include "world/registry.h"

#include "base/closest.h"
#include "sim/mujoco/physics_registry.h"
#include "world/world_file.h"

namespace vic {

const std::vector<WorldEntry>& registry() {
  static const std::vector<WorldEntry> entries = [] {
    std::vector<WorldEntry> all;
    for (const auto& family :
         {line_worlds(), grid_worlds(), tree_worlds(), four_rooms_worlds(), rooms_35_worlds()}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    return all;
  }();
  return entries;
}

bool is_world_file(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".toml");
}

TabularWorld load_world(const std::string& name, Overrides& overrides) {
  for (const WorldEntry& entry : registry()) {
    if (entry.name == name) return entry.make(overrides);
  }
  if (is_physics_world(name)) {
    fail_usage(
        "{} is simulated by MuJoCo: it has no table of transitions, which this command needs; vic "
        "worlds {} shows and plays it.",
        name, name);
  }
  if (is_world_file(name)) return load_world_file(name, overrides);
  std::vector<std::string> names;
  for (const WorldEntry& entry : registry()) names.push_back(entry.name);
  for (const PhysicsEntry& entry : physics_registry()) names.push_back(entry.name);
  fail_usage("There is no world '{}'{} A world of your own is a file that ends in .toml.", name,
             suggestion(name, names));
}

}  // namespace vic
