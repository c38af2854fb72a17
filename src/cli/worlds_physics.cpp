#include "cli/worlds_physics.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/print.h"
#include "base/tasks.h"
#include "eval/survey_json.h"
#include "info/entropy.h"
#include "report/figures/film_figure.h"
#include "sim/mujoco/physics_episode.h"
#include "sim/survey.h"

namespace vic {
namespace {

Json summary_json(const PhysicsWorld& world) {
  return {{"world", world.name}, {"kind", "physics"},     {"T_max", world.T},
          {"states", nullptr},   {"motors", world.M},     {"levels", world.L},
          {"numbers", world.n},  {"deterministic", true}, {"external_reward", false}};
}

Json world_json(const PhysicsWorld& world) {
  Json json = summary_json(world);
  json["frame_skip"] = world.frame_skip;
  json["timestep"] = world.timestep;
  json["seconds"] = world.seconds();
  json["mass"] = world.mass;
  json["bin"] = world.bin;
  json["turn"] = world.turn;
  json["state_names"] = world.state_names;
  json["start"] = world.start;
  Json& joints = json["joint_list"] = Json::array();
  for (const Joint& joint : world.joints) {
    joints.push_back({{"joint", joint.name}, {"kind", joint.kind}});
    joints.back()["range"] = joint.limited ? Json{joint.low, joint.high} : Json(nullptr);
  }
  Json& motors = json["motor_list"] = Json::array();
  for (int i = 0; i < world.M; ++i) {
    const Motor& motor = world.motors[i];
    const auto first = world.controls.begin() + i * world.L;
    motors.push_back({{"motor", motor.name},
                      {"gear", motor.gear},
                      {"controls", std::vector(first, first + world.L)}});
  }
  return json;
}

void print_world(const PhysicsRequest& request, const PhysicsWorld& world, std::ostream& out) {
  print(out,
        "{}: {} actuator{} with {} levels, {} actions of {} x {:g} s = {:g} s, {:g} kg; "
        "deterministic\n\n",
        world.name, world.M, world.M == 1 ? "" : "s", world.L, world.T, world.frame_skip,
        world.timestep, world.seconds(), world.mass);
  print(out, "a state has {} numbers: the position of each joint, then the velocities\n", world.n);
  for (const Joint& joint : world.joints) {
    const std::string range =
        joint.limited ? fmt::format("{:g} to {:g}", joint.low, joint.high) : "free";
    print(out, "  {:<12} {:<6} {}\n", joint.name, joint.kind, range);
  }
  print(out, "\nactuators\n");
  for (const Motor& motor : world.motors) {
    print(out, "  {:<12} {:g} to {:g}, gear {:g}\n", motor.name, motor.low, motor.high, motor.gear);
  }
  print(out, "\nsettings (with --set)\n");
  PhysicsSettings defaults;
  for (const PhysicsEntry& entry : physics_registry()) {
    if (entry.name == request.world) defaults = entry.defaults;
  }
  for (const SettingInfo& info : describe("world", defaults)) {
    print(out, "  {:<22} {:<8} {} ({})\n", info.key, info.value, info.help, info.allowed);
  }
}

void print_play(const PhysicsRequest& request, const PhysicsWorld& world, std::ostream& out) {
  const auto seed = static_cast<std::uint64_t>(request.seed);
  const std::vector<double> states = random_option(world, seed, 0);
  PhysicsBody body(world);
  constexpr int frames = 10;
  if (!request.svg.empty()) {
    write_file(request.svg, draw_film(film_of(world, body, states, frames), Form::file));
    body.put(world.start);
  }
  print(out, "world {}, T {}, seed {}: random actions\n", world.name, world.T, request.seed);
  print(out, "{:>6} {:>8} {:>12} {:>10} {:>8}\n", "t", "seconds", "distance m", "height m",
        "turns");
  const int every = std::max(1, world.T / 20);
  const Posture start = body.posture();
  for (int t = 0; t <= world.T; ++t) {
    if (t % every != 0 && t != world.T) continue;
    body.put(std::span(states).subspan(static_cast<std::size_t>(t) * world.n, world.n));
    const Posture at = body.posture();
    print(out, "{:>6} {:>8.2f} {:>12.3f} {:>10.3f} {:>8.3f}\n", t,
          t * world.frame_skip * world.timestep, at.x - start.x, at.z, turns_between(start, at));
  }
  const Behaviour behaviour = behaviour_of(world, body, states);
  print(out, "It {}{}: place {}, {} full turns.\n", behaviour.flips != 0 ? "did " : "",
        behaviour.name, behaviour.cell.place, behaviour.cell.turns);
  if (!request.svg.empty()) print(out, "Drawn in {}.\n", request.svg);
}

Json options_json(const PhysicsRequest& request, const PhysicsWorld& world, const Survey& survey) {
  Json json = {{"world", world.name},
               {"seed", request.seed},
               {"actions", survey.options() * world.T},
               {"first_failure", survey.first_failure()}};
  json.update(survey_json(survey));
  return json;
}

}  // namespace

void print_survey(const PhysicsWorld& world, const Survey& survey, std::ostream& out) {
  const EntropyEstimate entropy = estimate_entropy(survey.cell_counts());
  print(out, "  {:<22} {}\n", "warnings of MuJoCo", survey.failures());
  print(out, "  {:<22} mean {:.2f} m, spread {:.2f} m, from {:.2f} to {:.2f} m\n", "distance",
        survey.distance_mean(), survey.distance_spread(), survey.distance_min(),
        survey.distance_max());
  print(out, "  {:<22} {:.2f} m at most\n", "height", survey.height_max());
  print(out, "  {:<22} {} of {:g} m x full turns, H = {:.3f} +- {:.3f} nats\n\n", "cells",
        survey.cells().size(), world.bin, entropy.H, entropy.ci95);
  print(out, "  {:<22} {:>8} {:>8}\n", "behaviour", "options", "%");
  for (const auto& [name, count] : survey.names()) {
    print(out, "  {:<22} {:>8} {:>8.2f}\n", name, count,
          100 * static_cast<double>(count) / static_cast<double>(survey.options()));
  }
  if (survey.failures() > 0) print(out, "\n  the first: {}\n", survey.first_failure());
}

Json physics_summary_json(const PhysicsEntry& entry) {
  Overrides none;
  return summary_json(load_physics_world(entry.name, none));
}

void show_physics(const PhysicsRequest& request, Overrides overrides, const Console& console) {
  const PhysicsWorld world = load_physics_world(request.world, overrides);
  overrides.finish();
  if (request.options > 0) {
    const Survey survey = random_survey(world, static_cast<std::uint64_t>(request.seed),
                                        request.options, thread_count(0));
    console.show([&] { return options_json(request, world, survey); },
                 [&] {
                   print(console.out, "{}: {} options of random actions, {} actions, seed {}\n\n",
                         world.name, survey.options(), survey.options() * world.T, request.seed);
                   print_survey(world, survey, console.out);
                 });
  } else if (request.play) {
    print_play(request, world, console.out);
  } else {
    console.show([&] { return world_json(world); },
                 [&] { print_world(request, world, console.out); });
  }
}

}  // namespace vic
