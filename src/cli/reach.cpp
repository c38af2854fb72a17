// vic reach: send a run's options somewhere, and see how surely they get there.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <memory>

#include "base/json.h"
#include "cli/command.h"
#include "cli/heat_map.h"
#include "cli/reach_chain.h"
#include "cli/reach_physics.h"
#include "eval/reach.h"
#include "run/run_folder.h"

namespace vic {
namespace {

struct ReachOptions {
  CommonOptions common;
  std::string run;
  std::string goal;
  bool all = false;
  bool greedy = false;
  bool chain = false;
  std::string svg;
};

Json head_json(const Run& run, const ReachSettings& settings, const Reach& reach) {
  return {{"world", run.world->name},
          {"algorithm", run.learner->settings().algorithm},
          {"seed", run.learner->settings().seed},
          {"start", run.world->state_names[run.world->s_0]},
          {"temperature", settings.temperature},
          {"exact", reach.exact}};
}

Json goal_json(const TabularWorld& world, const Reach& reach, std::size_t i) {
  return {{"goal", world.state_names[reach.goals[i]]},
          {"success", reach.success[i]},
          {"success_low", reach.low[i]},
          {"success_high", reach.high[i]},
          {"best", reach.best[i]}};
}

void show_all(const Run& run, const ReachSettings& settings, bool json, const Console& console) {
  const TabularWorld& world = *run.world;
  const Reach reach = reach_all(*run.learner, settings);
  const auto worst = static_cast<std::size_t>(reach.worst());
  if (json) {
    Json all = head_json(run, settings, reach);
    all["mean"] = reach.mean();
    all["best_mean"] = reach.best_mean();
    all["worst"] = goal_json(world, reach, worst);
    for (std::size_t i = 0; i < reach.goals.size(); ++i) {
      all["goals"].push_back(goal_json(world, reach, i));
    }
    fmt::print(console.out, "{}\n", all.dump(2));
    return;
  }
  fmt::print(
      console.out, "{}, {}, seed {}: reaching every goal from {}, {}; {}\n\n", world.name,
      run.learner->settings().algorithm, run.learner->settings().seed, world.state_names[world.s_0],
      how_executed(settings),
      reach.exact ? "exact" : fmt::format("{} options a goal, 95 % intervals", settings.options));
  constexpr std::size_t longest_table = 60;
  if (reach.goals.size() <= longest_table) {
    fmt::print(console.out, "  {:<12} {:>9} {:>9}{}\n", "goal", "success", "best",
               reach.exact ? "" : "   interval");
    for (std::size_t i = 0; i < reach.goals.size(); ++i) {
      fmt::print(console.out, "  {:<12} {:>9.6f} {:>9.6f}{}\n", world.state_names[reach.goals[i]],
                 reach.success[i], reach.best[i],
                 reach.exact ? "" : fmt::format("   {:.4f}-{:.4f}", reach.low[i], reach.high[i]));
    }
    fmt::print(console.out, "\n");
  }
  fmt::print(console.out, "  {:<12} {:>9.6f} {:>9.6f}  over {} goals\n", "mean", reach.mean(),
             reach.best_mean(), reach.goals.size());
  fmt::print(console.out, "  {:<12} {:>9.6f} {:>9.6f}  {}\n", "worst", reach.success[worst],
             reach.best[worst], world.state_names[reach.goals[worst]]);
  std::vector<double> map(world.S, 0);
  for (std::size_t i = 0; i < reach.goals.size(); ++i) map[reach.goals[i]] = reach.success[i];
  fmt::print(console.out, "\n  success\n\n{}",
             heat_map(world, map, console.colour ? Palette::colour : Palette::plain));
}

void show_goal(const Run& run, int goal, const ReachSettings& settings, bool json,
               const Console& console) {
  const TabularWorld& world = *run.world;
  const Reach reach = reach_goal(*run.learner, goal, settings);
  const Attempt one = attempt(*run.learner, goal, settings);
  std::vector<std::string> states, actions;
  for (int s : one.states) states.push_back(world.state_names[s]);
  for (int a : one.actions) actions.push_back(world.move_names[a]);
  if (json) {
    Json all = head_json(run, settings, reach);
    all.update(goal_json(world, reach, 0));
    all["path"] = states;
    all["moves"] = actions;
    all["reached"] = one.reached;
    fmt::print(console.out, "{}\n", all.dump(2));
    return;
  }
  fmt::print(console.out, "{}, {}, seed {}: from {} to {}, {}\n\n", world.name,
             run.learner->settings().algorithm, run.learner->settings().seed,
             world.state_names[world.s_0], world.state_names[goal], how_executed(settings));
  fmt::print(console.out, "  {:<8} {:>9.6f}  {}\n", "success", reach.success[0],
             reach.exact ? "exact"
                         : fmt::format("of {} options; between {:.4f} and {:.4f} (95 %)",
                                       settings.options, reach.low[0], reach.high[0]));
  fmt::print(console.out, "  {:<8} {:>9.6f}  the most that any policy can have\n\n", "best",
             reach.best[0]);
  fmt::print(console.out, "  one attempt: {}", states[0]);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    fmt::print(console.out, " {} {}", actions[i], states[i + 1]);
  }
  fmt::print(console.out, ": {}\n\n{}", one.reached ? "reached" : "not reached",
             route_map(world, one.states, goal));
}

void run_reach(const ReachOptions& options, const Console& console) {
  if (options.all == !options.goal.empty()) {
    fail_usage("Say where to: --goal GOAL, or --all, and not both.");
  }
  ReachSettings settings;
  Overrides overrides = options.common.overrides();
  overrides.apply("reach", settings);
  overrides.finish();
  if (options.greedy) settings.temperature = 0;
  const Run run = load_trained_run(options.run, warning_to(console));
  if (run.physics) {
    if (options.chain) {
      fail_usage("--chain needs a world with a table of states, and {} has none.",
                 run.physics->name);
    }
    return show_points(run, options.goal, settings, options.svg, options.common.json, console);
  }
  if (!options.svg.empty()) {
    fail_usage("--svg draws the film of a body, and {} has none.", run.world->name);
  }
  practise(*run.learner, settings);
  if (options.chain) {
    show_chains(run, options.goal, settings, options.common.json, console);
  } else if (options.all) {
    show_all(run, settings, options.common.json, console);
  } else {
    const int goal = find_goal(*run.world, options.goal);
    show_goal(run, goal, settings, options.common.json, console);
  }
}

}  // namespace

Action declare_reach(CLI::App& app) {
  auto options = std::make_shared<ReachOptions>();
  app.add_option("run", options->run, "the folder of a run, as vic train makes it")
      ->type_name("RUN")
      ->required();
  app.add_option("--goal", options->goal,
                 "where the option is to end: a state, or a point as distance=3,turns=-1")
      ->type_name("GOAL");
  app.add_flag("--all", options->all, "every goal in reach: a table and a map");
  app.add_flag("--greedy", options->greedy, "take the likeliest action: temperature 0");
  app.add_flag("--chain", options->chain,
               "go by several options, each from where the last one ended, as a planner says");
  app.add_option("--svg", options->svg, "draw the film of a body's option")->type_name("FILE");
  options->common.add_to(app);
  app.footer(settings_help({describe("reach", ReachSettings{})}));
  return [options](const Console& console) { run_reach(*options, console); };
}

}  // namespace vic
