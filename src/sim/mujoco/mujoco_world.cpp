#include "sim/mujoco/mujoco_world.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "base/text.h"
#include "sim/sim_files.h"
#include "sim/simulator.h"

namespace vic {
namespace {

// the coordinates: metres forward of the start, and turns forward
constexpr int distance = 0, turns = 1;

std::vector<Coordinate> coordinates_of(const MujocoModel& model) {
  const Bins full_turns{.width = 1, .full = model.turn};
  Coordinate forward{.name = "distance", .unit = "m", .cell_name = "place"};
  forward.bins.width = model.bin;
  Coordinate rotation{.name = "turns", .unit = "turns", .cell_name = "full_turns"};
  rotation.bins = full_turns;
  if (model.pitch_bin > 0) rotation.own = Bins{.width = model.pitch_bin};
  rotation.limit = 40;
  // metres and quarters of a turn are of order one
  rotation.code_scale = 4;
  rotation.rotation = true;
  return {forward, rotation};
}

std::vector<std::pair<std::string, std::string>> facts_of(const MujocoModel& model) {
  std::vector<std::pair<std::string, std::string>> facts = {
      {"simulated by", "MuJoCo"},
      {"mass", fmt::format("{:g} kg", model.mass)},
      {"simulation steps",
       fmt::format("{} of {:g} s per action", model.frame_skip, model.timestep)}};
  for (const Joint& joint : model.joints) {
    facts.emplace_back(
        "joint " + joint.name,
        joint.kind + ", " +
            (joint.limited ? fmt::format("{:g} to {:g}", joint.low, joint.high) : "no limits"));
  }
  for (const MujocoActuator& actuator : model.actuators) {
    facts.emplace_back("gear of " + actuator.name, fmt::format("{:g}", actuator.gear));
  }
  return facts;
}

SimulatorSpec spec_of(const MujocoModel& model) {
  SimulatorSpec spec{.name = model.name,
                     .state_names = model.state_names,
                     .start = model.start,
                     .actuators = {},
                     .T = model.T,
                     .seconds = model.frame_skip * model.timestep,
                     .deterministic = true,
                     .coordinates = coordinates_of(model)};
  for (int i = 0; i < model.F; ++i) {
    const auto first = model.controls.begin() + i * model.L;
    spec.actuators.push_back({model.actuators[i].name, {first, first + model.L}});
  }
  if (!model.goal_is_cell) spec.goal = model.goal;
  spec.observations = model.pitch >= 0 ? 2 : 0;
  spec.ground = true;
  spec.facts = facts_of(model);
  return spec;
}

struct Named {
  std::string name;
  int kind;
  const char* kind_name;
};

Named name_of(double metres, double turned, int flips) {
  // turning over says more than all the rest
  if (flips != 0) {
    const bool several = std::abs(flips) > 1, forward = flips > 0;
    const std::string name = fmt::format("{} {}{}", std::abs(flips),
                                         forward ? "forward flip" : "backflip", several ? "s" : "");
    if (forward)
      return {name, several ? 3 : 2, several ? "2 or more forward flips" : "1 forward flip"};
    return {name, several ? 0 : 1, several ? "2 or more backflips" : "1 backflip"};
  }
  // then how it ended, from upright over nose or tail to its back
  const double pitch = turned * 2 * std::numbers::pi;
  if (std::cos(pitch) < -0.5) return {"lies on its back", 8, "lies on its back"};
  if (std::cos(pitch) < 0.5) {
    return {std::sin(pitch) > 0 ? "stands on its nose" : "rears up", 7,
            "stands on its nose, rears up"};
  }
  // then where it went: less than this is nowhere, more than that was run
  constexpr double still = 0.5, run = 2;
  if (std::abs(metres) < still) return {"stays", 6, "stays"};
  const bool crawls = std::abs(metres) < run;
  const char* kind_name = crawls ? "crawls" : "runs";
  return {fmt::format("{} {}", kind_name, metres > 0 ? "forward" : "backward"), crawls ? 5 : 4,
          kind_name};
}

// ---- the registry

struct Registered {
  SimulatorEntry entry;
  std::string_view text;
  MujocoSettings defaults;
};

const std::vector<Registered>& registered() {
  static const std::vector<Registered> list = {
      {.entry = {.name = "half-cheetah",
                 .figure = "App. F",
                 .summary = "a planar cheetah with six actuators, simulated by MuJoCo"},
       .text = resources::half_cheetah,
       .defaults = {}}};
  return list;
}

const Registered* find(const std::string& name) {
  for (const Registered& one : registered()) {
    if (one.entry.name == name) return &one;
  }
  return nullptr;
}

}  // namespace

MujocoWorld::MujocoWorld(MujocoModel model) : Simulator(spec_of(model)), model_(std::move(model)) {}

void MujocoWorld::describe(Behaviour& behaviour) const {
  const double metres = behaviour.displacement[distance], turned = behaviour.displacement[turns];
  const auto [name, kind, kind_name] = name_of(metres, turned, behaviour.flips);
  behaviour.name = name;
  behaviour.kind = kind;
  behaviour.kind_name = kind_name;
  behaviour.caption = fmt::format("{} m forward, {} turns, up to {:.2f} m high",
                                  signed_text(metres, 2), signed_text(turned, 2), behaviour.height);
}

std::string MujocoWorld::model_text() const {
  // a registered model is part of the program
  return model_.from_file ? model_.text : "";
}

std::shared_ptr<const MujocoWorld> load_mujoco_world(const std::string& name, Overrides& overrides,
                                                     const std::string& copy) {
  const Registered* known = find(name);
  MujocoSettings settings = known != nullptr ? known->defaults : MujocoSettings{.model = name};
  overrides.apply("world", settings);
  return std::make_shared<const MujocoWorld>(settings.model.empty()
                                                 ? make_mujoco_model(name, known->text, settings)
                                                 : load_mujoco_model(settings, copy));
}

SimulatorFamily mujoco_family() {
  SimulatorFamily family{.name = "MuJoCo",
                         .files = "a MuJoCo model (.xml)",
                         .model_file = "world.xml",
                         .entries = {},
                         .is_file = [](const std::string& name) { return name.ends_with(".xml"); },
                         .settings = {},
                         .load = load_mujoco_world};
  for (const Registered& one : registered()) family.entries.push_back(one.entry);
  family.settings = [](const std::string& name) {
    const Registered* known = find(name);
    return describe("world", known != nullptr ? known->defaults : MujocoSettings{.model = name});
  };
  return family;
}

}  // namespace vic
