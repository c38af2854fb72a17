#include "sim/registry.h"

#include <algorithm>

#include "sim/mujoco/mujoco_world.h"

namespace vic {
namespace {

// a deque: families that are added move no others
std::deque<SimulatorFamily>& families() {
  static std::deque<SimulatorFamily> list = {mujoco_family()};
  return list;
}

}  // namespace

const std::deque<SimulatorFamily>& simulator_registry() {
  return families();
}

bool register_simulators(SimulatorFamily family) {
  for (const SimulatorEntry& entry : family.entries) {
    if (find_simulators(entry.name) != nullptr) {
      throw Error(fmt::format("There is a simulator {} already.", entry.name));
    }
  }
  families().push_back(std::move(family));
  return true;
}

const SimulatorFamily* find_simulators(const std::string& name) {
  for (const SimulatorFamily& family : families()) {
    const bool named = std::any_of(family.entries.begin(), family.entries.end(),
                                   [&](const SimulatorEntry& entry) { return entry.name == name; });
    if (named || family.is_file(name)) return &family;
  }
  return nullptr;
}

}  // namespace vic
