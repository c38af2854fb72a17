// Worlds of either kind, a table of states or a simulator, and how a name or a file becomes one.
//
// Simulators are registered by families: a family is a row, and nothing else knows which families
// there are, or how their files are called. The registry of tables is world/registry.h.
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
  std::string model_file = {};          // what a run calls its copy of such a file, "world.xml"
  std::vector<SimulatorEntry> entries;  // those that have a name

  // Whether a world's name is a file of the family.
  std::function<bool(const std::string& name)> is_file = [](const std::string&) { return false; };

  // The world.* settings of a name or file, with their defaults.
  std::function<std::vector<SettingInfo>(const std::string& name)> settings;

  // The world of a name or file; takes the world.* settings. `copy`, where it is not empty, is the
  // copy of the file that a run kept, and is read in its place. Throws a UsageError.
  std::function<SimulatorPtr(const std::string& name, Overrides& overrides,
                             const std::string& copy)>
      load;
};

// All families. References stay valid.
const std::deque<SimulatorFamily>& simulator_registry();

// Adds a family of one's own. Called before any other thread looks at the registry, as by
//   const bool registered = register_simulators(…);
// in the file of the simulator. Returns true. Throws an Error for a name that is taken.
bool register_simulators(SimulatorFamily family);

// The family that a world's name belongs to, null where it is no simulated world.
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

// Both are immutable, and stay where they are while their holders move.
using TablePtr = std::shared_ptr<const TabularWorld>;
using World = std::variant<TablePtr, SimulatorPtr>;

const std::string& world_name(const World& world);

// The one or the other; null where it is not.
const TabularWorld* table_in(const World& world);
const Simulator* simulator_in(const World& world);

// The table of a world. Throws a UsageError where it is simulated.
const TabularWorld& require_table(const World& world);

// A world, and the file that is needed to load it again: its text and what a run calls its copy.
// Both are empty for worlds that are part of the program.
struct LoadedWorld {
  World world;
  std::string file_name, file_text;
};

// The world that a name or the path of a file stands for. Takes the world.* settings from
// `overrides`. A run's `folder`, where it is given, has a copy of the file, which is read in
// its place. Throws a UsageError.
LoadedWorld load_any_world(const std::string& name, Overrides& overrides,
                           const std::string& folder = "");

// The same without a copy, for those who need no file.
SimulatorPtr load_simulator(const std::string& name, Overrides& overrides);

// The table that a name stands for. Throws a UsageError for a simulated world.
TabularWorld load_table(const std::string& name, Overrides& overrides);

}  // namespace vic
