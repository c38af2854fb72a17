// vic reach: execute a run's options conditioned on a goal, and measure how often they reach it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/json.h"
#include "base/print.h"
#include "cli/command.h"
#include "cli/heat_map.h"
#include "cli/reach_simulator.h"
#include "cli/text.h"
#include "eval/chain.h"
#include "eval/reach.h"
#include "run/run_folder.h"

namespace vic {
namespace {

struct ReachOptions {
  std::string run;
  std::string goal;
  bool all = false;
  bool greedy = false;
  bool replay = false;
  bool chain = false;
  std::string svg;
};

Json head_json(const Run& run, const ReachSettings& settings, const Reach& reach) {
  Json json = run_json(run);
  json["start"] = run.table().state_names[run.table().s_0];
  json["temperature"] = settings.temperature;
  json["exact"] = reach.exact;
  return json;
}

Json goal_json(const TabularWorld& world, const Reach& reach, std::size_t i) {
  return {{"goal", world.state_names[reach.goals[i]]},
          {"success", reach.success[i]},
          {"success_low", reach.low[i]},
          {"success_high", reach.high[i]},
          {"best", reach.best[i]}};
}

void print_goals(const Run& run, const ReachSettings& settings, const Reach& reach,
                 const Console& console) {
  const TabularWorld& world = run.table();
  print(
      console.out, "{}: reaching every goal from {}, {}; {}\n\n", run_title(run),
      world.state_names[world.s_0], how_executed(settings),
      reach.exact ? "exact" : fmt::format("{} options per goal, 95 % intervals", settings.options));
  const auto row = [&](const auto& name, const auto& success, const auto& best,
                       const std::string& remark) {
    print(console.out, "  {:<12} {:>9} {:>9}{}\n", name, success, best, remark);
  };
  const auto goal_row = [&](const auto& name, std::size_t i, const std::string& remark) {
    row(name, number_text(reach.success[i]), number_text(reach.best[i]), remark);
  };
  const auto name = [&](std::size_t i) { return world.state_names[reach.goals[i]]; };
  // a line for each goal, unless there are too many
  constexpr std::size_t longest_table = 60;
  if (reach.goals.size() <= longest_table) {
    row("goal", "success", "best", reach.exact ? "" : "   interval");
    for (std::size_t i = 0; i < reach.goals.size(); ++i) {
      goal_row(name(i), i,
               reach.exact ? "" : fmt::format("   {:.4f}-{:.4f}", reach.low[i], reach.high[i]));
    }
    print(console.out, "\n");
  }
  row("mean", number_text(reach.mean()), number_text(reach.best_mean()),
      fmt::format("  over {} goals", reach.goals.size()));
  const auto worst = static_cast<std::size_t>(reach.worst());
  goal_row("furthest", worst, "  " + name(worst) + ", the furthest below its best");
  std::vector<double> map(world.S, 0);
  for (std::size_t i = 0; i < reach.goals.size(); ++i) map[reach.goals[i]] = reach.success[i];
  print(console.out, "\n  success\n\n{}", heat_map(world, map, console.palette));
}

void show_goals(const Run& run, const ReachSettings& settings, const Console& console) {
  const Reach reach = reach_all(run.learner->agent(), settings, shares_on(console, "goals"));
  const auto json = [&] {
    Json all = head_json(run, settings, reach);
    all["mean"] = reach.mean();
    all["best_mean"] = reach.best_mean();
    all["worst"] = goal_json(run.table(), reach, static_cast<std::size_t>(reach.worst()));
    for (std::size_t i = 0; i < reach.goals.size(); ++i) {
      all["goals"].push_back(goal_json(run.table(), reach, i));
    }
    return all;
  };
  console.show(json, [&] { print_goals(run, settings, reach, console); });
}

void show_goal(const Run& run, int goal, const ReachSettings& settings, const Console& console) {
  const TabularWorld& world = run.table();
  const Reach reach = reach_goal(run.learner->agent(), goal, settings);
  const Attempt one = attempt(run.learner->agent(), goal, settings);
  const auto states = list_names(one.states, world.state_names);
  const auto moves = list_names(one.actions, world.move_names);
  const auto json = [&] {
    Json all = head_json(run, settings, reach);
    all.update(goal_json(world, reach, 0));
    all["path"] = states;
    all["moves"] = moves;
    all["reached"] = one.reached;
    return all;
  };
  console.show(json, [&] {
    print(console.out, "{}: from {} to {}, {}\n\n", run_title(run), world.state_names[world.s_0],
          world.state_names[goal], how_executed(settings));
    print(console.out, "  {:<8} {:>9.6f}  {}\n", "success", reach.success[0],
          reach.exact ? "exact"
                      : fmt::format("of {} options; between {:.4f} and {:.4f} (95 %)",
                                    settings.options, reach.low[0], reach.high[0]));
    print(console.out, "  {:<8} {:>9.6f}  the largest of any policy\n\n", "best", reach.best[0]);
    print(console.out, "  one attempt: {}", states[0]);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      print(console.out, " {} {}", moves[i], states[i + 1]);
    }
    print(console.out, ": {}\n\n{}", one.reached ? "reached" : "not reached",
          route_map(world, one.states, goal));
  });
}

Json chain_json(const Run& run, const OptionModel& model) {
  Json json = run_json(run);
  json["start"] = run.table().state_names[run.table().s_0];
  json["options_tried"] = model.entries.size();
  return json;
}

void show_journey(const Run& run, int goal, const OptionModel& model, const ReachSettings& settings,
                  const Console& console) {
  const TabularWorld& world = run.table();
  const Plan plan = plan_to(model, world.S, goal, settings.stop);
  const double planned = plan.moves[world.s_0], fewest = fewest_moves(world, goal)[world.s_0];
  if (std::isinf(planned)) {
    fail_usage("No chain of this run's options leads from {} to {}{}.",
               world.state_names[world.s_0], world.state_names[goal],
               std::isinf(fewest) ? ", and no moves do" : "");
  }
  const Journey journey = travel(run.learner->agent(), plan, model, settings, settings.chain);
  const auto stops = list_names(journey.stops, world.state_names);
  const auto moves = journey.states.size() - 1;
  const auto json = [&] {
    Json all = chain_json(run, model);
    all["goal"] = world.state_names[goal];
    all["planned_moves"] = planned;
    all["fewest_moves"] = fewest;
    all["moves"] = moves;
    all["arrived"] = journey.arrived;
    all["stops"] = stops;
    return all;
  };
  const auto text = [&] {
    print(console.out, "{}: from {} to {} by several options\n\n", run_title(run),
          world.state_names[world.s_0], world.state_names[goal]);
    print(console.out, "  {:<14} {:>8.3f}  by the plan, from {} options that were tried\n",
          "expected moves", planned, model.entries.size());
    print(console.out, "  {:<14} {:>8.3f}  of any policy\n\n", "fewest moves", fewest);
    print(console.out, "  one journey: {}: {} after {} options and {} moves\n\n{}",
          fmt::join(stops, " - "), journey.arrived ? "arrived" : "not arrived",
          journey.stops.size() - 1, moves, route_map(world, journey.states, goal));
  };
  console.show(json, text);
}

// the outcome of journeys to all destinations
struct Journeys {
  int destinations = 0, arrived = 0;
  int by_one = 0;              // destinations that one option can reach
  double ratio = 0;            // sum over those that arrived: moves by the fewest
  double options = 0;          // likewise: the options they took
  std::vector<double> needed;  // (S) the fewest moves as a share of a journey's
  Json list = Json::array();
};

void print_journeys(const Run& run, const Journeys& all, const Console& console) {
  const TabularWorld& world = run.table();
  print(console.out, "{}: a journey from {} to every other state\n\n", run_title(run),
        world.state_names[world.s_0]);
  print(console.out, "  {:<14} {:>8}  of which {} are reachable by one option\n", "destinations",
        all.destinations, all.by_one);
  print(console.out, "  {:<14} {:>8}  {:.1f} %\n", "arrived", all.arrived,
        100.0 * all.arrived / std::max(1, all.destinations));
  if (all.arrived > 0) {
    print(console.out, "  {:<14} {:>8.3f}  moves, relative to the shortest path\n", "cost",
          all.ratio / all.arrived);
    print(console.out, "  {:<14} {:>8.3f}  per journey\n", "options", all.options / all.arrived);
  }
  print(console.out, "\n  the shortest path's share of the moves made\n\n{}",
        heat_map(world, all.needed, console.palette));
}

void show_journeys(const Run& run, const OptionModel& model, const ReachSettings& settings,
                   const Console& console) {
  const TabularWorld& world = run.table();
  const OptionModel moves_of_the_world = single_moves(world);
  Journeys all;
  all.needed.resize(world.S, 0);
  for (int goal = 0; goal < world.S; ++goal) {
    settings.stop.check();
    const double fewest =
        plan_to(moves_of_the_world, world.S, goal, settings.stop).moves[world.s_0];
    if (goal == world.s_0 || std::isinf(fewest)) continue;
    ++all.destinations;
    all.by_one += fewest <= world.T_max - 1;
    const Plan plan = plan_to(model, world.S, goal, settings.stop);
    const Journey journey = travel(run.learner->agent(), plan, model, settings, settings.chain);
    const auto moves = static_cast<double>(journey.states.size() - 1);
    all.list.push_back(
        {{"goal", world.state_names[goal]},
         {"arrived", journey.arrived},
         {"options", journey.stops.size() - 1},
         {"moves", moves},
         {"planned_moves", maybe(!std::isinf(plan.moves[world.s_0]), plan.moves[world.s_0])},
         {"fewest_moves", fewest}});
    if (!journey.arrived) continue;
    ++all.arrived;
    all.ratio += moves / fewest;
    all.options += static_cast<double>(journey.stops.size() - 1);
    all.needed[goal] = fewest / moves;
  }
  const auto json = [&] {
    Json document = chain_json(run, model);
    document["destinations"] = all.destinations;
    document["arrived"] = all.arrived;
    document["mean_ratio"] = maybe(all.arrived > 0, all.ratio / all.arrived);
    document["journeys"] = all.list;
    return document;
  };
  console.show(json, [&] { print_journeys(run, all, console); });
}

// several options in a row, farther than one can go: a journey to the goal, or to every state
void show_chains(const Run& run, const std::string& goal, const ReachSettings& settings,
                 const Console& console) {
  const int destination = goal.empty() ? -1 : find_place(run.table(), goal);
  const OptionModel model = try_options(run.learner->agent(), settings, settings.tries);
  if (destination < 0) return show_journeys(run, model, settings, console);
  show_journey(run, destination, model, settings, console);
}

void run_reach(const ReachOptions& options, const UserSettings& given, const Console& console) {
  if (options.all == !options.goal.empty()) {
    fail_usage("vic reach needs a goal: use either --goal GOAL or --all.");
  }
  ReachSettings settings;
  Overrides overrides = given.overrides();
  overrides.apply("reach", settings);
  overrides.finish();
  settings.stop = console.stop;
  if (options.greedy) settings.temperature = 0;
  settings.replay = options.replay;
  if (options.replay && (options.greedy || settings.fine_tune > 0)) {
    fail_usage("--replay takes actions as they were: it excludes --greedy and fine-tuning.");
  }
  const Run run = load_trained_run(options.run, warning_to(console));
  if (const Simulator* world = simulator_in(run.world)) {
    if (options.chain) return show_chain(run, *world, options.goal, settings, console);
    return show_points(run, *world, options.goal, settings, options.svg, console);
  }
  if (options.replay) {
    fail_usage("--replay needs a simulated world; {} is a table of states.", run.table().name);
  }
  if (!options.svg.empty()) {
    fail_usage("--svg needs a simulated world; {} is a table of states.", run.table().name);
  }
  fine_tune(*run.learner, settings, shares_on(console, "updates of fine-tuning"));
  if (options.chain) {
    show_chains(run, options.goal, settings, console);
  } else if (options.all) {
    show_goals(run, settings, console);
  } else {
    show_goal(run, find_goal(run.table(), options.goal), settings, console);
  }
}

}  // namespace

Action declare_reach(Arguments& arguments) {
  auto options = std::make_shared<ReachOptions>();
  arguments.positional("run", options->run, Need::required,
                       "the folder of a run, as vic train makes it");
  arguments.option("--goal GOAL", options->goal,
                   "where the option is to end: a state, or a point as distance=3,turns=-1");
  arguments.flag("--all", options->all, "every reachable goal: a table and a map");
  arguments.flag("--greedy", options->greedy, "take the most likely action: temperature 0");
  arguments.flag(
      "--replay", options->replay,
      "simulated worlds: repeat the actions of an unconditioned option that ended there");
  arguments.flag("--chain", options->chain,
                 "chain several options, each from the final state of the last, by a plan");
  arguments.option("--svg FILE", options->svg,
                   "draw a filmstrip of an option in a simulated world");
  arguments.footer(settings_help({describe("reach", ReachSettings{})}));
  return action(options, run_reach);
}

}  // namespace vic
