#include "cli/reach_simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/file.h"
#include "base/print.h"
#include "base/text.h"
#include "cli/text.h"
#include "eval/simulator_chain.h"
#include "report/figures/film_figure.h"
#include "run/run_folder.h"

namespace vic {
namespace {

// the arguments of all functions below
struct Request {
  const Run& run;
  const Simulator& world;
  const Unconditioned& unconditioned;
  const ReachSettings& settings;

  const SimulatorSpec& spec() const { return world.spec(); }
};

// a document's head, followed by these members
Json with_head(const Request& request, const Json& members) {
  Json json = run_json(request.run);
  json["temperature"] = request.settings.temperature;
  json["free_options"] = request.unconditioned.options.size();
  json.update(members);
  return json;
}

Json behaviour_json(const SimulatorSpec& spec, const Behaviour& behaviour) {
  Json json = {{"behaviour", behaviour.name}};
  for (std::size_t k = 0; k < spec.coordinates.size(); ++k) {
    json[spec.coordinates[k].name] = behaviour.displacement[k];
  }
  return json;
}

// "+3.00 m, −1.00 turns"
std::string point_text(const SimulatorSpec& spec, const PointGoal& point) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < point.size(); ++k) {
    if (point[k]) parts.push_back(signed_text(*point[k], 2) + " " + spec.coordinates[k].unit);
  }
  return joined(parts, ", ");
}

std::string point_text(const SimulatorSpec& spec, const Behaviour& behaviour) {
  const PointGoal end(behaviour.displacement.begin(), behaviour.displacement.end());
  return fmt::format("{}: {}", point_text(spec, end), behaviour.name);
}

// "within 0.25 m of it and with as many full turns"
std::string close_text(const SimulatorSpec& spec, const PointGoal& goal) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < goal.size(); ++k) {
    if (!goal[k]) continue;
    const Bins& bins = spec.coordinates[k].method_bins();
    const std::string& unit = spec.coordinates[k].unit;
    parts.push_back(bins.full ? "with as many full " + unit
                              : fmt::format("within {:g} {} of it", bins.width / 2, unit));
  }
  return joined(parts, " and ");
}

// "1024 options"
std::string unconditioned_text(const Request& request) {
  const std::size_t n = request.unconditioned.options.size();
  return request.unconditioned.of_skills ? fmt::format("each of {} skills once", n)
                                         : fmt::format("{} options", n);
}

// how options conditioned on a point ended, and what two options did
struct Shown {
  const PointGoal& goal;
  const PointReach& reach;
  Behaviour closest;  // of the unconditioned options
  Behaviour attempt;  // of the conditioned ones, the first
  bool in_reach() const { return reach.chance > 0; }
};

// where the options of one chain ended, one after another
std::vector<std::string> stops_text(const SimulatorSpec& spec, const ChainReach& chain) {
  std::vector<std::string> stops;
  for (const Displacement& stop : chain.stops) {
    stops.push_back(point_text(spec, PointGoal(stop.begin(), stop.end())));
  }
  return stops;
}

// values that need a policy that can be conditioned are null without one
Json point_json(const SimulatorSpec& spec, const Shown& shown) {
  const auto& [goal, reach, closest, attempt] = shown;
  const bool known = reach.conditioned.has_value();
  Json json;
  for (std::size_t k = 0; k < goal.size(); ++k) {
    json["goal"][spec.coordinates[k].name] = maybe(goal[k]);
  }
  json["closest"] = behaviour_json(spec, closest);
  json["in_reach"] = shown.in_reach();
  json["chance"] = reach.chance;
  json["options"] = known ? Json(reach.conditioned->ends.size()) : Json();
  json["success"] = maybe(known, reach.success.share);
  json["success_low"] = maybe(known, reach.success.in.low);
  json["success_high"] = maybe(known, reach.success.in.high);
  for (std::size_t k = 0; k < goal.size(); ++k) {
    json[spec.coordinates[k].name + "_error"] = known && goal[k] ? Json(reach.error[k]) : Json();
  }
  json["attempt"] = known ? behaviour_json(spec, attempt) : Json();
  return json;
}

void print_conditioned(const Request& request, const Shown& shown, std::ostream& out) {
  const PointReach& reach = shown.reach;
  const auto& [low, high] = reach.success.in;
  print(out, "  success  {:>6.4f}  conditioned on the goal, {}: {}\n", reach.success.share,
        how_executed(request.settings),
        low == high ? "one option, which is deterministic"
                    : fmt::format("{} options; between {:.4f} and {:.4f} (95 %)",
                                  reach.conditioned->ends.size(), low, high));
  for (std::size_t k = 0; k < shown.goal.size(); ++k) {
    if (!shown.goal[k]) continue;
    print(out, "  error    {:>6.2f}  {}, mean\n", reach.error[k],
          request.spec().coordinates[k].unit);
  }
}

void print_point(const Request& request, const Shown& shown, std::ostream& out) {
  const auto& [goal, reach, closest, attempt] = shown;
  const SimulatorSpec& spec = request.spec();
  print(out, "{}: to {}\n\n", run_title(request.run), point_text(spec, goal));
  if (reach.conditioned) print_conditioned(request, shown, out);
  print(out, "  chance   {:>6.4f}  unconditioned: {}\n\n", reach.chance,
        unconditioned_text(request));
  print(out, "  closest of these: {}\n", point_text(spec, closest));
  if (!shown.in_reach()) {
    print(out, "  The goal is not reachable: none of them ended {}.\n", close_text(spec, goal));
  }
  if (reach.conditioned) {
    print(out, "  one attempt: {}\n", point_text(spec, attempt));
  } else {
    print(out,
          "  A run of the algorithm {} has no policy that can be conditioned on a goal; its "
          "closest option is all there is.\n",
          request.run.learner->settings().algorithm);
  }
}

void show_point(const Request& request, const PointGoal& goal, const std::string& svg,
                const Console& console) {
  const Simulator& world = request.world;
  const PointReach reach =
      reach_point(request.run.learner->agent(), request.unconditioned, goal, request.settings);
  const std::vector<double>& closest = request.unconditioned.options[reach.closest];
  const std::vector<double>& attempt = reach.conditioned ? reach.conditioned->first : closest;
  const auto viewer = world.make_viewer();
  const Shown shown{goal, reach, behaviour_of(world, *viewer, closest),
                    behaviour_of(world, *viewer, attempt)};
  if (!svg.empty()) {
    constexpr int frames = 10;
    Film film = film_of(world, *viewer, attempt, frames);
    film.title = fmt::format("To {}: {}", point_text(request.spec(), goal), film.title);
    write_file(svg, draw_film(film, Form::file));
  }
  console.show([&] { return with_head(request, point_json(request.spec(), shown)); },
               [&] { print_point(request, shown, console.out); });
  if (!svg.empty()) {
    console.note(fmt::format("\nThe {} is drawn in {}.",
                             reach.conditioned ? "attempt" : "closest option", svg));
  }
}

// the success of cells with one or two coordinates, one line per value of the second, if they fit
void print_cell_map(const CellReach& reach, const SimulatorSpec& spec, std::ostream& out) {
  constexpr int widest = 120;
  const int K = spec.falls ? spec.K() - 1 : spec.K();
  if (K > 2) return;
  int first = 0, last = 0;
  for (const CellReach::Goal& goal : reach.goals) {
    first = std::min(first, goal.cell[0]);
    last = std::max(last, goal.cell[0]);
  }
  if (last - first >= widest) return;
  std::map<int, std::string> lines;
  for (const CellReach::Goal& goal : reach.goals) {
    if (is_fall(spec, goal.cell)) continue;
    std::string& line = lines[K > 1 ? goal.cell[1] : 0];
    line.resize(static_cast<std::size_t>(last - first + 1), '.');
    const int tenths = std::min(9, static_cast<int>(goal.success.share * 10));
    line[static_cast<std::size_t>(goal.cell[0] - first)] = static_cast<char>('0' + tenths);
  }
  print(out, "\n");
  const Coordinate& across = spec.coordinates[0];
  const Coordinate* up = K > 1 ? &spec.coordinates[1] : nullptr;
  for (const auto& [row, line] : lines) {
    const std::string value = up == nullptr ? "" : signed_text(up->method_bins().centre(row), 2);
    print(out, "  {:>9}  {}\n", value, line);
  }
  print(out, "  {:>9}  {:>{}}\n", up == nullptr ? "" : up->name, "|", 1 - first);
  const Bins& bins = across.method_bins();
  print(out,
        "\n  a digit is a cell of {:g} {}, from {} to {} {}: its tenths of success; | is the "
        "start\n",
        bins.width, across.unit, signed_text(bins.centre(first), 1),
        signed_text(bins.centre(last), 1), across.unit);
}

Json cells_json(const CellReach& reach, const SimulatorSpec& spec) {
  Json json = {{"mean", reach.mean()}, {"goals", Json::array()}, {"rings", Json::array()}};
  for (const auto& [from, to, goals, chance, success] : rings_of(spec, reach)) {
    json["rings"].push_back(
        {{"from", from}, {"to", to}, {"goals", goals}, {"success", success}, {"chance", chance}});
  }
  for (const auto& [cell, chance, success] : reach.goals) {
    Json& goal = json["goals"].push_back(Json::object());
    for (std::size_t k = 0; k < cell.size(); ++k) {
      goal[spec.coordinates[k].name] = spec.coordinates[k].method_bins().centre(cell[k]);
    }
    goal["success"] = success.share;
    goal["success_low"] = success.in.low;
    goal["success_high"] = success.in.high;
    goal["chance"] = chance;
  }
  return json;
}

void print_cells(const CellReach& reach, const SimulatorSpec& spec, std::ostream& out) {
  constexpr std::size_t longest_table = 60;
  if (reach.goals.size() <= longest_table) {
    for (const Coordinate& one : spec.coordinates) print(out, "  {:>10}", one.name);
    print(out, " {:>9} {:>9}   interval\n", "success", "chance");
    for (const auto& [cell, chance, success] : reach.goals) {
      for (std::size_t k = 0; k < cell.size(); ++k) {
        const Bins& bins = spec.coordinates[k].method_bins();
        print(out, "  {:>10}", signed_text(bins.centre(cell[k]), 2));
      }
      print(out, " {:>9.4f} {:>9.4f}   {:.4f}-{:.4f}\n", success.share, chance, success.in.low,
            success.in.high);
    }
    print(out, "\n");
  }
  print(out, "  {:>10} {:>9.4f}   over {} cells, uniformly\n", "mean", reach.mean(),
        reach.goals.size());
  print(out, "\n  {:>11} {:>9} {:>9} {:>9}   means over the cells of a ring around the start\n",
        "distance", "success", "chance", "cells");
  for (const auto& [from, to, goals, chance, success] : rings_of(spec, reach)) {
    print(out, "  {:>11} {:>9.4f} {:>9.4f} {:>9}\n",
          fmt::format("{:g}-{:g} {}", from, to, spec.coordinates[0].unit), success, chance, goals);
  }
  print_cell_map(reach, spec, out);
}

void show_cells(const Request& request, const Console& console) {
  const SimulatorSpec& spec = request.spec();
  const ReachSettings& settings = request.settings;
  const CellReach reach = reach_cells(request.run.learner->agent(), request.unconditioned, settings,
                                      shares_on(console, "cells"));
  const auto json = [&] { return with_head(request, cells_json(reach, spec)); };
  console.show(json, [&] {
    print(console.out, "{}: reaching the cells of unconditioned options ({}), {}; {}\n\n",
          run_title(request.run), unconditioned_text(request), how_executed(settings),
          options_repeat(spec, settings)
              ? "one option per cell, which is deterministic"
              : fmt::format("{} options per cell, 95 % intervals", settings.simulated_options));
    print_cells(reach, spec, console.out);
  });
}

Json chain_json(const Request& request, const PointGoal& goal, const ChainReach& chain) {
  const SimulatorSpec& spec = request.spec();
  Json json = {{"places", chain.anew ? "anew" : "absolute"},
               {"success", chain.success.share},
               {"success_low", chain.success.in.low},
               {"success_high", chain.success.in.high},
               {"first_success", chain.first},
               {"fallen", chain.fallen},
               {"mean_options", maybe(chain.success.share > 0, chain.options)},
               {"stops", Json::array()}};
  for (std::size_t k = 0; k < goal.size(); ++k) {
    json["goal"][spec.coordinates[k].name] = maybe(goal[k]);
  }
  for (const Displacement& stop : chain.stops) json["stops"].push_back(stop);
  return json;
}

void print_chain(const Request& request, const PointGoal& goal, const ChainReach& chain,
                 std::ostream& out) {
  const SimulatorSpec& spec = request.spec();
  const auto& [low, high] = chain.success.in;
  print(out, "{}: to {}, by chains of up to {} options, {}\n\n", run_title(request.run),
        point_text(spec, goal), request.settings.chain, how_executed(request.settings));
  print(out, "  success  {:>6.4f}  {}\n", chain.success.share,
        low == high ? "one chain, which is deterministic"
                    : fmt::format("between {:.4f} and {:.4f} (95 %)", low, high));
  print(out, "  first    {:>6.4f}  arrive with their first option\n", chain.first);
  if (spec.falls) print(out, "  fallen   {:>6.4f}  fall on the way\n", chain.fallen);
  if (chain.success.share > 0) {
    print(out, "  options  {:>6.2f}  of those that arrive, mean\n", chain.options);
  }
  print(out, "\n  one of them: {}\n", joined(stops_text(spec, chain), "; "));
  print(out, "  Places are {}.\n",
        chain.anew ? "counted anew where an option begins: the world looks the same from there"
                   : "those of the world, whose fixed parts make every place its own");
}

}  // namespace

void show_chain(const Run& run, const Simulator& world, const std::string& goal,
                const ReachSettings& settings, const Console& console) {
  if (goal.empty()) fail_usage("--chain in a simulated world needs a goal: add --goal GOAL.");
  if (settings.replay || settings.fine_tune > 0) {
    fail_usage("--chain excludes --replay and fine-tuning in a simulated world.");
  }
  const PointGoal point = parse_point_goal(world.spec(), goal);
  require_goal_policy(run.learner->agent());
  const Unconditioned unconditioned = sample_unconditioned(run.learner->agent(), settings);
  const ChainReach chain = chain_to(run.learner->agent(), unconditioned, point, settings);
  const Request request{run, world, unconditioned, settings};
  console.show([&] { return with_head(request, chain_json(request, point, chain)); },
               [&] { print_chain(request, point, chain, console.out); });
}

void show_points(const Run& run, const Simulator& world, const std::string& goal,
                 const ReachSettings& settings, const std::string& svg, const Console& console) {
  std::optional<PointGoal> point;
  if (!goal.empty()) point = parse_point_goal(world.spec(), goal);
  if (!point && !svg.empty()) fail_usage("--svg draws one option: add --goal GOAL.");
  if ((!point && !settings.replay) || settings.fine_tune > 0) {
    require_goal_policy(run.learner->agent());
  }
  const Unconditioned unconditioned = sample_unconditioned(run.learner->agent(), settings);
  fine_tune(*run.learner, unconditioned, settings, shares_on(console, "updates of fine-tuning"));
  const Request request{run, world, unconditioned, settings};
  if (point) return show_point(request, *point, svg, console);
  show_cells(request, console);
}

}  // namespace vic
