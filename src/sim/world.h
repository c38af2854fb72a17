// Worlds of either kind, a table of states or a simulator, and loading them by name or file.
//
// Simulators are registered by families: a family is a row, and no other code depends on the list
// of families or on the names of their files. The registry of tables is world/registry.h.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/settings.h"
#include "sim/simulator.h"
#include "world/tabular.h"

namespace vic {

using SimulatorPtr = std::shared_ptr<const Simulator>;

// A simulated world that has a name.
struct SimulatorEntry {
  std::string name;
  std::string figure;  // where the paper uses it
  std::string summary;
};

// Simulated worlds that are loaded in the same way.
struct SimulatorFamily {
  std::string name;                     // "MuJoCo"
  std::string files = {};               // "a MuJoCo model (.xml)"; empty where it reads none
  std::string model_file = {};          // the name of a run's copy of such a file, "world.xml"
  std::vector<SimulatorEntry> entries;  // those that have a name

  // Whether a world's name is that of a file of the family.
  std::function<bool(const std::string& name)> is_file = [](const std::string&) { return false; };

  // The world.* settings of a name or file, with their defaults.
  std::function<std::vector<SettingInfo>(const std::string& name)> settings;

  // The world of a name or file; takes the world.* settings. `copy`, if not empty, is a run's copy
  // of the file, which is read in its place. Throws a UsageError.
  std::function<SimulatorPtr(const std::string& name, Overrides& overrides,
                             const std::string& copy)>
      load;
};

// All families. References stay valid.
const std::deque<SimulatorFamily>& simulator_registry();

// Adds a family and returns true. To be called before any other thread reads the registry, as by
//   const bool registered = register_simulators(…);
// in the file of the simulator. Throws an Error for a name that is taken.
bool register_simulators(SimulatorFamily family);

// The family of a world's name; null where the world is not simulated.
const SimulatorFamily* find_simulators(const std::string& name);

// A family of one world with a name, a function of its settings.
template <class Settings>
SimulatorFamily one_simulator(SimulatorEntry entry,
                              SimulatorPtr (*make)(const std::string& name, const Settings&),
                              Settings defaults = {}) {
  return {.name = entry.name,
          .entries = {entry},
          .settings = [defaults](const std::string&) { return describe("world", defaults); },
          .load =
              [make, defaults](const std::string& name, Overrides& overrides, const std::string&) {
                Settings settings = defaults;
                overrides.apply("world", settings);
                return make(name, settings);
              }};
}

// Both are immutable, and do not move when their holders do.
using TablePtr = std::shared_ptr<const TabularWorld>;
using World = std::variant<TablePtr, SimulatorPtr>;

const std::string& world_name(const World& world);

// The world as a table or as a simulator; null where it is the other.
const TabularWorld* table_in(const World& world);
const Simulator* simulator_in(const World& world);

// The table of a world. Throws a UsageError where it is simulated.
const TabularWorld& require_table(const World& world);

// A world, and the file that is needed to load it again: its text, and the name of a run's copy.
// Both are empty for worlds that are part of the program.
struct LoadedWorld {
  World world;
  std::string file_name, file_text;
};

// The world of a name or of the path of a file. Takes the world.* settings from `overrides`. If a
// run's `folder` is given, its copy of the file is read in place of the file. Throws a UsageError.
LoadedWorld load_any_world(const std::string& name, Overrides& overrides,
                           const std::string& folder = "");

// The same for a simulator, for callers that need no file.
SimulatorPtr load_simulator(const std::string& name, Overrides& overrides);

// The table of a name. Throws a UsageError for a simulated world.
TabularWorld load_table(const std::string& name, Overrides& overrides);

}  // namespace vic
