// vic worlds: the registry, one world in detail, or an option played in it.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <span>

#include "base/json.h"
#include "cli/command.h"
#include "cli/worlds_physics.h"
#include "world/playthrough.h"
#include "world/registry.h"

namespace vic {
namespace {

struct WorldsOptions {
  CommonOptions common;
  std::string world;
  std::string state;
  bool play = false;
  int seed = 1;
  int options = 0;  // physics worlds only, and so is the filmstrip
  std::string svg;
};

Json summary_json(const TabularWorld& world) {
  return {{"world", world.name},
          {"T_max", world.T_max},
          {"states", world.S},
          {"states_reachable", world.final_states().size()},
          {"actions", world.A + 1},
          {"moves", world.move_names},
          {"deterministic", world.deterministic()},
          {"external_reward", world.has_reward},
          {"start", world.state_names[world.s_0]}};
}

void list_worlds(const WorldsOptions& options, const Console& console) {
  options.common.overrides().finish();
  Json list = Json::array();
  if (!options.common.json) {
    fmt::print(console.out, "{:<12} {:>6} {:>9} {:>8} {:>6}  {:<12} {}\n", "world", "states",
               "reachable", "actions", "T_max", "paper", "what it is");
  }
  for (const WorldEntry& entry : registry()) {
    Overrides none;
    const TabularWorld world = entry.make(none);
    if (options.common.json) {
      list.push_back(summary_json(world));
      list.back()["figure"] = entry.figure;
      list.back()["summary"] = entry.summary;
    } else {
      fmt::print(console.out, "{:<12} {:>6} {:>9} {:>8} {:>6}  {:<12} {}\n", entry.name, world.S,
                 world.final_states().size(), world.A + 1, world.T_max, entry.figure,
                 entry.summary);
    }
  }
  for (const PhysicsEntry& entry : physics_registry()) {
    Json json = physics_summary_json(entry);
    if (options.common.json) {
      json["figure"] = entry.figure;
      json["summary"] = entry.summary;
      list.push_back(std::move(json));
    } else {
      const std::string actions =
          fmt::format("{}^{}", entry.defaults.levels, json["motors"].dump());
      fmt::print(console.out, "{:<12} {:>6} {:>9} {:>8} {:>6}  {:<12} {}\n", entry.name, "-", "-",
                 actions, entry.defaults.T, entry.figure, entry.summary);
    }
  }
  if (options.common.json) {
    fmt::print(console.out, "{}\n", list.dump(2));
  } else {
    fmt::print(
        console.out,
        "\nActions include the termination. vic worlds NAME shows one of them; a file of your "
        "own\nends in .toml, or in .xml for a MuJoCo model, and goes wherever a name does\n"
        "(docs/world-files.md, docs/physics.md).\n");
  }
}

std::string outcomes_text(const TabularWorld& world, int s, int move) {
  std::vector<std::string> parts;
  for (int e = world.first[s * world.A + move]; e < world.first[s * world.A + move + 1]; ++e) {
    parts.push_back(fmt::format("{:.6g} -> {}", world.p[e], world.state_names[world.next[e]]));
  }
  return parts.empty() ? "not available" : fmt::format("{}", fmt::join(parts, ", "));
}

// the reward of a move, and which states pay how much on entering
std::string rewards_text(const TabularWorld& world) {
  std::map<double, std::vector<std::string>> paid;
  for (int s = 0; s < world.S; ++s) {
    if (world.enter_reward[s] != 0) paid[world.enter_reward[s]].push_back(world.state_names[s]);
  }
  std::string text = fmt::format("external reward\n  {:<10g} for every move\n", world.step_reward);
  for (const auto& [reward, names] : paid) {
    constexpr std::size_t most = 6;
    const auto first = std::span(names).first(std::min(most, names.size()));
    text +=
        fmt::format("  {:<10g} on entering {}{}\n", reward, fmt::join(first, "  "),
                    names.size() > most ? fmt::format("  and {} more", names.size() - most) : "");
  }
  return text;
}

void show_world(const WorldsOptions& options, const TabularWorld& world, const Console& console) {
  const int s = options.state.empty() ? world.s_0 : world.find_state(options.state);
  std::ostream& out = console.out;
  fmt::print(out, "{}: {} states, {} of them reachable with T_max = {}; {}\n", world.name, world.S,
             world.final_states().size(), world.T_max,
             world.deterministic() ? "deterministic" : "stochastic");
  if (!world.picture.empty()) fmt::print(out, "\n{}", draw(world, s, {}));
  std::vector<std::string> starts;
  for (int start : world.starts) starts.push_back(world.state_names[start]);
  fmt::print(out, "\nstart       {}", world.state_names[world.s_0]);
  if (starts.size() > 1) fmt::print(out, "   (of {})", fmt::join(starts, " and "));
  fmt::print(out, "\n\nactions in state {} (@)\n", world.state_names[s]);
  for (int a = 0; a < world.A; ++a) {
    fmt::print(out, "  {:<10} {}\n", world.move_names[a], outcomes_text(world, s, a));
  }
  fmt::print(out, "  {:<10} s_f = {}\n", "terminate", world.state_names[s]);
  if (world.has_reward) fmt::print(out, "\n{}", rewards_text(world));
  for (const WorldEntry& entry : registry()) {
    if (entry.name != world.name) continue;
    fmt::print(out, "\nsettings (with --set)\n");
    for (const SettingInfo& info : entry.settings()) {
      fmt::print(out, "  {:<22} {:<8} {} ({})\n", info.key, info.value, info.help, info.allowed);
    }
  }
}

Json world_json(const TabularWorld& world) {
  Json json = summary_json(world);
  json["picture"] = world.picture.lines;
  Json& states = json["state_list"] = Json::array();
  for (int s = 0; s < world.S; ++s) {
    Json state = {{"state", world.state_names[s]}};
    state["coordinates"] = std::vector(world.coordinates.begin() + s * world.d,
                                       world.coordinates.begin() + (s + 1) * world.d);
    state["absorbing"] = world.absorbing[s] != 0;
    state["reward"] = world.enter_reward[s];
    states.push_back(std::move(state));
  }
  json["step_reward"] = world.step_reward;
  Json& transitions = json["transitions"] = Json::array();
  for (int row = 0; row < world.S * world.A; ++row) {
    for (int e = world.first[row]; e < world.first[row + 1]; ++e) {
      transitions.push_back({world.state_names[row / world.A], world.move_names[row % world.A],
                             world.state_names[world.next[e]], world.p[e]});
    }
  }
  return json;
}

void run_physics(const WorldsOptions& options, const Console& console) {
  if (!options.state.empty()) {
    fail_usage("{} has no list of states: --state is for tabular worlds.", options.world);
  }
  if (options.play && options.options > 0) {
    fail_usage("--play shows one option and --options counts many: say one of them.");
  }
  if (!options.play && !options.svg.empty()) {
    fail_usage("--svg draws the option that --play plays: say both.");
  }
  show_physics({.world = options.world,
                .json = options.common.json,
                .play = options.play,
                .seed = options.seed,
                .options = options.options,
                .svg = options.svg},
               options.common.overrides(), console);
}

void run_worlds(const WorldsOptions& options, const Console& console) {
  if (options.world.empty()) {
    if (options.play || !options.state.empty() || options.options > 0 || !options.svg.empty()) {
      fail_usage("--play and --state need the name of a world, as in vic worlds grid --play.");
    }
    list_worlds(options, console);
    return;
  }
  if (options.play && (options.common.json || !options.state.empty())) {
    fail_usage(
        "--play writes text and begins at the start: it goes with neither --json nor --state.");
  }
  if (is_physics_world(options.world)) return run_physics(options, console);
  if (options.options > 0 || !options.svg.empty()) {
    fail_usage("--options and --svg are for physics worlds, as in vic worlds half-cheetah.");
  }
  Overrides overrides = options.common.overrides();
  const TabularWorld world = load_world(options.world, overrides);
  overrides.finish();
  if (options.play) {
    fmt::print(console.out, "{}", playthrough(world, static_cast<std::uint64_t>(options.seed)));
  } else if (options.common.json) {
    fmt::print(console.out, "{}\n", world_json(world).dump(2));
  } else {
    show_world(options, world, console);
  }
}

}  // namespace

Action declare_worlds(CLI::App& app) {
  auto options = std::make_shared<WorldsOptions>();
  app.add_option("world", options->world, "a registered name, or a world file (.toml, .xml)")
      ->type_name("WORLD");
  app.add_option("--state", options->state, "show the transitions of this state, not the start's")
      ->type_name("STATE");
  app.add_flag("--play", options->play, "play one option with random moves");
  app.add_option("--seed", options->seed, "the randomness of --play and --options")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.add_option(
         "--options", options->options,
         "physics worlds: play this many options with random actions and count what they do")
      ->type_name("N")
      ->check(CLI::Range(1, 100000000));
  app.add_option("--svg", options->svg, "physics worlds: draw the option of --play as a filmstrip")
      ->type_name("FILE");
  options->common.add_to(app);
  return [options](const Console& console) { run_worlds(*options, console); };
}

}  // namespace vic
