// Simulated worlds as environments in Python: episodes that reset and step together.
#include <fmt/format.h>

#include "core.h"
#include "sim/world.h"
#include "worlds.h"

namespace vic::python {
namespace {

class PyEpisodes {
 public:
  PyEpisodes(const PyWorld& world, int B)
      : simulator_(require_simulator(world)),
        episodes_(simulator_->make_episodes(B, 1)),
        viewer_(simulator_->make_viewer()) {}

  // Each returns the states, (B, n).
  py::array reset(std::uint64_t seed) {
    {
      const py::gil_scoped_release release;
      episodes_->reset(seed);
    }
    return states();
  }

  py::array step(const py::array_t<int, py::array::c_style | py::array::forcecast>& levels) {
    const auto wanted = py::ssize_t{episodes_->B()} * simulator_->spec().F();
    if (levels.size() != wanted) {
      fail_usage("An action in {} is {} levels; these are {}.", simulator_->spec().name, wanted,
                 levels.size());
    }
    {
      const std::span<const int> given(levels.data(), static_cast<std::size_t>(wanted));
      const py::gil_scoped_release release;
      episodes_->step(given);
    }
    return states();
  }

  // (B, K) the coordinates, measured from the start.
  py::array displacements() {
    std::vector<double> all;
    for (int b = 0; b < episodes_->B(); ++b) {
      const Displacement one = displacement_of(*simulator_, *viewer_, episodes_->state(b));
      all.insert(all.end(), one.begin(), one.end());
    }
    return array(std::move(all), {episodes_->B(), simulator_->spec().K()});
  }

 private:
  static SimulatorPtr require_simulator(const PyWorld& world) {
    const auto* simulator = std::get_if<SimulatorPtr>(&world.world);
    if (simulator == nullptr) {
      fail_usage("{} is a table, and not simulated.", world_name(world.world));
    }
    return *simulator;
  }

  py::array states() const {
    std::vector<double> all;
    for (int b = 0; b < episodes_->B(); ++b) {
      const std::span<const double> one = episodes_->state(b);
      all.insert(all.end(), one.begin(), one.end());
    }
    return array(std::move(all), {episodes_->B(), simulator_->spec().n()});
  }

  SimulatorPtr simulator_;
  std::unique_ptr<Episodes> episodes_;
  std::unique_ptr<Viewer> viewer_;
};

}  // namespace

void add_episodes(py::module_& module) {
  py::class_<PyEpisodes>(module, "Episodes")
      .def(py::init<const PyWorld&, int>())
      .def("reset", &PyEpisodes::reset)
      .def("step", &PyEpisodes::step)
      .def("displacements", &PyEpisodes::displacements);
}

}  // namespace vic::python
