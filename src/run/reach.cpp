#include "run/reach.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.h"
#include "method/practice.h"
#include "oracle/reach.h"
#include "run/policy_table.h"

namespace vic {
namespace {

// far from the addresses of training and of evaluation
std::uint64_t seed_of(const ReachSettings& settings) {
  return (std::uint64_t{3} << 32) + static_cast<std::uint64_t>(settings.seed);
}

// Wilson's interval: right near 0 and 1 too
void add_interval(Reach& reach, double p, double n) {
  constexpr double z = 1.96;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  // at the ends the two agree up to rounding, and must not leave the estimate outside
  reach.low.push_back(std::min(p, std::max(0.0, middle - half)));
  reach.high.push_back(std::max(p, std::min(1.0, middle + half)));
}

void reach_exactly(Reach& reach, Learner& learner, const Histories& histories, double temperature) {
  const Unrolled unrolled = *unroll_histories(learner.world(), histories.rows());
  // before the tree is read: the models are asked one thing at a time
  std::map<int, int> told;
  for (int goal : reach.goals) told[goal] = learner.told_for(goal);
  TreePolicy tree(goal_policy(learner), learner.encoding(), unrolled, histories);
  const std::vector<double> p = success(unrolled, reach.goals, [&](Policy& table, int goal) {
    tree.fill(table, told[goal], temperature);
  });
  reach.exact = true;
  for (int goal : reach.goals) reach.success.push_back(p[goal]);
  reach.low = reach.high = reach.success;
}

void reach_by_drawing(Reach& reach, Learner& learner, const ReachSettings& settings) {
  const TabularWorld& world = learner.world();
  Predictor& policy = goal_policy(learner);
  Rollout rollout(world, learner.encoding(), settings.temperature);
  Batch batch;
  HistoryInputs<float> inputs;
  for (int goal : reach.goals) {
    const int told = learner.told_for(goal);
    long reached = 0, drawn = 0;
    for (std::uint32_t part = 0; drawn < settings.options; ++part) {
      constexpr long largest_batch = 1000;
      const std::vector<Beginning> beginnings(std::min(largest_batch, settings.options - drawn),
                                              {.state = world.s_0, .told = told});
      // every goal is sent for with the same random numbers
      rollout.draw(batch, inputs, policy, beginnings, {seed_of(settings), part});
      for (int r = 0; r < batch.histories.rows(); ++r) {
        if (batch.histories.state[r] == goal) reached += batch.ended[r];
      }
      drawn += batch.options;
    }
    reach.success.push_back(static_cast<double>(reached) / static_cast<double>(drawn));
    add_interval(reach, reach.success.back(), static_cast<double>(drawn));
  }
}

Reach reach(Learner& learner, std::vector<int> goals, const ReachSettings& settings) {
  Reach out;
  out.goals = std::move(goals);
  const std::vector<double> best = best_success(learner.world());
  for (int goal : out.goals) out.best.push_back(best[goal]);
  if (const auto histories = enumerate_histories(learner.world(), settings.histories)) {
    reach_exactly(out, learner, *histories, settings.temperature);
  } else {
    reach_by_drawing(out, learner, settings);
  }
  return out;
}

double mean_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

// the coordinates that a text like "(3, -4)" names; empty where it names none
std::vector<double> point_named(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '(' || c == ')'; });
  std::vector<double> point;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    char* rest = nullptr;
    const double x = std::strtod(part.c_str(), &rest);
    if (part.empty() || *rest != '\0') return {};
    point.push_back(x);
    begin = end + 1;
  }
  return point;
}

// the fewest moves from s_0 to a state; -1 where none lead there
int distance_to(const TabularWorld& world, int goal) {
  for (int moves = 0; moves <= world.S; ++moves) {
    if (world.reachable_in(moves)[goal]) return moves;
  }
  return -1;
}

}  // namespace

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

Predictor& goal_policy(Learner& learner) {
  if (Predictor* policy = learner.goal_policy()) return *policy;
  fail_usage(
      "A run of the algorithm {} cannot be sent to a goal: it has no policy in hindsight. Train "
      "with implicit, transition or mixture.",
      learner.settings().algorithm);
}

void practise(Learner& learner, const ReachSettings& settings) {
  const std::vector<int> goals = learner.world().final_states();
  practise(goal_policy(learner), learner.world(), learner.encoding(), goals,
           {.updates = settings.practice,
            .learning_rate = settings.practice_rate,
            .seed = settings.seed});
}

Reach reach_all(Learner& learner, const ReachSettings& settings) {
  return reach(learner, learner.world().final_states(), settings);
}

Reach reach_goal(Learner& learner, int goal, const ReachSettings& settings) {
  return reach(learner, {goal}, settings);
}

Attempt attempt(Learner& learner, int goal, const ReachSettings& settings, int k) {
  const TabularWorld& world = learner.world();
  Rollout rollout(world, learner.encoding(), settings.temperature);
  Batch batch;
  HistoryInputs<float> inputs;
  const std::vector<Beginning> beginnings(1, {.state = world.s_0, .told = learner.told_for(goal)});
  rollout.draw(batch, inputs, goal_policy(learner), beginnings,
               {seed_of(settings) + (std::uint64_t{1} << 40), static_cast<std::uint32_t>(k)});
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
  // a name that is a place: is it on the map at all?
  bool inside = true;
  for (int j = 0; j < world.d; ++j) {
    double low = world.coordinates[j], high = low;
    for (int s = 0; s < world.S; ++s) {
      low = std::min(low, world.coordinates[s * world.d + j]);
      high = std::max(high, world.coordinates[s * world.d + j]);
    }
    inside = inside && low <= point[j] && point[j] <= high;
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
