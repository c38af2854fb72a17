#include "eval/physics_reach.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "eval/evaluate.h"
#include "eval/physics_eval.h"
#include "method/fine_tuning.h"

namespace vic {
namespace {

std::span<const double> end_of(const PhysicsWorld& world, const std::vector<double>& states) {
  return std::span(states).last(static_cast<std::size_t>(world.n));
}

// how far a way ends from a goal, in bins
double miss(const PhysicsWorld& world, const PointGoal& goal, Way way) {
  const double distance = goal.distance ? std::abs(way.distance - *goal.distance) / world.bin : 0;
  const double turns = goal.turns ? std::abs(way.turns - *goal.turns) / world.turn_bin() : 0;
  return std::max(distance, turns);
}

// a cell, and the free option that ends closest to its middle
struct Place {
  BehaviourCell cell;
  std::size_t option = 0;
};

// by their turns, then by their places
std::vector<Place> places_of(const PhysicsWorld& world, const Unconditioned& free) {
  std::map<std::pair<int, int>, Place> places;
  for (std::size_t i = 0; i < free.ways.size(); ++i) {
    const BehaviourCell cell = rewarded_cell(world, free.ways[i]);
    const PointGoal middle{world.bin * cell.place, world.turn_bin() * cell.turns};
    const auto at = places.try_emplace({cell.turns, cell.place}, Place{cell, i}).first;
    std::size_t& option = at->second.option;
    if (miss(world, middle, free.ways[i]) < miss(world, middle, free.ways[option])) option = i;
  }
  std::vector<Place> list;
  for (const auto& [turns_and_place, place] : places) list.push_back(place);
  return list;
}

// sends `count` options to one state, (n), or one to each of many, (count, n)
Conditioned send(const Agent& agent, std::span<const double> s_f, int count,
                 const ReachSettings& settings) {
  const Actor actor = require_goal_policy(agent, settings.temperature);
  const std::unique_ptr<SimulatorSampler> sampler = make_simulator_sampler(agent);
  const int T = sampler->world().T;
  const auto n = static_cast<std::size_t>(sampler->world().n);
  const bool one_goal = s_f.size() == n;
  Batch batch;
  ActorWorkspace work;
  std::vector<Beginning> beginnings;
  Conditioned sent;
  for (std::uint32_t part = 0; static_cast<int>(sent.ways.size()) < count; ++part) {
    constexpr int largest_batch = 128;
    const std::size_t begin = sent.ways.size();
    const int B = std::min(largest_batch, count - static_cast<int>(begin));
    sampler->set_goals(one_goal ? s_f : s_f.subspan(begin * n, static_cast<std::size_t>(B) * n));
    beginnings.clear();
    for (int b = 0; b < B; ++b) beginnings.push_back({.goal = one_goal ? 0 : b});
    sampler->sample(batch, actor, work, beginnings,
                    {stream_seed(Stream::reach, settings.seed), part});
    const auto state = [&](int row) { return observed_state(batch, static_cast<int>(n), row); };
    for (int b = 0; b < B; ++b) sent.ways.push_back(sampler->way_to(state(T * B + b)));
    for (int t = 0; part == 0 && t <= T; ++t) {
      const std::span<const double> s = state(t * B);
      sent.first.insert(sent.first.end(), s.begin(), s.end());
    }
  }
  return sent;
}

// sends many options to where a free one ended; where nothing is drawn all would do the same
Conditioned send_to(const Agent& agent, const std::vector<double>& option,
                    const ReachSettings& settings) {
  const int count = settings.temperature == 0 ? 1 : settings.simulated_options;
  return send(agent, end_of(*agent.simulator(), option), count, settings);
}

template <class Arrived>
double share(const std::vector<Way>& ways, Arrived&& arrived) {
  return static_cast<double>(std::count_if(ways.begin(), ways.end(), arrived)) /
         static_cast<double>(ways.size());
}

// the share p of the options that arrived, with its interval where something was drawn
Success success_of(const Conditioned& sent, const ReachSettings& settings, double p) {
  if (settings.temperature == 0) return {p, {p, p}};
  return {p, wilson_interval(p, static_cast<double>(sent.ways.size()))};
}

}  // namespace

PointGoal parse_point_goal(const std::string& text) {
  PointGoal goal;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string name = part.substr(0, equals);
    std::optional<double>* number = name == "distance" ? &goal.distance
                                    : name == "turns"  ? &goal.turns
                                                       : nullptr;
    char* rest = nullptr;
    const std::string value = equals < part.size() ? part.substr(equals + 1) : "";
    const double x = std::strtod(value.c_str(), &rest);
    if (number == nullptr || value.empty() || *rest != '\0' || !std::isfinite(x)) {
      fail_usage(
          "The goal '{}' is not a point that an option can end at: say distance=3 (metres from the "
          "start), turns=-1 (backwards) or both, as in distance=3,turns=-1.",
          shown(text));
    }
    if (*number) fail_usage("The goal '{}' says {} twice.", shown(text), name);
    *number = x;
    begin = end + 1;
  }
  return goal;
}

bool is_close(const PhysicsWorld& world, const PointGoal& goal, Way way) {
  if (goal.distance && std::abs(way.distance - *goal.distance) > world.bin / 2) return false;
  if (!goal.turns) return true;
  if (world.pitch_bin > 0) return std::abs(way.turns - *goal.turns) <= world.pitch_bin / 2;
  return full_turns(way.turns, world.turn) == full_turns(*goal.turns, world.turn);
}

double CellReach::mean() const {
  double sum = 0;
  for (const Goal& goal : goals) sum += goal.success.share;
  return sum / static_cast<double>(goals.size());
}

Unconditioned sample_unconditioned(const Agent& agent, const ReachSettings& settings, int options) {
  const std::unique_ptr<SimulatorSampler> sampler = make_simulator_sampler(agent);
  Unconditioned free{sample_states(agent, options, settings.seed), {}};
  for (const std::vector<double>& states : free.options) {
    free.ways.push_back(sampler->way_to(end_of(sampler->world(), states)));
  }
  return free;
}

void fine_tune(Learner& learner, const Unconditioned& free, const ReachSettings& settings,
               const ReachProgress& progress) {
  if (settings.fine_tune == 0) return;
  require_goal_policy(learner.agent());
  const std::unique_ptr<SimulatorSampler> sampler = make_simulator_sampler(learner.agent());
  const PhysicsWorld& world = sampler->world();
  std::vector<double> s_f;
  std::vector<TrainingGoal> goals;
  std::set<int> numbers;
  for (const Place& place : places_of(world, free)) {
    const int number = cell_number(place.cell);
    // cells that are too far out are one, to the method as well
    if (!numbers.insert(number).second) continue;
    const std::span<const double> end = end_of(world, free.options[place.option]);
    s_f.insert(s_f.end(), end.begin(), end.end());
    goals.push_back({{.goal = static_cast<int>(goals.size())}, number});
  }
  sampler->set_goals(s_f);
  // as many options as the sampler needs for so many goals
  const int least = static_cast<int>(goals.size()) / world.T + 1;
  fine_tune(learner, *sampler, goals,
            {.updates = settings.fine_tune,
             .batch = std::max(learner.settings().batch, least),
             .learning_rate = settings.fine_tune_rate,
             .seed = settings.seed},
            [&](int update) {
              if (progress) progress(update + 1, settings.fine_tune);
            });
}

PointReach reach_point(const Agent& agent, const Unconditioned& free, const PointGoal& goal,
                       const ReachSettings& settings) {
  const PhysicsWorld& world = *agent.simulator();
  const auto miss_of = [&](std::size_t i) { return miss(world, goal, free.ways[i]); };
  const auto close = [&](const Way& way) { return is_close(world, goal, way); };
  const auto cell_of = [&](std::size_t i) { return rewarded_cell(world, free.ways[i]); };
  PointReach reach;
  reach.chance = share(free.ways, close);
  // one that is close enough is closer than any that is not
  const auto closer = [&](std::size_t i, std::size_t j) {
    const bool i_close = close(free.ways[i]), j_close = close(free.ways[j]);
    return i_close != j_close ? i_close : miss_of(i) < miss_of(j);
  };
  std::map<BehaviourCell, int> close_in;
  for (std::size_t i = 0; i < free.ways.size(); ++i) {
    if (closer(i, reach.closest)) reach.closest = i;
    if (close(free.ways[i])) ++close_in[cell_of(i)];
  }
  if (!goal_policy_of(agent)) return reach;
  std::size_t to = reach.closest;
  if (!close_in.empty()) {
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    const BehaviourCell most = std::max_element(close_in.begin(), close_in.end(), fewer)->first;
    for (std::size_t i = 0; i < free.ways.size(); ++i) {
      if (cell_of(i) == most && (cell_of(to) != most || closer(i, to))) to = i;
    }
  }
  reach.sent = send_to(agent, free.options[to], settings);
  reach.success = success_of(*reach.sent, settings, share(reach.sent->ways, close));
  const std::vector<Way>& ways = reach.sent->ways;
  const auto count = static_cast<double>(ways.size());
  for (const Way& way : ways) {
    if (goal.distance) reach.distance_error += std::abs(way.distance - *goal.distance) / count;
    if (goal.turns) reach.turns_error += std::abs(way.turns - *goal.turns) / count;
  }
  return reach;
}

CellReach reach_cells(const Agent& agent, const Unconditioned& free, const ReachSettings& settings,
                      const ReachProgress& progress) {
  const PhysicsWorld& world = *agent.simulator();
  const std::vector<Place> places = places_of(world, free);
  CellReach reach;
  for (const Place& place : places) {
    const auto inside = [&](const Way& way) { return rewarded_cell(world, way) == place.cell; };
    const Conditioned sent = send_to(agent, free.options[place.option], settings);
    reach.goals.push_back({place.cell, share(free.ways, inside),
                           success_of(sent, settings, share(sent.ways, inside))});
    if (progress) progress(static_cast<int>(reach.goals.size()), static_cast<int>(places.size()));
  }
  return reach;
}

OwnReach reach_own(const Agent& agent, const std::vector<std::vector<double>>& options,
                   const ReachSettings& settings) {
  const std::unique_ptr<SimulatorSampler> sampler = make_simulator_sampler(agent);
  const PhysicsWorld& world = sampler->world();
  std::vector<double> s_f;
  std::vector<BehaviourCell> cells;
  std::map<BehaviourCell, int> counts;
  for (const std::vector<double>& states : options) {
    const std::span<const double> end = end_of(world, states);
    s_f.insert(s_f.end(), end.begin(), end.end());
    cells.push_back(rewarded_cell(world, sampler->way_to(end)));
    ++counts[cells.back()];
  }
  const Conditioned sent = send(agent, s_f, static_cast<int>(options.size()), settings);
  int arrived = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    arrived += rewarded_cell(world, sent.ways[i]) == cells[i];
  }
  const auto N = static_cast<double>(options.size());
  OwnReach reach;
  reach.success = success_of(sent, settings, arrived / N);
  for (const auto& [where, count] : counts) {
    const auto k = static_cast<double>(count);
    reach.chance += k / N * (k - 1) / (N - 1);
  }
  return reach;
}

}  // namespace vic
