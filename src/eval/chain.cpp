#include "eval/chain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.h"

namespace vic {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// the cost of an option given the `value` of its ends; ending where it began only costs moves
double cost(const OptionModelEntry& option, const std::vector<double>& value) {
  double sum = option.moves, stay = 0;
  for (const OptionModelEntry::End& end : option.ends) {
    if (end.state == option.from) {
      stay += end.p;
    } else {
      sum += end.p * value[end.state];
    }
  }
  return stay < 1 ? sum / (1 - stay) : never;
}

// a longer journey than this has no plan: from some states the expected number of moves is
// astronomical
constexpr double most_moves = 1e5;

// improves the value of each state in turn; returns the largest change, as a share of the value
double sweep(Plan& plan, const OptionModel& model) {
  double change = 0;
  for (int s = 0; s < static_cast<int>(plan.moves.size()); ++s) {
    if (s == plan.destination) continue;
    const double before = std::exchange(plan.moves[s], never);
    double best = never;
    for (int k = model.first[s]; k < model.first[s + 1]; ++k) {
      const double moves = cost(model.entries[k], plan.moves);
      if (moves >= best || moves > most_moves) continue;
      best = moves;
      plan.option[s] = k;
    }
    plan.moves[s] = best;
    if (best == never) plan.option[s] = -1;
    if (best == before) continue;
    change = std::max(change, best == never ? 1 : std::abs(best - before) / (1 + best));
  }
  return change;
}

// the states from which some choice of options arrives with probability 1
std::vector<char> certain_states(const OptionModel& model, int S, int destination) {
  std::vector<char> certain(S, 1), arrives;
  do {
    if (!arrives.empty()) certain = arrives;
    arrives.assign(S, 0);
    arrives[destination] = 1;
    const auto within = [&](const auto& end) { return certain[end.state] != 0; };
    const auto arrived = [&](const auto& end) { return arrives[end.state] != 0; };
    for (bool grew = true; grew;) {
      grew = false;
      for (const OptionModelEntry& option : model.entries) {
        if (arrives[option.from] != 0 || !std::ranges::all_of(option.ends, within) ||
            !std::ranges::any_of(option.ends, arrived)) {
          continue;
        }
        arrives[option.from] = 1;
        grew = true;
      }
    }
  } while (arrives != certain);
  return certain;
}

// what a policy can be conditioned on in s: a state in which an option can end, or a skill
std::vector<int> options_from(const Agent& agent, int s) {
  if (agent.algorithm->policy_goal == GoalKind::none) {
    std::vector<int> goals = started_at(agent.table(), s).final_states();
    std::erase(goals, s);
    return goals;
  }
  std::vector<int> skills(agent.settings.skills);
  std::iota(skills.begin(), skills.end(), 0);
  return skills;
}

// sums up the options of a batch, one entry per root
void add_outcomes(std::vector<OptionModelEntry>& entries, const Batch& batch) {
  const Histories& tree = batch.histories;
  std::vector<std::map<int, double>> ends(tree.roots());
  std::vector<double> moves(tree.roots(), 0), options(tree.roots(), 0);
  for (int t = 0, r = 0; t < tree.levels(); ++t) {
    for (; r < tree.first[t + 1]; ++r) {
      if (batch.ended[r] == 0) continue;
      ends[tree.root[r]][tree.state[r]] += batch.ended[r];
      moves[tree.root[r]] += batch.ended[r] * t;
      options[tree.root[r]] += batch.ended[r];
    }
  }
  for (int root = 0; root < tree.roots(); ++root) {
    OptionModelEntry option{tree.state[root], batch.goal[root], moves[root] / options[root], {}};
    for (const auto& [s, count] : ends[root]) option.ends.push_back({s, count / options[root]});
    entries.push_back(std::move(option));
  }
}

}  // namespace

OptionModel try_options(const Agent& agent, const ReachSettings& settings, int tries) {
  const TabularWorld& world = agent.table();
  if (agent.settings.starts != Starts::all) {
    fail_usage(
        "Options can only be chained if they were learned everywhere; train with "
        "--set train.starts=all.");
  }
  const Actor actor = require_goal_policy(agent, settings.temperature);
  const std::unique_ptr<Sampler> sampler = make_sampler(agent);
  Batch batch;
  ActorWorkspace work;
  std::vector<Beginning> beginnings;
  OptionModel model;
  for (int s = 0; s < world.S; ++s) {
    settings.stop.check();
    model.first.push_back(static_cast<int>(model.entries.size()));
    if (world.absorbing[s]) continue;
    beginnings.clear();
    for (int option : options_from(agent, s)) {
      beginnings.insert(beginnings.end(), tries, {.state = s, .goal = option});
    }
    if (beginnings.empty()) continue;
    sampler->sample(batch, actor, work, beginnings,
                    {stream_seed(Stream::chain, settings.seed), static_cast<std::uint32_t>(s)});
    add_outcomes(model.entries, batch);
  }
  model.first.push_back(static_cast<int>(model.entries.size()));
  return model;
}

Plan plan_to(const OptionModel& model, int S, int destination, Stop stop) {
  Plan plan{destination, std::vector<double>(S, never), std::vector<int>(S, -1)};
  const auto converge = [&] {
    plan.moves[destination] = 0;
    while (sweep(plan, model) > 1e-9) stop.check();
  };
  converge();
  if (std::ranges::count(plan.moves, never) == 0) return plan;
  // where each option may lead back no value is the first to be known: from below they all grow
  // to what they are
  const std::vector<char> certain = certain_states(model, S, destination);
  for (int s = 0; s < S; ++s) plan.moves[s] = certain[s] != 0 ? 0 : never;
  converge();
  return plan;
}

OptionModel single_moves(const TabularWorld& world) {
  OptionModel model;
  for (int s = 0; s < world.S; ++s) {
    model.first.push_back(static_cast<int>(model.entries.size()));
    for (int a = 0; a < world.A; ++a) {
      OptionModelEntry move{s, a, 1, {}};
      for (int e = world.first[s * world.A + a]; e < world.first[s * world.A + a + 1]; ++e) {
        move.ends.push_back({world.next[e], world.p[e]});
      }
      if (!move.ends.empty()) model.entries.push_back(std::move(move));
    }
  }
  model.first.push_back(static_cast<int>(model.entries.size()));
  return model;
}

std::vector<double> fewest_moves(const TabularWorld& world, int destination) {
  return plan_to(single_moves(world), world.S, destination).moves;
}

Journey travel(const Agent& agent, const Plan& plan, const OptionModel& model,
               const ReachSettings& settings, int options) {
  const TabularWorld& world = agent.table();
  const Actor actor = require_goal_policy(agent, settings.temperature);
  const std::unique_ptr<Sampler> sampler = make_sampler(agent);
  Batch batch;
  ActorWorkspace work;
  Journey journey{{world.s_0}, {world.s_0}, world.s_0 == plan.destination};
  for (int k = 0; k < options && !journey.arrived; ++k) {
    settings.stop.check();
    const int s = journey.stops.back();
    if (plan.option[s] < 0) break;
    const Beginning beginning{.state = s, .goal = model.entries[plan.option[s]].goal};
    sampler->sample(batch, actor, work, std::span(&beginning, 1),
                    {stream_seed(Stream::journey, settings.seed), static_cast<std::uint32_t>(k)});
    // a batch of one option is a chain of rows
    const std::vector<int>& states = batch.histories.state;
    journey.states.insert(journey.states.end(), states.begin() + 1, states.end());
    journey.stops.push_back(states.back());
    journey.arrived = states.back() == plan.destination;
  }
  return journey;
}

}  // namespace vic
