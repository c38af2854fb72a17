#include "sim/mujoco/physics_registry.h"

#include "sim/mujoco/assets.h"

namespace vic {
namespace {

const PhysicsEntry* find_entry(const std::string& name) {
  for (const PhysicsEntry& entry : physics_registry()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace

const std::vector<PhysicsEntry>& physics_registry() {
  static const std::vector<PhysicsEntry> entries = {{
      .name = "half-cheetah",
      .figure = "App. F",
      .summary = "a planar cheetah with six motors, simulated by MuJoCo",
      .text = resources::half_cheetah,
      .defaults = {},
  }};
  return entries;
}

bool is_physics_world(const std::string& name) {
  return name.ends_with(".xml") || find_entry(name) != nullptr;
}

PhysicsWorld load_physics_world(const std::string& name, Overrides& overrides) {
  const PhysicsEntry* entry = find_entry(name);
  PhysicsSettings settings = entry != nullptr ? entry->defaults : PhysicsSettings{.model = name};
  overrides.apply("world", settings);
  if (!settings.model.empty()) return load_physics_file(settings);
  return make_physics_world(name, entry->text, settings);
}

}  // namespace vic
