#include "cli/reach_physics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/file.h"
#include "base/print.h"
#include "base/text.h"
#include "cli/run_head.h"
#include "eval/physics_reach.h"
#include "eval/record.h"
#include "report/figures/film_figure.h"
#include "run/run_folder.h"

namespace vic {
namespace {

Json head_json(const Run& run, const ReachSettings& settings, const Unconditioned& free) {
  Json json = run_json(run);
  json["temperature"] = settings.temperature;
  json["free_options"] = free.options.size();
  return json;
}

Json behaviour_json(const Behaviour& behaviour) {
  return {
      {"behaviour", behaviour.name}, {"distance", behaviour.distance}, {"turns", behaviour.turns}};
}

std::string point_text(std::optional<double> distance, std::optional<double> turns) {
  std::string text;
  if (distance) text = signed_text(*distance, 2) + " m";
  if (distance && turns) text += ", ";
  if (turns) text += signed_text(*turns, 2) + " turns";
  return text;
}

std::string point_text(const Behaviour& behaviour) {
  return fmt::format("{}: {}", point_text(behaviour.distance, behaviour.turns), behaviour.name);
}

// how options conditioned on a point ended, and what two options did
struct Shown {
  const PointGoal& goal;
  const PointReach& reach;
  Behaviour closest;  // of the unconditioned options
  Behaviour attempt;  // of the conditioned ones, the first
  bool in_reach() const { return reach.chance > 0; }
};

// what the interval of a success is
std::string success_text(const Success& success, std::size_t options) {
  if (success.in.low == success.in.high) return "one option, which is deterministic";
  return fmt::format("{} options; between {:.4f} and {:.4f} (95 %)", options, success.in.low,
                     success.in.high);
}

// "within 0.25 m of it and with as many full turns"
std::string close_text(const PhysicsWorld& world, const PointGoal& goal) {
  std::string text;
  if (goal.distance) text = fmt::format("within {:g} m of it", world.bin / 2);
  if (goal.distance && goal.turns) text += " and ";
  if (!goal.turns) return text;
  if (world.pitch_bin == 0) return text + "with as many full turns";
  return text + fmt::format("within {:g} turns of it", world.pitch_bin / 2);
}

Json point_json(const Shown& shown) {
  const auto& [goal, reach, closest, attempt] = shown;
  Json json;
  json["goal"] = {{"distance", maybe(goal.distance)}, {"turns", maybe(goal.turns)}};
  json["closest"] = behaviour_json(closest);
  json["in_reach"] = shown.in_reach();
  json["chance"] = reach.chance;
  for (const char* key : {"options", "success", "success_low", "success_high", "distance_error",
                          "turns_error", "attempt"}) {
    json[key] = nullptr;
  }
  if (!reach.sent) return json;
  json["options"] = reach.sent->ways.size();
  json["success"] = reach.success.share;
  json["success_low"] = reach.success.in.low;
  json["success_high"] = reach.success.in.high;
  if (goal.distance) json["distance_error"] = reach.distance_error;
  if (goal.turns) json["turns_error"] = reach.turns_error;
  json["attempt"] = behaviour_json(attempt);
  return json;
}

void print_sent(const Shown& shown, const ReachSettings& settings, std::ostream& out) {
  const auto& [goal, reach, closest, attempt] = shown;
  print(out, "  success  {:>6.4f}  conditioned on the goal, {}: {}\n", reach.success.share,
        how_executed(settings), success_text(reach.success, reach.sent->ways.size()));
  if (goal.distance) {
    print(out, "  error    {:>6.2f}  metres, mean\n", reach.distance_error);
  }
  if (goal.turns) print(out, "  error    {:>6.2f}  turns, mean\n", reach.turns_error);
}

void print_point(const Shown& shown, const Run& run, const Unconditioned& free,
                 const ReachSettings& settings, std::ostream& out) {
  const auto& [goal, reach, closest, attempt] = shown;
  const PhysicsWorld& world = *run.physics;
  print(out, "{}: to {}\n\n", run_title(run), point_text(goal.distance, goal.turns));
  if (reach.sent) print_sent(shown, settings, out);
  print(out, "  chance   {:>6.4f}  unconditioned: {} options\n\n", reach.chance,
        free.options.size());
  print(out, "  closest of these: {}\n", point_text(closest));
  if (!shown.in_reach()) {
    print(out, "  The goal is not reachable: none of them ended {}.\n", close_text(world, goal));
  }
  if (reach.sent) {
    print(out, "  one attempt: {}\n", point_text(attempt));
  } else {
    print(out,
          "  A run of the algorithm {} has no policy that can be conditioned on a goal; its "
          "closest option is all there is.\n",
          run.learner->settings().algorithm);
  }
}

void show_point(const Run& run, const PointGoal& goal, const Unconditioned& free,
                const ReachSettings& settings, const std::string& svg, const Console& console) {
  const PhysicsWorld& world = *run.physics;
  const PointReach reach = reach_point(run.learner->agent(), free, goal, settings);
  const std::vector<double>& closest = free.options[reach.closest];
  const std::vector<double>& attempt = reach.sent ? reach.sent->first : closest;
  PhysicsBody body(world);
  const Shown shown{goal, reach, behaviour_of(world, body, closest),
                    behaviour_of(world, body, attempt)};
  if (!svg.empty()) {
    constexpr int frames = 10;
    Film film = film_of(world, body, attempt, frames);
    film.title = fmt::format("To {}: {}", point_text(goal.distance, goal.turns), film.title);
    write_file(svg, draw_film(film, Form::file));
  }
  const auto json = [&] {
    Json all = head_json(run, settings, free);
    all.update(point_json(shown));
    return all;
  };
  console.show(json, [&] { print_point(shown, run, free, settings, console.out); });
  if (!svg.empty()) {
    console.note(
        fmt::format("\nThe {} is drawn in {}.", reach.sent ? "attempt" : "closest option", svg));
  }
}

// the success of cells, a line for each number of turns; nothing where lines would be too long
void print_cell_map(const CellReach& reach, const PhysicsWorld& world, std::ostream& out) {
  constexpr int widest = 120;
  int first = 0, last = 0;
  for (const CellReach::Goal& goal : reach.goals) {
    first = std::min(first, goal.cell.place);
    last = std::max(last, goal.cell.place);
  }
  if (last - first >= widest) return;
  std::map<int, std::string> lines;
  for (const CellReach::Goal& goal : reach.goals) {
    std::string& line = lines[goal.cell.turns];
    line.resize(static_cast<std::size_t>(last - first + 1), '.');
    const int tenths = std::min(9, static_cast<int>(goal.success.share * 10));
    line[static_cast<std::size_t>(goal.cell.place - first)] = static_cast<char>('0' + tenths);
  }
  print(out, "\n");
  for (const auto& [turns, line] : lines) {
    print(out, "  {:>9}  {}\n", signed_text(turns * world.turn_bin(), 2), line);
  }
  print(out, "  {:>9}  {:>{}}\n", "turns", "|", 1 - first);
  print(out,
        "\n  a digit is a cell of {:g} m, from {} to {} m: its tenths of success; | is the "
        "start\n",
        world.bin, signed_text(first * world.bin, 1), signed_text(last * world.bin, 1));
}

Json cells_json(const CellReach& reach, const PhysicsWorld& world) {
  Json json = {{"mean", reach.mean()}, {"goals", Json::array()}};
  for (const auto& [cell, chance, success] : reach.goals) {
    json["goals"].push_back({{"distance", world.bin * cell.place},
                             {"turns", world.turn_bin() * cell.turns},
                             {"success", success.share},
                             {"success_low", success.in.low},
                             {"success_high", success.in.high},
                             {"chance", chance}});
  }
  return json;
}

void print_cells(const CellReach& reach, const PhysicsWorld& world, std::ostream& out) {
  constexpr std::size_t longest_table = 60;
  if (reach.goals.size() <= longest_table) {
    print(out, "  {:>7} {:>10} {:>9} {:>9}   interval\n", "turns", "distance m", "success",
          "chance");
    for (const auto& [cell, chance, success] : reach.goals) {
      print(out, "  {:>7} {:>10} {:>9.4f} {:>9.4f}   {:.4f}-{:.4f}\n",
            signed_text(world.turn_bin() * cell.turns, 2), signed_text(world.bin * cell.place, 2),
            success.share, chance, success.in.low, success.in.high);
    }
    print(out, "\n");
  }
  print(out, "  {:>18} {:>9.4f}   over {} cells, uniformly\n", "mean", reach.mean(),
        reach.goals.size());
  print_cell_map(reach, world, out);
}

void show_cells(const Run& run, const Unconditioned& free, const ReachSettings& settings,
                const Console& console) {
  const PhysicsWorld& world = *run.physics;
  CellReach reach;
  {
    ProgressLine line(console);
    reach = reach_cells(run.learner->agent(), free, settings, [&](int done, int all) {
      if (line.due()) line.show(fmt::format("{} of {} cells", done, all));
    });
  }
  const auto json = [&] {
    Json all = head_json(run, settings, free);
    all.update(cells_json(reach, world));
    return all;
  };
  console.show(json, [&] {
    const bool greedy = settings.temperature == 0;
    print(console.out, "{}: reaching the cells of {} unconditioned options, {}; {}\n\n",
          run_title(run), free.options.size(), how_executed(settings),
          greedy ? "one option per cell, which is deterministic"
                 : fmt::format("{} options per cell, 95 % intervals", settings.simulated_options));
    print_cells(reach, world, console.out);
  });
}

}  // namespace

void show_points(const Run& run, const std::string& goal, const ReachSettings& settings,
                 const std::string& svg, const Console& console) {
  std::optional<PointGoal> point;
  if (!goal.empty()) point = parse_point_goal(goal);
  if (!point && !svg.empty()) fail_usage("--svg draws one option: add --goal GOAL.");
  if (!point || settings.fine_tune > 0) require_goal_policy(run.learner->agent());
  const Unconditioned free =
      sample_unconditioned(run.learner->agent(), settings, EvalSettings{}.survey);
  {
    ProgressLine line(console);
    fine_tune(*run.learner, free, settings, [&](int done, int all) {
      if (line.due()) line.show(fmt::format("{} of {} updates of fine-tuning", done, all));
    });
  }
  if (point) {
    show_point(run, *point, free, settings, svg, console);
  } else {
    show_cells(run, free, settings, console);
  }
}

}  // namespace vic
