#include "sim/mujoco/mujoco_world.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "base/text.h"
#include "sim/sim_files.h"

namespace vic {
namespace {

struct Named {
  std::string name;
  int kind;
  const char* kind_name;
};

Named name_of(double metres, double turned, int flips) {
  // turning over comes before all the rest
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
  if (std::cos(pitch) < -0.5) return {"upside down", 8, "upside down"};
  if (std::cos(pitch) < 0.5) {
    return {std::sin(pitch) > 0 ? "tilted forward" : "tilted back", 7, "tilted forward or back"};
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
};

const std::vector<Registered>& registered() {
  static const std::vector<Registered> list = {
      {.entry = {.name = "half-cheetah",
                 .figure = "App. F",
                 .summary = "a planar cheetah with six actuators, simulated by MuJoCo"},
       .text = resources::half_cheetah}};
  return list;
}

// the XML of a registered name, empty for a file
std::string_view text_of(const std::string& name) {
  for (const Registered& one : registered()) {
    if (one.entry.name == name) return one.text;
  }
  return {};
}

MujocoSettings defaults_of(const std::string& name) {
  return {.model = text_of(name).empty() ? name : ""};
}

}  // namespace

MujocoWorld::MujocoWorld(MujocoModel model) : Simulator(model.spec), model_(std::move(model)) {}

void MujocoWorld::describe(Behaviour& behaviour) const {
  const double metres = behaviour.displacement[0], turned = behaviour.displacement[1];
  const auto [name, kind, kind_name] = name_of(metres, turned, behaviour.flips);
  behaviour.name = name;
  behaviour.kind = kind;
  behaviour.kind_name = kind_name;
  behaviour.caption = fmt::format("{} m forward, {} turns, up to {:.2f} m high",
                                  signed_text(metres, 2), signed_text(turned, 2), behaviour.height);
}

std::shared_ptr<const MujocoWorld> load_mujoco_world(const std::string& name, Overrides& overrides,
                                                     const std::string& copy) {
  MujocoSettings settings = defaults_of(name);
  overrides.apply("world", settings);
  return std::make_shared<const MujocoWorld>(settings.model.empty()
                                                 ? make_mujoco_model(name, text_of(name), settings)
                                                 : load_mujoco_model(settings, copy));
}

SimulatorFamily mujoco_family() {
  SimulatorFamily family{
      .name = "MuJoCo",
      .files = "a MuJoCo model (.xml)",
      .model_file = "world.xml",
      .entries = {},
      .is_file = [](const std::string& name) { return name.ends_with(".xml"); },
      .settings = [](const std::string& name) { return describe("world", defaults_of(name)); },
      .load = load_mujoco_world};
  for (const Registered& one : registered()) family.entries.push_back(one.entry);
  return family;
}

}  // namespace vic
