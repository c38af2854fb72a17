#include "eval/reach.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/text.h"
#include "info/entropy.h"
#include "method/fine_tuning.h"
#include "oracle/reach.h"

namespace vic {
namespace {

void reach_exactly(Reach& reach, const Agent& agent, const HistoryTree& tree, double temperature,
                   const Step& step) {
  TreePolicy policy(require_goal_policy(agent), agent, tree);
  int begun = 0;
  const std::vector<double> p = success(tree.unrolled, reach.goals, [&](Policy& table, int goal) {
    step(begun++, static_cast<int>(reach.goals.size()));
    policy.fill(table, condition_for(agent, goal), temperature);
  });
  reach.exact = true;
  for (int goal : reach.goals) reach.success.push_back(p[goal]);
  reach.low = reach.high = reach.success;
}

void reach_by_sampling(Reach& reach, const Agent& agent, const ReachSettings& settings,
                       const Step& step) {
  const Actor actor = require_goal_policy(agent, settings.temperature);
  const std::unique_ptr<Sampler> sampler = make_sampler(agent);
  Batch batch;
  ActorWorkspace work;
  for (int goal : reach.goals) {
    const Beginning beginning{.state = agent.table().s_0, .goal = condition_for(agent, goal)};
    long reached = 0, sampled = 0;
    for (std::uint32_t part = 0; sampled < settings.options; ++part) {
      step(static_cast<int>(reach.success.size()), static_cast<int>(reach.goals.size()));
      constexpr long largest_batch = 1000;
      const std::vector<Beginning> beginnings(std::min(largest_batch, settings.options - sampled),
                                              beginning);
      // all goals share the same random numbers
      sampler->sample(batch, actor, work, beginnings,
                      {stream_seed(Stream::reach, settings.seed), part});
      for (int r = 0; r < batch.histories.rows(); ++r) {
        if (batch.histories.state[r] == goal) reached += batch.count(r);
      }
      sampled += batch.options;
    }
    const double n = static_cast<double>(sampled), p = static_cast<double>(reached) / n;
    const Interval in = wilson_interval(p, n);
    reach.success.push_back(p);
    reach.low.push_back(in.low);
    reach.high.push_back(in.high);
  }
}

double mean_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

// the coordinates that a text like "(3, -4)" names; empty if it names none
std::vector<double> point_named(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '(' || c == ')'; });
  std::vector<double> point;
  for (const std::string& part : split(text, ',')) {
    char* rest = nullptr;
    const double x = std::strtod(part.c_str(), &rest);
    if (part.empty() || *rest != '\0') return {};
    point.push_back(x);
  }
  return point;
}

int closest_state(const TabularWorld& world, std::span<const double> point) {
  std::vector<double> squares(world.S, 0);
  for (int s = 0; s < world.S; ++s) {
    for (int j = 0; j < world.d; ++j) {
      const double off = world.coordinates[s * world.d + j] - point[j];
      squares[s] += off * off;
    }
  }
  return static_cast<int>(std::ranges::min_element(squares) - squares.begin());
}

// the fewest moves from s_0 to a state; -1 if none lead there
int distance_to(const TabularWorld& world, int goal) {
  for (int moves = 0; moves <= world.S; ++moves) {
    if (world.reachable_in(moves)[goal]) return moves;
  }
  return -1;
}

}  // namespace

std::string how_executed(const ReachSettings& settings) {
  if (settings.replay) return "taking the actions of one that ended there";
  if (settings.temperature == 0) return "taking the likeliest action";
  if (settings.temperature == 1) return "drawing actions as learned";
  return fmt::format("drawing actions at temperature {:g}", settings.temperature);
}

double Reach::mean() const {
  return mean_of(success);
}

double Reach::best_mean() const {
  return mean_of(best);
}

int Reach::worst() const {
  int worst = 0;
  for (std::size_t i = 1; i < goals.size(); ++i) {
    if (best[i] - success[i] > best[worst] - success[worst]) worst = static_cast<int>(i);
  }
  return worst;
}

Actor require_goal_policy(const Agent& agent, double temperature) {
  if (const std::optional<Actor> actor = goal_policy_of(agent, temperature)) return *actor;
  fail_usage(
      "A run of the algorithm {} cannot be conditioned on a goal: it has no hindsight policy. "
      "Train with implicit, belief or mixture, or with transition where there is a table.",
      agent.algorithm->name);
}

void require_fine_tuning(const Agent& agent) {
  require_goal_policy(agent);
  if (agent.algorithm->policy_goal == GoalKind::skill) {
    fail_usage(
        "A run of the algorithm {} cannot be fine-tuned: it is conditioned on the number of a "
        "skill, and one skill serves several goals.",
        agent.algorithm->name);
  }
}

void fine_tune(Learner& learner, const ReachSettings& settings, const Step& step) {
  if (settings.fine_tune == 0) return;
  const Agent& agent = learner.agent();
  require_fine_tuning(agent);
  std::vector<TrainingGoal> goals;
  for (int goal : agent.table().final_states()) {
    goals.push_back({{.state = agent.table().s_0, .goal = goal}, goal});
  }
  fine_tune(learner, *make_sampler(agent), goals,
            {.updates = settings.fine_tune,
             .learning_rate = settings.fine_tune_rate,
             .seed = settings.seed},
            [&](int update) {
              settings.stop.check();
              if (step) step(update + 1, settings.fine_tune);
            });
}

Reach reach(const Agent& agent, std::vector<int> goals, const ReachSettings& settings,
            const std::optional<HistoryTree>& tree, const Step& step) {
  const Step checked = [&](int done, int all) {
    settings.stop.check();
    if (step) step(done, all);
  };
  Reach out;
  out.goals = std::move(goals);
  const std::vector<double> best = best_success(agent.table(), settings.stop);
  for (int goal : out.goals) out.best.push_back(best[goal]);
  if (tree) {
    reach_exactly(out, agent, *tree, settings.temperature, checked);
  } else {
    reach_by_sampling(out, agent, settings, checked);
  }
  return out;
}

Reach reach_all(const Agent& agent, const ReachSettings& settings, const Step& step) {
  const auto tree = enumerate_tree(agent.table(), settings.histories);
  return reach(agent, agent.table().final_states(), settings, tree, step);
}

Reach reach_goal(const Agent& agent, int goal, const ReachSettings& settings) {
  return reach(agent, {goal}, settings, enumerate_tree(agent.table(), settings.histories));
}

Attempt attempt(const Agent& agent, int goal, const ReachSettings& settings, int k) {
  Batch batch;
  ActorWorkspace work;
  const Beginning beginning{.state = agent.table().s_0, .goal = condition_for(agent, goal)};
  make_sampler(agent)->sample(
      batch, require_goal_policy(agent, settings.temperature), work, std::span(&beginning, 1),
      {stream_seed(Stream::attempt, settings.seed), static_cast<std::uint32_t>(k)});
  // a batch of one option is a chain of rows
  const Histories& chain = batch.histories;
  return {.states = chain.state,
          .actions = {chain.action.begin() + 1, chain.action.end()},
          .reached = chain.state.back() == goal};
}

int find_place(const TabularWorld& world, const std::string& text) {
  const std::optional<int> known = world.state_named(text);
  if (known) return *known;
  const std::vector<double> point = point_named(text);
  if (world.d == 0 || static_cast<int>(point.size()) != world.d) return world.find_state(text);
  const int closest = closest_state(world, point);
  const auto at = world.coordinates.begin() + static_cast<std::ptrdiff_t>(closest) * world.d;
  if (std::equal(point.begin(), point.end(), at)) return closest;
  // if the name is a point: is it on the map at all, and could a state be there?
  bool inside = true, whole = true;
  for (int j = 0; j < world.d; ++j) {
    double low = world.coordinates[j], high = low;
    for (int s = 0; s < world.S; ++s) {
      low = std::min(low, world.coordinates[s * world.d + j]);
      high = std::max(high, world.coordinates[s * world.d + j]);
    }
    inside = inside && low <= point[j] && point[j] <= high;
    whole = whole && point[j] == std::round(point[j]);
  }
  if (inside && !whole) {
    fail_usage("The goal {} lies between the states of {}; the closest is {}.", text, world.name,
               world.state_names[closest]);
  }
  fail_usage("The goal {} is {} of {}; a goal is a state of the world.", text,
             inside ? "a wall" : "outside the map", world.name);
}

int find_goal(const TabularWorld& world, const std::string& text) {
  const int goal = find_place(world, text);
  const std::vector<int> goals = world.final_states();
  if (!std::binary_search(goals.begin(), goals.end(), goal)) {
    const int moves = distance_to(world, goal);
    fail_usage("The goal {} is out of reach from {} in {}: {}.", text, world.state_names[world.s_0],
               world.name,
               moves < 0 ? std::string("no moves lead there")
                         : fmt::format("it takes {} moves at least, and an option has {}", moves,
                                       world.T_max - 1));
  }
  return goal;
}

}  // namespace vic
