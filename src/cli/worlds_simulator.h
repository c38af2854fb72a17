// vic worlds, of simulated worlds.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "base/settings.h"
#include "cli/console.h"
#include "sim/survey.h"
#include "sim/world.h"

namespace vic {

struct WorldsOptions {
  std::string world;
  std::string state;
  bool play = false;
  int seed = 1;
  int options = 0;  // simulated worlds: count what so many do; 0: none
  std::string svg;  // simulated worlds: a file for the filmstrip
};

// What many options did, for people.
void print_survey(const SimulatorSpec& spec, const Survey& survey, std::ostream& out);

// Shows a world, plays an option or counts what many do.
void show_simulator(const WorldsOptions& options, Overrides overrides, const Console& console);

// What worlds of both kinds show alike: a row of the list as a document, and the settings.
Json simulator_summary_json(const SimulatorSpec& spec);
void print_settings(const std::vector<SettingInfo>& settings, std::ostream& out);

}  // namespace vic
