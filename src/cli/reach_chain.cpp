#include "cli/reach_chain.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <cmath>

#include "base/error.h"
#include "base/json.h"
#include "cli/heat_map.h"
#include "eval/chain.h"

namespace vic {
namespace {

Json head(const Run& run, const LeapModel& model) {
  return {{"world", run.world->name},
          {"algorithm", run.learner->settings().algorithm},
          {"seed", run.learner->settings().seed},
          {"start", run.world->state_names[run.world->s_0]},
          {"options_tried", model.leaps.size()}};
}

void show_one(const Run& run, int goal, const LeapModel& model, const ReachSettings& settings,
              bool json, const Console& console) {
  const TabularWorld& world = *run.world;
  const Plan plan = plan_to(model, world.S, goal);
  const double planned = plan.moves[world.s_0], fewest = fewest_moves(world, goal)[world.s_0];
  if (std::isinf(planned)) {
    fail_usage("No chain of this run's options leads from {} to {}{}.",
               world.state_names[world.s_0], world.state_names[goal],
               std::isinf(fewest) ? ", and no moves do" : "");
  }
  const Journey journey = travel(*run.learner, plan, model, settings, settings.chain);
  std::vector<std::string> stops;
  for (int s : journey.stops) stops.push_back(world.state_names[s]);
  const auto moves = journey.states.size() - 1;
  if (json) {
    Json all = head(run, model);
    all["goal"] = world.state_names[goal];
    all["planned_moves"] = planned;
    all["fewest_moves"] = fewest;
    all["moves"] = moves;
    all["arrived"] = journey.arrived;
    all["stops"] = stops;
    fmt::print(console.out, "{}\n", all.dump(2));
    return;
  }
  fmt::print(console.out, "{}, {}, seed {}: from {} to {} by several options\n\n", world.name,
             run.learner->settings().algorithm, run.learner->settings().seed,
             world.state_names[world.s_0], world.state_names[goal]);
  fmt::print(console.out, "  {:<14} {:>8.3f}  by the planner, from {} options that it tried\n",
             "expected moves", planned, model.leaps.size());
  fmt::print(console.out, "  {:<14} {:>8.3f}  that any policy needs\n\n", "fewest moves", fewest);
  fmt::print(console.out, "  one journey: {}: {} after {} options and {} moves\n\n{}",
             fmt::join(stops, " - "), journey.arrived ? "arrived" : "not arrived",
             journey.stops.size() - 1, moves, route_map(world, journey.states, goal));
}

void show_all(const Run& run, const LeapModel& model, const ReachSettings& settings, bool json,
              const Console& console) {
  const TabularWorld& world = *run.world;
  const LeapModel moves_of_the_world = single_moves(world);
  std::vector<double> needed(world.S, 0);  // the share of a journey's moves that any policy needs
  int destinations = 0, arrived = 0, by_one = 0;
  double ratio = 0, options = 0;
  Json list = Json::array();
  for (int goal = 0; goal < world.S; ++goal) {
    const double fewest = plan_to(moves_of_the_world, world.S, goal).moves[world.s_0];
    if (goal == world.s_0 || std::isinf(fewest)) continue;
    ++destinations;
    by_one += fewest <= world.T_max - 1;
    const Plan plan = plan_to(model, world.S, goal);
    const Journey journey = travel(*run.learner, plan, model, settings, settings.chain);
    const auto moves = static_cast<double>(journey.states.size() - 1);
    list.push_back(
        {{"goal", world.state_names[goal]},
         {"arrived", journey.arrived},
         {"options", journey.stops.size() - 1},
         {"moves", moves},
         {"planned_moves",
          std::isinf(plan.moves[world.s_0]) ? Json(nullptr) : Json(plan.moves[world.s_0])},
         {"fewest_moves", fewest}});
    if (!journey.arrived) continue;
    ++arrived;
    ratio += moves / fewest;
    options += static_cast<double>(journey.stops.size() - 1);
    needed[goal] = fewest / moves;
  }
  if (json) {
    Json all = head(run, model);
    all["destinations"] = destinations;
    all["arrived"] = arrived;
    all["mean_ratio"] = arrived > 0 ? Json(ratio / arrived) : Json(nullptr);
    all["journeys"] = std::move(list);
    fmt::print(console.out, "{}\n", all.dump(2));
    return;
  }
  fmt::print(console.out, "{}, {}, seed {}: a journey from {} to every other state\n\n", world.name,
             run.learner->settings().algorithm, run.learner->settings().seed,
             world.state_names[world.s_0]);
  fmt::print(console.out, "  {:<14} {:>8}  of which {} are in reach of one option\n",
             "destinations", destinations, by_one);
  fmt::print(console.out, "  {:<14} {:>8}  {:.1f} %\n", "arrived", arrived,
             100.0 * arrived / std::max(1, destinations));
  if (arrived > 0) {
    fmt::print(console.out, "  {:<14} {:>8.3f}  moves, in those of the shortest way\n", "cost",
               ratio / arrived);
    fmt::print(console.out, "  {:<14} {:>8.3f}  a journey\n", "options", options / arrived);
  }
  fmt::print(console.out, "\n  the shortest way's share of the moves made\n\n{}",
             heat_map(world, needed, console.colour ? Palette::colour : Palette::plain));
}

}  // namespace

void show_chains(const Run& run, const std::string& goal, const ReachSettings& settings, bool json,
                 const Console& console) {
  const int destination = goal.empty() ? -1 : find_place(*run.world, goal);
  const LeapModel model = try_options(*run.learner, settings, settings.tries);
  if (destination >= 0) {
    show_one(run, destination, model, settings, json, console);
  } else {
    show_all(run, model, settings, json, console);
  }
}

}  // namespace vic
