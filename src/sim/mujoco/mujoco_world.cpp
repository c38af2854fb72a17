#include "sim/mujoco/mujoco_world.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <optional>

#include "base/text.h"
#include "sim/sim_files.h"

namespace vic {
namespace {

struct Named {
  std::string name;
  int kind;
  std::string kind_name;
};

// names by the number of turns, or by how it ended: from upright over nose or tail to its back
std::optional<Named> name_turned(double turned, int flips) {
  if (flips != 0) {
    const bool several = std::abs(flips) > 1, forward = flips > 0;
    const std::string name = fmt::format("{} {}{}", std::abs(flips),
                                         forward ? "forward flip" : "backflip", several ? "s" : "");
    if (forward) {
      return Named{name, several ? 3 : 2, several ? "2 or more forward flips" : "1 forward flip"};
    }
    return Named{name, several ? 0 : 1, several ? "2 or more backflips" : "1 backflip"};
  }
  const double pitch = turned * 2 * std::numbers::pi;
  if (std::cos(pitch) < -0.5) return Named{"upside down", 8, "upside down"};
  if (std::cos(pitch) >= 0.5) return std::nullopt;
  return Named{std::sin(pitch) > 0 ? "tilted forward" : "tilted back", 7, "tilted forward or back"};
}

// the same for a body that can turn about any axis
std::optional<Named> name_up(double up) {
  if (up < -0.5) return Named{"upside down", 8, "upside down"};
  if (up < 0.5) return Named{"on its side", 7, "on its side"};
  return std::nullopt;
}

// where it went, in metres: less than `still` is nowhere, more than `run` was run
Named name_way(double x, double y, FilmView view) {
  constexpr double still = 0.5, run = 2;
  const double metres = std::hypot(x, y);
  if (metres < still) return {"stays", 6, "stays"};
  const bool crawls = metres < run;
  const char* kind_name = view == FilmView::top ? "moves" : crawls ? "crawls" : "runs";
  const char* to =
      std::abs(x) >= std::abs(y) ? (x > 0 ? "forward" : "backward") : (y > 0 ? "left" : "right");
  return {fmt::format("{} {}", kind_name, to), crawls ? 5 : 4, kind_name};
}

// the numbers in the conditions of the user's own names: coordinates, and these
std::optional<double> number_of(const SimulatorSpec& spec, const Behaviour& behaviour,
                                const std::string& word) {
  for (int k = 0; k < spec.K(); ++k) {
    if (spec.coordinates[k].name == word) return behaviour.displacement[k];
  }
  if (word == "x") return behaviour.end.x;
  if (word == "y") return behaviour.end.y;
  if (word == "up") return behaviour.end.up;
  if (word == "height") return behaviour.height;
  if (word == "flips") return behaviour.flips;
  return std::nullopt;
}

// ---- the registry

struct Registered {
  SimulatorEntry entry;
  std::string_view text;
  MujocoSettings settings = {};
};

const std::vector<Registered>& registered() {
  static const std::vector<Registered> list = {
      {.entry = {.name = "half-cheetah",
                 .figure = "App. F",
                 .summary = "a planar cheetah with six actuators, simulated by MuJoCo"},
       .text = resources::half_cheetah},
      {.entry = {.name = "ant",
                 .figure = "",
                 .summary = "an ant of four legs and eight actuators, simulated by MuJoCo"},
       .text = resources::ant},
      {.entry = {.name = "point-maze",
                 .figure = "",
                 .summary = "a point in a maze of four rooms, simulated by MuJoCo"},
       .text = resources::point_maze,
       // at full push an action moves it by one square
       .settings = {.levels = 3, .T = 16, .frame_skip = 25, .bin = 1}}};
  return list;
}

// null for a file
const Registered* find_registered(const std::string& name) {
  const auto has_name = [&](const Registered& one) { return one.entry.name == name; };
  const auto found = std::ranges::find_if(registered(), has_name);
  return found == registered().end() ? nullptr : &*found;
}

MujocoSettings defaults_of(const std::string& name) {
  const Registered* found = find_registered(name);
  return found != nullptr ? found->settings : MujocoSettings{.model = name};
}

std::string coordinate_names(const SimulatorSpec& spec) {
  std::vector<std::string> names;
  for (const Coordinate& one : spec.coordinates) names.push_back(one.name);
  return joined(names, ", ");
}

}  // namespace

MujocoWorld::MujocoWorld(MujocoModel model) : Simulator(model.spec), model_(std::move(model)) {
  const Behaviour none{.displacement = Displacement(static_cast<std::size_t>(spec().K()))};
  for (const auto& [name, conditions] : model_.behaviours) {
    for (const Condition& one : conditions) {
      if (number_of(spec(), none, one.word)) continue;
      fail_usage(
          "world.behaviours names '{}', which is not known of an option in {}; known are {}, x, y, "
          "up, height and flips.",
          shown(one.word), spec().name, coordinate_names(spec()));
    }
  }
}

void MujocoWorld::describe(Behaviour& behaviour) const {
  const SimulatorSpec& spec = this->spec();
  const FilmView view = spec.view;
  // the coordinate that went farthest, for arms
  Simulator::describe(behaviour);
  const bool runner = spec.coordinates[0].name == "distance" && spec.rotation() == 1;
  const double x = runner ? behaviour.displacement[0] : behaviour.end.x;
  const double turned = spec.rotation() < 0 ? 0 : behaviour.displacement[spec.rotation()];
  if (runner) {
    behaviour.caption =
        fmt::format("{} m forward, {} turns", signed_text(x, 2), signed_text(turned, 2));
  }
  if (spec.ground) behaviour.caption += fmt::format(", up to {:.2f} m high", behaviour.height);
  const auto set = [&](const Named& named) {
    behaviour.name = named.name;
    behaviour.kind = named.kind;
    behaviour.kind_name = named.kind_name;
  };
  // the user's own names, then falling, then how it ended, then where it went
  for (std::size_t i = 0; i < model_.behaviours.size(); ++i) {
    const NamedConditions& own = model_.behaviours[i];
    if (!own.hold([&](const std::string& word) { return *number_of(spec, behaviour, word); }))
      continue;
    return set({own.name, 10 + static_cast<int>(i), own.name});
  }
  if (behaviour.end.fallen) return set({"falls", 9, "falls"});
  if (const auto named = name_turned(turned, behaviour.flips)) return set(*named);
  if (view == FilmView::slanted && model_.main.slides) {
    if (const auto named = name_up(behaviour.end.up)) return set(*named);
  }
  if (model_.main.slides || view == FilmView::side) {
    set(name_way(x, view == FilmView::side ? 0 : behaviour.end.y, view));
  }
}

std::shared_ptr<const MujocoWorld> load_mujoco_world(const std::string& name, Overrides& overrides,
                                                     const std::string& copy) {
  MujocoSettings settings = defaults_of(name);
  overrides.apply("world", settings);
  return std::make_shared<const MujocoWorld>(
      settings.model.empty() ? make_mujoco_model(name, find_registered(name)->text, settings)
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
