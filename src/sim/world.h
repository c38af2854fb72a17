// Worlds of either kind: a table of states, or a simulator.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "sim/registry.h"
#include "world/tabular.h"

namespace vic {

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
// `overrides`. A run's `folder`, where it is said, has the copy of the file to be read in its
// place. Throws a UsageError.
LoadedWorld load_any_world(const std::string& name, Overrides& overrides,
                           const std::string& folder = "");

// The same without a copy, for those who need no file.
SimulatorPtr load_simulator(const std::string& name, Overrides& overrides);

// The table that a name stands for. Throws a UsageError for a simulated world.
TabularWorld load_table(const std::string& name, Overrides& overrides);

}  // namespace vic
