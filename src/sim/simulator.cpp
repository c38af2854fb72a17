#include "sim/simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <set>

#include "base/text.h"
#include "sim/behaviour.h"

namespace vic {
namespace {

constexpr double turn = 2 * std::numbers::pi;

// coordinates that are numbers of the state, and a disc in the plane of the first two
class StateViewer : public Viewer {
 public:
  explicit StateViewer(const SimulatorSpec& spec) : spec_(&spec), state_(spec.start) {}

  void put(std::span<const double> state) override { state_.assign(state.begin(), state.end()); }

  void displacement(std::span<double> out) override {
    for (int k = 0; k < spec_->K(); ++k) out[k] = coordinate(k);
  }

  Posture posture() override {
    const int rotation = spec_->rotation();
    return {coordinate(0), spec_->K() > 1 && rotation != 1 ? coordinate(1) : 0,
            rotation < 0 ? 0 : turn * coordinate(rotation)};
  }

  std::vector<Capsule> parts() override {
    constexpr double radius = 0.1;
    const Posture at = posture();
    return {{at.x, at.z, at.x, at.z, radius, 0}};
  }

 private:
  double coordinate(int k) const {
    const int number = spec_->coordinates[k].number;
    return state_[number] - spec_->start[number];
  }

  const SimulatorSpec* spec_;
  std::vector<double> state_;  // (n)
};

void require(bool holds, const SimulatorSpec& spec, const char* what) {
  if (!holds) throw Error(fmt::format("The simulator {} contradicts itself: {}.", spec.name, what));
}

void check(const SimulatorSpec& spec) {
  require(!spec.start.empty() && spec.state_names.size() == spec.start.size(), spec,
          "a state needs numbers, and each of them a name and a start");
  require(!spec.actuators.empty() && spec.L() >= 2, spec, "it needs actuators of two levels");
  for (const Actuator& actuator : spec.actuators) {
    require(static_cast<int>(actuator.controls.size()) == spec.L(), spec,
            "its actuators differ in their levels");
  }
  require(spec.T >= 1 && spec.seconds > 0, spec, "options need actions, and actions time");
  require(!spec.coordinates.empty(), spec, "cells need a coordinate");
  double cells = 1;
  // what files call the other things that they have of an option
  std::set<std::string> names = {"behaviour", "caption", "flips", "height",
                                 "options",   "path",    "poses"};
  for (const Coordinate& coordinate : spec.coordinates) {
    require(names.insert(coordinate.name).second && names.insert(coordinate.cell_name).second, spec,
            "a coordinate has a name that is taken");
    require(coordinate.bins.width > 0 && coordinate.method_bins().width > 0 &&
                coordinate.limit >= 1 && coordinate.number < spec.n(),
            spec, "a coordinate needs bins, a limit, and a number of the state or a viewer");
    cells *= 2.0 * coordinate.limit + 1;
  }
  constexpr double most_cells = 1e7;
  require(cells <= most_cells, spec, "it has more than ten million cells; lower the limits");
}

}  // namespace

int SimulatorSpec::rotation() const {
  for (int k = 0; k < K(); ++k) {
    if (coordinates[k].rotation) return k;
  }
  return -1;
}

double turns_between(const Posture& from, const Posture& to) {
  return (to.pitch - from.pitch) / (2 * std::numbers::pi);
}

void Episodes::save(int, std::span<double>) const {
  throw Error("This simulator has no snapshots.");
}

void Episodes::restore(int, std::span<const double>) {
  throw Error("This simulator has no snapshots.");
}

Simulator::Simulator(SimulatorSpec spec) : spec_(std::move(spec)) {
  for (Coordinate& coordinate : spec_.coordinates) {
    if (coordinate.cell_name.empty()) coordinate.cell_name = coordinate.name + "_cell";
  }
  check(spec_);
}

std::unique_ptr<Viewer> Simulator::make_viewer() const {
  for (const Coordinate& coordinate : spec_.coordinates) {
    require(coordinate.number >= 0, spec_,
            "without a viewer of its own its coordinates are numbers of the state");
  }
  return std::make_unique<StateViewer>(spec_);
}

void Simulator::describe(Behaviour& behaviour) const {
  // the coordinate in which it went farthest
  std::size_t farthest = 0;
  behaviour.caption.clear();
  for (std::size_t k = 0; k < behaviour.cell.size(); ++k) {
    if (std::abs(behaviour.cell[k]) > std::abs(behaviour.cell[farthest])) farthest = k;
    const Coordinate& coordinate = spec_.coordinates[k];
    behaviour.caption += fmt::format("{}{} {} {}", k > 0 ? ", " : "", coordinate.name,
                                     signed_text(behaviour.displacement[k], 2), coordinate.unit);
  }
  const int went = behaviour.cell[farthest];
  if (went == 0) {
    behaviour.name = "stays";
    behaviour.kind = 0;
  } else {
    behaviour.name =
        fmt::format("moves along {}{}", went > 0 ? "+" : "-", spec_.coordinates[farthest].name);
    behaviour.kind = 1 + 2 * static_cast<int>(farthest) + (went > 0 ? 0 : 1);
  }
  behaviour.kind_name = behaviour.name;
}

Displacement displacement_of(const Simulator& simulator, Viewer& viewer,
                             std::span<const double> state) {
  Displacement displacement(static_cast<std::size_t>(simulator.spec().K()));
  viewer.put(state);
  viewer.displacement(displacement);
  return displacement;
}

}  // namespace vic
