// Worlds for Python: tables as arrays, and the specifications of simulated worlds.
#include "worlds.h"
#include "base/text.h"
#include "cli/export_policy.h"
#include "core.h"
#include "sim/world.h"
#include "world/registry.h"
#include "world/world_file.h"

namespace vic::python {
namespace {

PyWorld make_world(const std::string& name, const SettingPairs& settings, const std::string& text) {
  Overrides overrides(assignments(settings));
  World world;
  if (text.empty()) {
    world = load_any_world(name, overrides).world;
  } else {
    world = std::make_shared<const TabularWorld>(parse_world_file(text, name, overrides));
  }
  overrides.finish();
  return {name, settings, text, std::move(world)};
}

// a view of the numbers of a table, without a copy
template <class T>
py::cpp_function numbers(const std::vector<T> TabularWorld::*member) {
  return [member](const py::object& self) {
    const std::vector<T>& list = self.cast<const PyWorld&>().table().*member;
    return view(list, {static_cast<py::ssize_t>(list.size())}, self);
  };
}

py::array coordinates(const py::object& self) {
  const TabularWorld& world = self.cast<const PyWorld&>().table();
  return view(world.coordinates, {world.S, world.d}, self);
}

py::array_t<bool> absorbing(const PyWorld& self) {
  const TabularWorld& world = self.table();
  py::array_t<bool> flags(world.S);
  std::copy(world.absorbing.begin(), world.absorbing.end(), flags.mutable_data());
  return flags;
}

// the cells of a picture, (S, 2) rows and columns
py::array picture_cells(const PyWorld& self) {
  std::vector<int> cells;
  for (const Cell& cell : self.table().picture.cells) {
    cells.push_back(cell.row);
    cells.push_back(cell.column);
  }
  const auto rows = static_cast<py::ssize_t>(cells.size() / 2);
  return array(std::move(cells), {rows, 2});
}

py::dict specification(const PyWorld& self) {
  const Simulator* simulator = simulator_in(self.world);
  if (simulator == nullptr) fail_usage("{} is a table, and not simulated.", world_name(self.world));
  const SimulatorSpec& spec = simulator->spec();
  py::list actuators, coordinates_list;
  for (const Actuator& actuator : spec.actuators) {
    actuators.append(py::make_tuple(actuator.name, actuator.controls));
  }
  for (const Coordinate& coordinate : spec.coordinates) {
    coordinates_list.append(
        py::make_tuple(coordinate.name, coordinate.unit, coordinate.bins.width, coordinate.limit));
  }
  py::dict out;
  out["state_names"] = spec.state_names;
  out["start"] = spec.start;
  out["actuators"] = actuators;
  out["T"] = spec.T;
  out["deterministic"] = spec.deterministic;
  out["coordinates"] = coordinates_list;
  return out;
}

// name, figure and summary of all worlds that have a name
std::vector<std::tuple<std::string, std::string, std::string>> registered() {
  std::vector<std::tuple<std::string, std::string, std::string>> list;
  for (const WorldEntry& entry : registry()) {
    list.emplace_back(entry.name, entry.figure, entry.summary);
  }
  for (const SimulatorFamily& family : simulator_registry()) {
    for (const SimulatorEntry& entry : family.entries) {
      list.emplace_back(entry.name, entry.figure, entry.summary);
    }
  }
  return list;
}

template <auto member>
auto of_table() {
  return [](const PyWorld& self) { return self.table().*member; };
}

}  // namespace

void add_worlds(py::module_& module) {
  module.def("worlds", registered);
  py::class_<PyWorld>(module, "World")
      .def(py::init(&make_world))
      .def_readonly("source", &PyWorld::source)
      .def_readonly("settings", &PyWorld::settings)
      .def_readonly("text", &PyWorld::text)
      .def_property_readonly("name", [](const PyWorld& self) { return world_name(self.world); })
      .def_property_readonly("is_table",
                             [](const PyWorld& self) { return table_in(self.world) != nullptr; })
      .def_property_readonly("specification", specification)
      .def_property_readonly("S", of_table<&TabularWorld::S>())
      .def_property_readonly("A", of_table<&TabularWorld::A>())
      .def_property_readonly("T_max", of_table<&TabularWorld::T_max>())
      .def_property_readonly("may_stop", of_table<&TabularWorld::may_stop>())
      .def_property_readonly("start", of_table<&TabularWorld::s_0>())
      .def_property_readonly("has_reward", of_table<&TabularWorld::has_reward>())
      .def_property_readonly("step_reward", of_table<&TabularWorld::step_reward>())
      .def_property_readonly("state_names", of_table<&TabularWorld::state_names>())
      .def_property_readonly("action_names",
                             [](const PyWorld& self) { return action_names(self.table()); })
      .def_property_readonly("first", numbers(&TabularWorld::first))
      .def_property_readonly("next", numbers(&TabularWorld::next))
      .def_property_readonly("p", numbers(&TabularWorld::p))
      .def_property_readonly("enter_reward", numbers(&TabularWorld::enter_reward))
      .def_property_readonly("absorbing", absorbing)
      .def_property_readonly("coordinates", coordinates)
      .def_property_readonly("final_states",
                             [](const PyWorld& self) { return array(self.table().final_states()); })
      .def_property_readonly("picture",
                             [](const PyWorld& self) { return self.table().picture.lines; })
      .def_property_readonly("picture_cells", picture_cells);
}

}  // namespace vic::python
