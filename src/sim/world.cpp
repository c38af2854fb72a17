#include "sim/world.h"

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "sim/mujoco/mujoco_world.h"
#include "sim/noisy_mass.h"
#include "world/registry.h"

namespace vic {
namespace {

// a deque: adding families does not move the others
std::deque<SimulatorFamily>& families() {
  static std::deque<SimulatorFamily> list = {noisy_mass_family(), mujoco_family()};
  return list;
}

constexpr const char* table_file = "world.toml";

// the path of a file in a folder, empty where it is not there
std::string path_in(const std::string& folder, const std::string& file) {
  const std::string path = folder + "/" + file;
  return !folder.empty() && !file.empty() && path_exists(path) ? path : "";
}

// names that a user may have meant
std::vector<std::string> simulator_names() {
  std::vector<std::string> names;
  for (const SimulatorFamily& family : simulator_registry()) {
    for (const SimulatorEntry& entry : family.entries) names.push_back(entry.name);
  }
  return names;
}

}  // namespace

const std::deque<SimulatorFamily>& simulator_registry() {
  return families();
}

bool register_simulators(SimulatorFamily family) {
  for (const SimulatorEntry& entry : family.entries) {
    require(find_simulators(entry.name) == nullptr, "There is a simulator {} already.", entry.name);
  }
  families().push_back(std::move(family));
  return true;
}

const SimulatorFamily* find_simulators(const std::string& name) {
  for (const SimulatorFamily& family : families()) {
    const auto named = std::ranges::find(family.entries, name, &SimulatorEntry::name);
    if (named != family.entries.end() || family.is_file(name)) return &family;
  }
  return nullptr;
}

const std::string& world_name(const World& world) {
  const TabularWorld* table = table_in(world);
  return table != nullptr ? table->name : simulator_in(world)->spec().name;
}

const TabularWorld* table_in(const World& world) {
  const TablePtr* table = std::get_if<TablePtr>(&world);
  return table == nullptr ? nullptr : table->get();
}

const Simulator* simulator_in(const World& world) {
  const SimulatorPtr* simulator = std::get_if<SimulatorPtr>(&world);
  return simulator == nullptr ? nullptr : simulator->get();
}

const TabularWorld& require_table(const World& world) {
  if (const TabularWorld* table = table_in(world)) return *table;
  fail_usage("{} is a simulated world; this needs a world with a table of states.",
             world_name(world));
}

LoadedWorld load_any_world(const std::string& name, Overrides& overrides,
                           const std::string& folder) {
  if (const SimulatorFamily* family = find_simulators(name)) {
    SimulatorPtr simulator = family->load(name, overrides, path_in(folder, family->model_file));
    std::string text = simulator->model_text();
    return {std::move(simulator), text.empty() ? "" : family->model_file, std::move(text)};
  }
  const std::string copy = path_in(folder, table_file);
  const std::string& path = copy.empty() ? name : copy;
  TabularWorld table = load_world(path, overrides, simulator_names());
  // a file without a name of its own is named after its original path
  if (!copy.empty() && table.name == "world") {
    table.name = std::filesystem::path(name).stem().string();
  }
  auto shared = std::make_shared<const TabularWorld>(std::move(table));
  if (!is_world_file(path)) return {std::move(shared), "", ""};
  return {std::move(shared), table_file, read_file(path)};
}

SimulatorPtr load_simulator(const std::string& name, Overrides& overrides) {
  const SimulatorFamily* family = find_simulators(name);
  if (family == nullptr) {
    fail_usage("{} is not a simulated world; vic worlds lists the worlds.", name);
  }
  return family->load(name, overrides, "");
}

TabularWorld load_table(const std::string& name, Overrides& overrides) {
  if (const SimulatorFamily* family = find_simulators(name)) {
    fail_usage(
        "{} is simulated by {}: it has no table of transitions, which this command needs; vic "
        "worlds {} shows and plays it.",
        name, family->name, name);
  }
  return load_world(name, overrides, simulator_names());
}

}  // namespace vic
