#include "sim/simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>
#include <set>

#include "base/process.h"
#include "base/text.h"

namespace vic {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;

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
            rotation < 0 ? 0 : full_turn * coordinate(rotation)};
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

class StepEpisodes : public Episodes {
 public:
  StepEpisodes(const StepSimulator& simulator, int B, int threads)
      : Episodes(simulator.spec(), B, threads), simulator_(&simulator) {}

 protected:
  void advance(int, std::span<double> snapshot, std::span<const double> controls,
               const RandomAddress& noise) override {
    simulator_->step(snapshot.subspan(1), controls, noise);
  }

 private:
  const StepSimulator* simulator_;
};

void require(bool holds, const SimulatorSpec& spec, const char* what) {
  vic::require(holds, "The simulator {} contradicts itself: {}.", spec.name, what);
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
  // the names of an option's other fields in files
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
  return (to.pitch - from.pitch) / full_turn;
}

long thousandths(double number) {
  constexpr double far = 1e12;
  return std::lround(std::clamp(1000 * number, -far, far));
}

Episodes::Episodes(const SimulatorSpec& spec, int B, int threads, int more)
    : spec_(&spec),
      B_(B),
      workers_(std::clamp(threads, 1, std::max(1, B))),
      size_(1 + spec.start.size() + static_cast<std::size_t>(more)) {
  put_at_start();
}

void Episodes::put_at_start() {
  snapshots_.assign(at(B_), 0);
  for (int b = 0; b < B_; ++b) {
    std::copy(spec_->start.begin(), spec_->start.end(), snapshot(b).begin() + 1);
  }
}

void Episodes::reset(std::uint64_t seed, std::uint32_t update, std::uint32_t first) {
  noise_ = {.seed = seed + (std::uint64_t{1} << 48), .update = update, .row = first};
  put_at_start();
  RandomAddress noise = noise_;
  // away from the addresses of all actions
  noise.step = static_cast<std::uint32_t>(spec_->T);
  begin_all(noise);
}

void Episodes::begin_all(RandomAddress noise) {
  for (int b = 0; b < B_; ++b, ++noise.row) begin(snapshot(b), noise);
}

void Episodes::step(std::span<const int> levels) {
  const auto F = static_cast<std::size_t>(spec_->F());
  if (levels.size() != static_cast<std::size_t>(B_) * F) {
    fail_usage("{} episodes in {} take {} levels, not {}.", B_, spec_->name, B_ * spec_->F(),
               levels.size());
  }
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i] >= 0 && levels[i] < spec_->L()) continue;
    fail_usage("The actuator {} has no level {}; levels are 0 to {}.", spec_->actuators[i % F].name,
               levels[i], spec_->L() - 1);
  }
  advance_all(levels);
}

void Episodes::advance_all(std::span<const int> levels) {
  const auto F = static_cast<std::size_t>(spec_->F());
  // steps on the ground take longer, so a free thread takes the next episode
  run_each(B_, workers_, [&](int b, int worker) {
    std::vector<double> controls;
    for (std::size_t i = 0; i < F; ++i) {
      const int level = levels[static_cast<std::size_t>(b) * F + i];
      controls.push_back(spec_->actuators[i].controls[level]);
    }
    step_one(worker, b, controls);
  });
}

void Episodes::step_controls(std::span<const double> controls) {
  const auto F = static_cast<std::size_t>(spec_->F());
  if (spec_->together) fail_usage("{} takes levels of its actuators, no controls.", spec_->name);
  if (controls.size() != static_cast<std::size_t>(B_) * F) {
    fail_usage("{} episodes in {} take {} controls, not {}.", B_, spec_->name, B_ * spec_->F(),
               controls.size());
  }
  for (std::size_t i = 0; i < controls.size(); ++i) {
    const Actuator& actuator = spec_->actuators[i % F];
    if (controls[i] >= actuator.controls.front() && controls[i] <= actuator.controls.back()) {
      continue;
    }
    fail_usage("The actuator {} cannot be set to {}; its range is {} to {}.", actuator.name,
               controls[i], actuator.controls.front(), actuator.controls.back());
  }
  run_each(B_, workers_, [&](int b, int worker) {
    step_one(worker, b, controls.subspan(static_cast<std::size_t>(b) * F, F));
  });
}

void Episodes::step_one(int worker, int b, std::span<const double> controls) {
  const int taken = actions_taken(b);
  if (taken == spec_->T) {
    fail_usage("An option in {} takes {} actions, and no more.", spec_->name, taken);
  }
  // an episode that fails stays as it was before
  const std::span<double> before = snapshot(b);
  std::vector<double> after(before.begin(), before.end());
  RandomAddress noise = noise_;
  noise.row += static_cast<std::uint32_t>(b);
  noise.step = static_cast<std::uint32_t>(taken);
  advance(worker, after, controls, noise);
  ++after[0];
  std::copy(after.begin(), after.end(), before.begin());
}

Simulator::Simulator(SimulatorSpec spec) : spec_(std::move(spec)) {
  for (Coordinate& coordinate : spec_.coordinates) {
    if (coordinate.cell_name.empty()) coordinate.cell_name = coordinate.name + "_cell";
  }
  if (spec_.observed.empty()) {
    spec_.observed.resize(spec_.start.size());
    std::iota(spec_.observed.begin(), spec_.observed.end(), 0);
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
    behaviour.caption += fmt::format("{}{} {}", k > 0 ? ", " : "", coordinate.name,
                                     signed_text(behaviour.displacement[k], 2));
    if (!coordinate.unit.empty()) behaviour.caption += " " + coordinate.unit;
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

std::vector<CellShare> Simulator::final_cells(std::span<const int> levels) const {
  if (!spec_.deterministic) {
    fail_usage("In {} chance decides where actions lead, and how is not known in closed form.",
               spec_.name);
  }
  const auto episode = make_episodes(/*B=*/1, /*threads=*/1);
  const auto F = static_cast<std::size_t>(spec_.F());
  for (std::size_t t = 0; t * F < levels.size(); ++t) episode->step(levels.subspan(t * F, F));
  const auto viewer = make_viewer();
  return {{cell_of(spec_, displacement_of(*this, *viewer, episode->state(0))), 1}};
}

Displacement displacement_of(const Simulator& simulator, Viewer& viewer,
                             std::span<const double> state) {
  Displacement displacement(static_cast<std::size_t>(simulator.spec().K()));
  viewer.put(state);
  viewer.displacement(displacement);
  return displacement;
}

Behaviour behaviour_of(const Simulator& simulator, Viewer& viewer, std::span<const double> states) {
  const SimulatorSpec& spec = simulator.spec();
  const auto n = static_cast<std::size_t>(spec.n());
  Behaviour behaviour;
  Posture start;
  for (std::size_t at = 0; at + n <= states.size(); at += n) {
    viewer.put(states.subspan(at, n));
    behaviour.end = viewer.posture();
    if (at == 0) start = behaviour.end;
    behaviour.height = at == 0 ? start.z : std::max(behaviour.height, behaviour.end.z);
  }
  behaviour.end.x -= start.x, behaviour.end.y -= start.y;
  behaviour.displacement.resize(static_cast<std::size_t>(spec.K()));
  viewer.displacement(behaviour.displacement);
  if (const int k = spec.rotation(); k >= 0) {
    behaviour.flips = full_turns(behaviour.displacement[k]);
  }
  behaviour.cell = cell_of(spec, behaviour.displacement);
  simulator.describe(behaviour);
  return behaviour;
}

std::unique_ptr<Episodes> StepSimulator::make_episodes(int B, int threads) const {
  return std::make_unique<StepEpisodes>(*this, B, threads);
}

}  // namespace vic
