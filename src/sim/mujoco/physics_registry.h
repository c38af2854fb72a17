// The physics worlds that have a name, and the way from a name or a model file to a world. They
// stand beside the tabular ones of registry.h, which have transitions to look up.
#pragma once

#include <string>
#include <vector>

#include "sim/mujoco/physics.h"

namespace vic {

// A registered physics world: a name, one line about it, its model and its settings.
struct PhysicsEntry {
  std::string name;
  std::string figure;  // where the paper uses it
  std::string summary;
  std::string_view text;  // the model
  PhysicsSettings defaults;
};

const std::vector<PhysicsEntry>& physics_registry();

// Whether a world's name stands for a physics world: a registered one, or a file that ends in .xml.
bool is_physics_world(const std::string& name);

// The world that such a name stands for. Takes the world.* settings from `overrides`; world.model
// puts another body in the place of a registered one. Throws a UsageError.
PhysicsWorld load_physics_world(const std::string& name, Overrides& overrides);

}  // namespace vic
