#include "cli/reach_chain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/error.h"
#include "base/json.h"
#include "base/print.h"
#include "cli/heat_map.h"
#include "cli/run_head.h"
#include "eval/chain.h"

namespace vic {
namespace {

Json head(const Run& run, const OptionModel& model) {
  Json json = run_json(run);
  json["start"] = run.table().state_names[run.table().s_0];
  json["options_tried"] = model.entries.size();
  return json;
}

void show_one(const Run& run, int goal, const OptionModel& model, const ReachSettings& settings,
              const Console& console) {
  const TabularWorld& world = run.table();
  const Plan plan = plan_to(model, world.S, goal);
  const double planned = plan.moves[world.s_0], fewest = fewest_moves(world, goal)[world.s_0];
  if (std::isinf(planned)) {
    fail_usage("No chain of this run's options leads from {} to {}{}.",
               world.state_names[world.s_0], world.state_names[goal],
               std::isinf(fewest) ? ", and no moves do" : "");
  }
  const Journey journey = travel(run.learner->agent(), plan, model, settings, settings.chain);
  std::vector<std::string> stops;
  for (int s : journey.stops) stops.push_back(world.state_names[s]);
  const auto moves = journey.states.size() - 1;
  const auto json = [&] {
    Json all = head(run, model);
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

// how journeys to all destinations went
struct Journeys {
  int destinations = 0, arrived = 0;
  int by_one = 0;              // destinations that one option can reach
  double ratio = 0;            // sum over those that arrived: their moves to the fewest
  double options = 0;          // and the options they took
  std::vector<double> needed;  // (S) the share of a journey's moves that any policy needs
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

void show_all(const Run& run, const OptionModel& model, const ReachSettings& settings,
              const Console& console) {
  const TabularWorld& world = run.table();
  const OptionModel moves_of_the_world = single_moves(world);
  Journeys all;
  all.needed.resize(world.S, 0);
  for (int goal = 0; goal < world.S; ++goal) {
    const double fewest = plan_to(moves_of_the_world, world.S, goal).moves[world.s_0];
    if (goal == world.s_0 || std::isinf(fewest)) continue;
    ++all.destinations;
    all.by_one += fewest <= world.T_max - 1;
    const Plan plan = plan_to(model, world.S, goal);
    const Journey journey = travel(run.learner->agent(), plan, model, settings, settings.chain);
    const auto moves = static_cast<double>(journey.states.size() - 1);
    all.list.push_back(
        {{"goal", world.state_names[goal]},
         {"arrived", journey.arrived},
         {"options", journey.stops.size() - 1},
         {"moves", moves},
         {"planned_moves",
          std::isinf(plan.moves[world.s_0]) ? Json(nullptr) : Json(plan.moves[world.s_0])},
         {"fewest_moves", fewest}});
    if (!journey.arrived) continue;
    ++all.arrived;
    all.ratio += moves / fewest;
    all.options += static_cast<double>(journey.stops.size() - 1);
    all.needed[goal] = fewest / moves;
  }
  const auto json = [&] {
    Json document = head(run, model);
    document["destinations"] = all.destinations;
    document["arrived"] = all.arrived;
    document["mean_ratio"] = all.arrived > 0 ? Json(all.ratio / all.arrived) : Json(nullptr);
    document["journeys"] = all.list;
    return document;
  };
  console.show(json, [&] { print_journeys(run, all, console); });
}

}  // namespace

void show_chains(const Run& run, const std::string& goal, const ReachSettings& settings,
                 const Console& console) {
  const int destination = goal.empty() ? -1 : find_place(run.table(), goal);
  const OptionModel model = try_options(run.learner->agent(), settings, settings.tries);
  if (destination >= 0) {
    show_one(run, destination, model, settings, console);
  } else {
    show_all(run, model, settings, console);
  }
}

}  // namespace vic
