// vic worlds, of simulated worlds.
#pragma once

#include <string>

#include "base/json.h"
#include "base/settings.h"
#include "cli/console.h"
#include "sim/survey.h"
#include "sim/world.h"

namespace vic {

struct SimulatorRequest {
  std::string world;
  bool play = false;
  int seed = 1;
  int options = 0;  // 0: none; else count what so many do
  std::string svg;  // a file for the filmstrip
};

// What many options did, for people.
void print_survey(const SimulatorSpec& spec, const Survey& survey, std::ostream& out);

// Shows a world, plays an option or counts what many do.
void show_simulator(const SimulatorRequest& request, Overrides overrides, const Console& console);

// A registered world with its settings as they are, for the list of worlds.
SimulatorSpec registered_spec(const SimulatorEntry& entry);

Json simulator_summary_json(const SimulatorSpec& spec);

}  // namespace vic
