// vic reach: execute a run's options conditioned on a goal, and measure how often they reach it.
#include <fmt/format.h>

#include <memory>

#include "base/json.h"
#include "base/print.h"
#include "cli/command.h"
#include "cli/heat_map.h"
#include "cli/reach_chain.h"
#include "cli/reach_simulator.h"
#include "cli/run_head.h"
#include "eval/reach.h"
#include "run/run_folder.h"

namespace vic {
namespace {

struct ReachOptions {
  std::string run;
  std::string goal;
  bool all = false;
  bool greedy = false;
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

Json all_json(const Run& run, const ReachSettings& settings, const Reach& reach) {
  const TabularWorld& world = run.table();
  Json all = head_json(run, settings, reach);
  all["mean"] = reach.mean();
  all["best_mean"] = reach.best_mean();
  all["worst"] = goal_json(world, reach, static_cast<std::size_t>(reach.worst()));
  for (std::size_t i = 0; i < reach.goals.size(); ++i) {
    all["goals"].push_back(goal_json(world, reach, i));
  }
  return all;
}

// a line for each goal, where they are not too many
void print_goals(const TabularWorld& world, const Reach& reach, std::ostream& out) {
  constexpr std::size_t longest_table = 60;
  if (reach.goals.size() > longest_table) return;
  print(out, "  {:<12} {:>9} {:>9}{}\n", "goal", "success", "best",
        reach.exact ? "" : "   interval");
  for (std::size_t i = 0; i < reach.goals.size(); ++i) {
    print(out, "  {:<12} {:>9.6f} {:>9.6f}{}\n", world.state_names[reach.goals[i]],
          reach.success[i], reach.best[i],
          reach.exact ? "" : fmt::format("   {:.4f}-{:.4f}", reach.low[i], reach.high[i]));
  }
  print(out, "\n");
}

void print_all(const Run& run, const ReachSettings& settings, const Reach& reach,
               const Console& console) {
  const TabularWorld& world = run.table();
  const auto worst = static_cast<std::size_t>(reach.worst());
  print(
      console.out, "{}: reaching every goal from {}, {}; {}\n\n", run_title(run),
      world.state_names[world.s_0], how_executed(settings),
      reach.exact ? "exact" : fmt::format("{} options per goal, 95 % intervals", settings.options));
  print_goals(world, reach, console.out);
  print(console.out, "  {:<12} {:>9.6f} {:>9.6f}  over {} goals\n", "mean", reach.mean(),
        reach.best_mean(), reach.goals.size());
  print(console.out, "  {:<12} {:>9.6f} {:>9.6f}  {}\n", "worst", reach.success[worst],
        reach.best[worst], world.state_names[reach.goals[worst]]);
  std::vector<double> map(world.S, 0);
  for (std::size_t i = 0; i < reach.goals.size(); ++i) map[reach.goals[i]] = reach.success[i];
  print(console.out, "\n  success\n\n{}", heat_map(world, map, console.palette));
}

void show_all(const Run& run, const ReachSettings& settings, const Console& console) {
  const Reach reach = reach_all(run.learner->agent(), settings);
  console.show([&] { return all_json(run, settings, reach); },
               [&] { print_all(run, settings, reach, console); });
}

// one option that was executed towards the goal, in names
struct Path {
  std::vector<std::string> states, moves;
};

Path path_of(const TabularWorld& world, const Attempt& attempt) {
  Path path;
  for (int s : attempt.states) path.states.push_back(world.state_names[s]);
  for (int a : attempt.actions) path.moves.push_back(world.move_names[a]);
  return path;
}

void print_goal(const Run& run, int goal, const ReachSettings& settings, const Reach& reach,
                const Attempt& one, std::ostream& out) {
  const TabularWorld& world = run.table();
  print(out, "{}: from {} to {}, {}\n\n", run_title(run), world.state_names[world.s_0],
        world.state_names[goal], how_executed(settings));
  print(out, "  {:<8} {:>9.6f}  {}\n", "success", reach.success[0],
        reach.exact ? "exact"
                    : fmt::format("of {} options; between {:.4f} and {:.4f} (95 %)",
                                  settings.options, reach.low[0], reach.high[0]));
  print(out, "  {:<8} {:>9.6f}  the largest of any policy\n\n", "best", reach.best[0]);
  const Path path = path_of(world, one);
  print(out, "  one attempt: {}", path.states[0]);
  for (std::size_t i = 0; i < path.moves.size(); ++i) {
    print(out, " {} {}", path.moves[i], path.states[i + 1]);
  }
  print(out, ": {}\n\n{}", one.reached ? "reached" : "not reached",
        route_map(world, one.states, goal));
}

void show_goal(const Run& run, int goal, const ReachSettings& settings, const Console& console) {
  const Reach reach = reach_goal(run.learner->agent(), goal, settings);
  const Attempt one = attempt(run.learner->agent(), goal, settings);
  const auto json = [&] {
    Json all = head_json(run, settings, reach);
    all.update(goal_json(run.table(), reach, 0));
    const Path path = path_of(run.table(), one);
    all["path"] = path.states;
    all["moves"] = path.moves;
    all["reached"] = one.reached;
    return all;
  };
  console.show(json, [&] { print_goal(run, goal, settings, reach, one, console.out); });
}

void run_reach(const ReachOptions& options, const UserSettings& given, const Console& console) {
  if (options.all == !options.goal.empty()) {
    fail_usage("vic reach needs a goal: use either --goal GOAL or --all.");
  }
  ReachSettings settings;
  Overrides overrides = given.overrides();
  overrides.apply("reach", settings);
  overrides.finish();
  if (options.greedy) settings.temperature = 0;
  const Run run = load_trained_run(options.run, warning_to(console));
  if (const Simulator* world = simulator_in(run.world)) {
    if (options.chain) {
      fail_usage("--chain needs a world with a table of states; {} is a simulated world.",
                 world->spec().name);
    }
    return show_points(run, *world, options.goal, settings, options.svg, console);
  }
  if (!options.svg.empty()) {
    fail_usage("--svg needs a simulated world; {} is a table of states.", run.table().name);
  }
  fine_tune(*run.learner, settings);
  if (options.chain) {
    show_chains(run, options.goal, settings, console);
  } else if (options.all) {
    show_all(run, settings, console);
  } else {
    const int goal = find_goal(run.table(), options.goal);
    show_goal(run, goal, settings, console);
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
  arguments.flag("--chain", options->chain,
                 "chain several options, each from the final state of the last, by a plan");
  arguments.option("--svg FILE", options->svg,
                   "draw a filmstrip of an option in a simulated world");
  arguments.footer(settings_help({describe("reach", ReachSettings{})}));
  return [options](const UserSettings& settings, const Console& console) {
    run_reach(*options, settings, console);
  };
}

}  // namespace vic
