#include "cli/worlds_simulator.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/print.h"
#include "base/tasks.h"
#include "base/text.h"
#include "eval/survey_json.h"
#include "info/entropy.h"
#include "report/figures/film_figure.h"
#include "sim/simulator.h"

namespace vic {
namespace {

Json world_json(const SimulatorSpec& spec) {
  Json json = simulator_summary_json(spec);
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

void print_world(const SimulatorRequest& request, const SimulatorSpec& spec, std::ostream& out) {
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
  print(out, "\nsettings (with --set)\n");
  for (const SettingInfo& info : find_simulators(request.world)->settings(request.world)) {
    print(out, "  {:<22} {:<8} {} ({})\n", info.key, info.value, info.help, info.allowed);
  }
}

// a column for each coordinate, and for the height where there is ground
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

void print_play(const SimulatorRequest& request, const Simulator& world, std::ostream& out) {
  const SimulatorSpec& spec = world.spec();
  const std::vector<double> states =
      random_option(world, static_cast<std::uint64_t>(request.seed), 0);
  const auto viewer = world.make_viewer();
  constexpr int frames = 10;
  if (!request.svg.empty()) {
    write_file(request.svg, draw_film(film_of(world, *viewer, states, frames), Form::file));
  }
  print(out, "world {}, T {}, seed {}: random actions\n", spec.name, spec.T, request.seed);
  print_steps(world, *viewer, states, out);
  const Behaviour behaviour = behaviour_of(world, *viewer, states);
  print(out, "{}: {}.\n", behaviour.name, behaviour.caption);
  if (!request.svg.empty()) print(out, "Drawn in {}.\n", request.svg);
}

Json options_json(const SimulatorRequest& request, const SimulatorSpec& spec,
                  const Survey& survey) {
  Json json = {{"world", spec.name},
               {"seed", request.seed},
               {"actions", survey.options() * spec.T},
               {"first_failure", survey.first_failure()}};
  json.update(survey_json(spec, survey));
  return json;
}

}  // namespace

Json simulator_summary_json(const SimulatorSpec& spec) {
  return {{"world", spec.name},      {"kind", "simulated"},
          {"T_max", spec.T},         {"states", nullptr},
          {"actuators", spec.F()},   {"levels", spec.L()},
          {"numbers", spec.n()},     {"deterministic", spec.deterministic},
          {"external_reward", false}};
}

SimulatorSpec registered_spec(const SimulatorEntry& entry) {
  Overrides none;
  return load_simulator(entry.name, none)->spec();
}

void print_survey(const SimulatorSpec& spec, const Survey& survey, std::ostream& out) {
  const EntropyEstimate entropy = estimate_entropy(survey.cell_counts());
  print(out, "  {:<22} {}\n", "failed", survey.failures());
  for (std::size_t k = 0; k < spec.coordinates.size(); ++k) {
    const auto [mean, spread, min, max] = survey.coordinate(k);
    const std::string& unit = spec.coordinates[k].unit;
    print(out, "  {:<22} mean {:.2f} {}, spread {:.2f} {}, from {:.2f} to {:.2f} {}\n",
          spec.coordinates[k].name, mean, unit, spread, unit, min, max, unit);
  }
  if (spec.ground) print(out, "  {:<22} {:.2f} m at most\n", "height", survey.height_max());
  print(out, "  {:<22} {} of {}, H = {:.3f} +- {:.3f} nats\n\n", "cells", survey.cells().size(),
        cell_text(spec.coordinates), entropy.H, entropy.ci95);
  print(out, "  {:<22} {:>8} {:>8}\n", "behaviour", "options", "%");
  for (const BehaviourCount& one : survey.behaviours()) {
    print(out, "  {:<22} {:>8} {:>8.2f}\n", one.name, one.options,
          100 * static_cast<double>(one.options) / static_cast<double>(survey.options()));
  }
  if (survey.failures() > 0) print(out, "\n  the first: {}\n", survey.first_failure());
}

void show_simulator(const SimulatorRequest& request, Overrides overrides, const Console& console) {
  const SimulatorPtr world = load_simulator(request.world, overrides);
  const SimulatorSpec& spec = world->spec();
  overrides.finish();
  if (request.options > 0) {
    const Survey survey = random_survey(*world, static_cast<std::uint64_t>(request.seed),
                                        request.options, thread_count(0));
    console.show([&] { return options_json(request, spec, survey); },
                 [&] {
                   print(console.out, "{}: {} options of random actions, {} actions, seed {}\n\n",
                         spec.name, survey.options(), survey.options() * spec.T, request.seed);
                   print_survey(spec, survey, console.out);
                 });
  } else if (request.play) {
    print_play(request, *world, console.out);
  } else {
    console.show([&] { return world_json(spec); },
                 [&] { print_world(request, spec, console.out); });
  }
}

}  // namespace vic
