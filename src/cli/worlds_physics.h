// vic worlds, of simulated worlds.
#pragma once

#include <string>

#include "base/json.h"
#include "base/settings.h"
#include "cli/console.h"
#include "sim/mujoco/physics_registry.h"
#include "sim/survey.h"

namespace vic {

struct PhysicsRequest {
  std::string world;
  bool play = false;
  int seed = 1;
  int options = 0;  // 0: none; else count what so many do
  std::string svg;  // a file for the filmstrip
};

// What many options did, for people.
void print_survey(const PhysicsWorld& world, const Survey& survey, std::ostream& out);

// Shows a world, plays an option or counts what many do.
void show_physics(const PhysicsRequest& request, Overrides overrides, const Console& console);

Json physics_summary_json(const PhysicsEntry& entry);

}  // namespace vic
