// vic worlds: the registry, one world in detail, or an option played in it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <span>

#include "base/file.h"
#include "base/json.h"
#include "base/print.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/text.h"
#include "cli/world_compare.h"
#include "eval/survey_json.h"
#include "report/figures/film_figure.h"
#include "sim/world.h"
#include "world/episode.h"
#include "world/registry.h"

namespace vic {
namespace {

struct WorldsOptions {
  std::string world;
  std::string state;
  bool play = false;
  int seed = 1;
  int options = 0;      // simulated worlds: survey this many; 0: none
  std::string svg;      // simulated worlds: a file for the filmstrip
  std::string compare;  // simulated worlds: another one that should move identically
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

Json summary_json(const SimulatorSpec& spec) {
  return {{"world", spec.name},      {"kind", "simulated"},
          {"T_max", spec.T},         {"states", nullptr},
          {"actuators", spec.F()},   {"levels", spec.L()},
          {"numbers", spec.n()},     {"deterministic", spec.deterministic},
          {"external_reward", false}};
}

Json list_json() {
  Json list = Json::array();
  const auto add = [&](Json json, const auto& entry) {
    json["figure"] = entry.figure;
    json["summary"] = entry.summary;
    list.push_back(std::move(json));
  };
  Overrides none;
  for (const WorldEntry& entry : registry()) add(summary_json(entry.make(none)), entry);
  for (const SimulatorFamily& family : simulator_registry()) {
    for (const SimulatorEntry& entry : family.entries) {
      add(summary_json(load_simulator(entry.name, none)->spec()), entry);
    }
  }
  return list;
}

void print_list(std::ostream& out) {
  const auto row = [&](const auto&... cells) {
    print(out, "{:<12} {:>6} {:>9} {:>8} {:>6}  {:<12} {}\n", cells...);
  };
  row("world", "states", "reachable", "actions", "T_max", "paper", "what it is");
  for (const Json& world : list_json()) {
    const auto text = [&](const char* key) { return world.at(key).get<std::string>(); };
    const auto number = [&](const char* key) {
      const Json* found = world.find(key);
      return found == nullptr || found->is_null() ? "-" : found->dump();
    };
    row(text("world"), number("states"), number("states_reachable"),
        world.contains("levels") ? number("levels") + "^" + number("actuators") : number("actions"),
        number("T_max"), text("figure"), text("summary"));
  }
  std::string files = "a table of states (.toml)";
  for (const SimulatorFamily& family : simulator_registry()) {
    if (!family.files.empty()) files += " or " + family.files;
  }
  print(out,
        "\nActions include termination. vic worlds NAME shows one of them. A world of your own\n"
        "is a file and goes wherever a name does: {}\n(docs/world-files.md, docs/physics.md).\n",
        files);
}

std::string outcomes_text(const TabularWorld& world, int s, int move) {
  std::vector<std::string> parts;
  for (int e = world.begin(s, move); e < world.end(s, move); ++e) {
    parts.push_back(fmt::format("{:.6g} -> {}", world.p[e], world.state_names[world.next[e]]));
  }
  return parts.empty() ? "not available" : joined(parts, ", ");
}

// the reward of a move, and the states that pay on entering
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
        fmt::format("  {:<10g} on entering {}{}\n", reward, joined(first, "  "),
                    names.size() > most ? fmt::format("  and {} more", names.size() - most) : "");
  }
  return text;
}

void print_settings(const std::vector<SettingInfo>& settings, std::ostream& out) {
  print(out, "\nsettings (with --set)\n");
  for (const SettingInfo& info : settings) {
    print(out, "  {:<22} {:<8} {} ({})\n", info.key, info.value, info.help, info.allowed);
  }
}

void print_world(const WorldsOptions& options, const TabularWorld& world, std::ostream& out) {
  const int s = options.state.empty() ? world.s_0 : world.find_state(options.state);
  print(out, "{}: {} states, {} of them reachable with T_max = {}; {}\n", world.name, world.S,
        world.final_states().size(), world.T_max,
        world.deterministic() ? "deterministic" : "stochastic");
  if (!world.picture.empty()) print(out, "\n{}", draw(world, s, {}));
  print(out, "\nstart       {}", world.state_names[world.s_0]);
  if (world.starts.size() > 1) {
    print(out, "   (of {})", joined(list_names(world.starts, world.state_names), " and "));
  }
  print(out, "\n\nactions in state {} (@)\n", world.state_names[s]);
  for (int a = 0; a < world.A; ++a) {
    print(out, "  {:<10} {}\n", world.move_names[a], outcomes_text(world, s, a));
  }
  print(out, "  {:<10} s_f = {}\n", "terminate", world.state_names[s]);
  if (world.has_reward) print(out, "\n{}", rewards_text(world));
  for (const WorldEntry& entry : registry()) {
    if (entry.name != world.name) continue;
    print_settings(entry.settings(), out);
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

Json world_json(const SimulatorSpec& spec) {
  Json json = summary_json(spec);
  json["seconds"] = spec.option_seconds();
  json["coordinates"] = coordinates_json(spec);
  json["state_names"] = spec.state_names;
  json["start"] = spec.start;
  Json& actuators = json["actuator_list"] = Json::array();
  for (const Actuator& actuator : spec.actuators) {
    actuators.push_back({{"actuator", actuator.name}, {"controls", actuator.controls}});
  }
  Json& facts = json["facts"] = Json::object();
  for (const auto& [name, value] : spec.facts) facts[name] = value;
  return json;
}

void print_world(const WorldsOptions& options, const SimulatorSpec& spec, std::ostream& out) {
  print(out, "{}: {} actuator{} with {} levels, {} actions of {:g} s = {:g} s; {}\n\n", spec.name,
        spec.F(), spec.F() == 1 ? "" : "s", spec.L(), spec.T, spec.seconds, spec.option_seconds(),
        spec.deterministic ? "deterministic" : "stochastic");
  print(out, "a state has {} numbers: {}\n", spec.n(), joined(spec.state_names, ", "));
  print(out, "\nactuators\n");
  for (const Actuator& actuator : spec.actuators) {
    print(out, "  {:<22} {:g} to {:g}\n", actuator.name, actuator.controls.front(),
          actuator.controls.back());
  }
  print(out, "\ncells of {}\n", cell_text(spec.coordinates));
  for (const Coordinate& one : spec.coordinates) {
    print(out, "  {:<22} in {}, from the start\n", one.name, one.unit);
  }
  if (!spec.facts.empty()) print(out, "\n");
  for (const auto& [name, value] : spec.facts) print(out, "  {:<22} {}\n", name, value);
  print_settings(find_simulators(options.world)->settings(options.world), out);
}

// a column for each coordinate, and for the height if there is ground
void print_steps(const Simulator& world, Viewer& viewer, const std::vector<double>& states,
                 std::ostream& out) {
  const SimulatorSpec& spec = world.spec();
  print(out, "{:>6} {:>8}", "t", "seconds");
  for (const Coordinate& one : spec.coordinates) {
    const std::string head = one.unit == one.name ? one.name : one.name + " " + one.unit;
    print(out, " {:>12}", head);
  }
  print(out, "{}\n", spec.ground ? "     height m" : "");
  const int every = std::max(1, spec.T / 20);
  for (int t = 0; t <= spec.T; ++t) {
    if (t % every != 0 && t != spec.T) continue;
    const auto state = std::span(states).subspan(static_cast<std::size_t>(t) * spec.n(), spec.n());
    print(out, "{:>6} {:>8.2f}", t, t * spec.seconds);
    for (double x : displacement_of(world, viewer, state)) print(out, " {:>12.3f}", x);
    if (spec.ground) print(out, " {:>12.3f}", viewer.posture().z);
    print(out, "\n");
  }
}

void print_play(const WorldsOptions& options, const Simulator& world, std::ostream& out) {
  const SimulatorSpec& spec = world.spec();
  const std::vector<double> states =
      random_option(world, static_cast<std::uint64_t>(options.seed), 0);
  const auto viewer = world.make_viewer();
  constexpr int frames = 10;
  if (!options.svg.empty()) {
    write_file(options.svg, draw_film(film_of(world, *viewer, states, frames), Form::file));
  }
  print(out, "world {}, T {}, seed {}: random actions\n", spec.name, spec.T, options.seed);
  print_steps(world, *viewer, states, out);
  const Behaviour behaviour = behaviour_of(world, *viewer, states);
  print(out, "{}: {}.\n", behaviour.name, behaviour.caption);
  if (!options.svg.empty()) print(out, "Drawn in {}.\n", options.svg);
}

void show_survey(const WorldsOptions& options, const Simulator& world, const Console& console) {
  const SimulatorSpec& spec = world.spec();
  const Survey survey = random_survey(world, static_cast<std::uint64_t>(options.seed),
                                      options.options, thread_count(0), console.stop);
  const auto json = [&] {
    Json all = {{"world", spec.name},
                {"seed", options.seed},
                {"actions", survey.options() * spec.T},
                {"first_failure", survey.first_failure()}};
    all.update(survey_json(spec, survey));
    return all;
  };
  console.show(json, [&] {
    print(console.out, "{}: {} options of random actions, {} actions, seed {}\n\n", spec.name,
          survey.options(), survey.options() * spec.T, options.seed);
    print_survey(spec, FileValue::parse(json().dump(), "the survey"), console.out);
  });
}

void show_simulator(const WorldsOptions& options, const Simulator& world, const Console& console) {
  if (!options.state.empty()) {
    fail_usage("{} is a simulated world: --state needs a world with a table of states.",
               options.world);
  }
  if (options.play && options.options > 0) {
    fail_usage("--play shows one option and --options counts many: use one of them.");
  }
  if (!options.play && !options.svg.empty()) {
    fail_usage("--svg draws the option of --play: add --play.");
  }
  if (!options.compare.empty()) {
    Overrides none;
    const SimulatorPtr other = load_simulator(options.compare, none);
    constexpr int enough = 200;
    return compare_worlds(world, *other, options.options > 0 ? options.options : enough,
                          options.seed, console);
  }
  if (options.options > 0) return show_survey(options, world, console);
  if (options.play) return print_play(options, world, console.out);
  console.show([&] { return world_json(world.spec()); },
               [&] { print_world(options, world.spec(), console.out); });
}

void show_table(const WorldsOptions& options, const TabularWorld& world, const Console& console) {
  if (options.options > 0 || !options.svg.empty() || !options.compare.empty()) {
    fail_usage(
        "--options, --svg and --compare need a simulated world, as in vic worlds half-cheetah.");
  }
  if (options.play) {
    print(console.out, "{}", playthrough(world, static_cast<std::uint64_t>(options.seed)));
  } else {
    console.show([&] { return world_json(world); },
                 [&] { print_world(options, world, console.out); });
  }
}

void run_worlds(const WorldsOptions& options, const UserSettings& given, const Console& console) {
  if (options.world.empty()) {
    if (options.play || !options.state.empty() || options.options > 0 || !options.svg.empty()) {
      fail_usage("--play and --state need the name of a world, as in vic worlds grid --play.");
    }
    given.overrides().finish();
    return console.show(list_json, [&] { print_list(console.out); });
  }
  if (options.play && (console.format == Format::json || !options.state.empty())) {
    fail_usage("--play writes text and begins at the start: it excludes --json and --state.");
  }
  Overrides overrides = given.overrides();
  const World world = load_any_world(options.world, overrides).world;
  overrides.finish();
  if (const Simulator* simulated = simulator_in(world)) {
    return show_simulator(options, *simulated, console);
  }
  show_table(options, require_table(world), console);
}

}  // namespace

Action declare_worlds(Arguments& arguments) {
  auto options = std::make_shared<WorldsOptions>();
  arguments.positional("world", options->world, Need::optional,
                       "a registered name, or a world file (.toml, or .xml for a MuJoCo model)");
  arguments.option("--state STATE", options->state,
                   "show the transitions of this state, not the start's");
  arguments.flag("--play", options->play, "play one option with random actions");
  arguments.option("--seed N", options->seed, Range{0, 2147483647},
                   "the randomness of --play and --options");
  arguments.option("--options N", options->options, Range{1, 100000000},
                   "simulated worlds: play N options with random actions and count what they do");
  arguments.option("--compare WORLD", options->compare,
                   "simulated worlds: play random options in this one too (its own settings are "
                   "the defaults) and say whether all states have the same bits");
  arguments.option("--svg FILE", options->svg,
                   "simulated worlds: draw the option of --play as a filmstrip");
  return action(options, run_worlds);
}

}  // namespace vic
