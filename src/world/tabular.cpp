#include "world/tabular.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"

namespace vic {
namespace {

// decimal fractions such as 0.1 + 0.2 + 0.7 miss 1 by a few ulp; a typing error misses it by more
constexpr double sum_tolerance = 1e-9;

std::string plain_name(std::string_view text) {
  std::string name(text);
  std::erase(name, ' ');
  if (name.size() >= 2 && name.front() == '(' && name.back() == ')') {
    name = name.substr(1, name.size() - 2);
  }
  return name;
}

}  // namespace

int TabularWorld::draw(int s, int a, double u) const {
  // walk the outcomes until their probabilities exceed u; rounding leaves the last one
  int e = begin(s, a);
  for (double sum = p[e]; u >= sum && e + 1 < end(s, a); sum += p[e]) ++e;
  return e;
}

bool TabularWorld::deterministic() const {
  return std::adjacent_find(first.begin(), first.end(),
                            [](int begin, int end) { return end - begin > 1; }) == first.end();
}

std::vector<char> TabularWorld::reachable_in(int moves, std::vector<int> from) const {
  std::vector<char> seen(S, false);
  for (int s : from) seen[s] = true;
  for (int t = 0; t < moves && !from.empty(); ++t) {
    std::vector<int> entered;
    for (int s : from) {
      for (int e = begin(s); e < end(s); ++e) {
        if (seen[next[e]]) continue;
        seen[next[e]] = true;
        entered.push_back(next[e]);
      }
    }
    from = std::move(entered);
  }
  return seen;
}

std::vector<int> TabularWorld::final_states() const {
  std::vector<char> reachable = reachable_in(T_max - 1);
  if (!may_stop) {
    // an option ends where it is absorbed, or after exactly T_max - 1 moves
    std::vector<char> now(S, false);
    now[s_0] = true;
    for (int t = 0; t + 1 < T_max; ++t) {
      std::vector<char> then(S, false);
      for (int s = 0; s < S; ++s) {
        for (int e = begin(s); e < end(s) && now[s]; ++e) then[next[e]] = true;
      }
      now = std::move(then);
    }
    for (int s = 0; s < S; ++s) reachable[s] = now[s] || (reachable[s] && absorbing[s]);
  }
  std::vector<int> list;
  for (int s = 0; s < S; ++s) {
    if (reachable[s]) list.push_back(s);
  }
  return list;
}

std::optional<int> TabularWorld::state_named(std::string_view text) const {
  for (const std::string& wanted : {std::string(text), plain_name(text)}) {
    const auto found = std::find(state_names.begin(), state_names.end(), wanted);
    if (found != state_names.end()) return static_cast<int>(found - state_names.begin());
  }
  return std::nullopt;
}

int TabularWorld::find_state(std::string_view text) const {
  if (const std::optional<int> s = state_named(text)) return *s;
  // many states have similar names: the ends of the list help more than the closest name
  const std::size_t shown = std::min<std::size_t>(3, state_names.size());
  fail_usage("{} has no state '{}'; its states are {} to {}.", name, text,
             joined(std::span(state_names).first(shown), ", "), state_names.back());
}

TabularWorld started_at(TabularWorld world, std::string_view state) {
  const int s_0 = world.find_state(state);
  if (world.absorbing[s_0]) {
    fail_usage("{} of {} is absorbing: an option that starts there has no choice.",
               world.state_names[s_0], world.name);
  }
  return started_at(std::move(world), s_0);
}

TabularWorld started_at(TabularWorld world, int s_0) {
  world.s_0 = s_0;
  if (std::find(world.starts.begin(), world.starts.end(), s_0) == world.starts.end()) {
    world.starts.push_back(s_0);
  }
  return world;
}

WorldBuilder::WorldBuilder(std::string name, std::vector<std::string> move_names, int T_max) {
  world_.name = std::move(name);
  world_.A = static_cast<int>(move_names.size());
  world_.move_names = std::move(move_names);
  world_.T_max = T_max;
}

int WorldBuilder::add_state(std::string name, std::vector<double> coordinates) {
  if (world_.S > 0 && static_cast<int>(coordinates.size()) != world_.d) {
    fail_usage("State {} of {} has {} coordinates, the states before it have {}.", name,
               world_.name, coordinates.size(), world_.d);
  }
  for (double x : coordinates) {
    if (!std::isfinite(x)) {
      fail_usage("State {} of {} has a coordinate of {}.", name, world_.name, x);
    }
  }
  world_.d = static_cast<int>(coordinates.size());
  world_.coordinates.insert(world_.coordinates.end(), coordinates.begin(), coordinates.end());
  world_.state_names.push_back(std::move(name));
  world_.absorbing.push_back(false);
  world_.enter_reward.push_back(0);
  parts_.resize(parts_.size() + world_.A);
  return world_.S++;
}

void WorldBuilder::set_outcomes(int s, int move, std::span<const Outcome> outcomes) {
  parts_[s * world_.A + move] = {outcomes_.size(), outcomes_.size() + outcomes.size()};
  outcomes_.insert(outcomes_.end(), outcomes.begin(), outcomes.end());
}

void WorldBuilder::set_step_reward(double reward) {
  if (!std::isfinite(reward)) fail_usage("The step reward of {} is {}.", world_.name, reward);
  world_.has_reward |= reward != 0;
  world_.step_reward = reward;
}

void WorldBuilder::set_enter_reward(int s, double reward) {
  const std::string& state = world_.state_names[s];
  if (!std::isfinite(reward)) {
    fail_usage("The reward on entering {} of {} is {}.", state, world_.name, reward);
  }
  world_.has_reward |= reward != 0;
  world_.enter_reward[s] = reward;
}

TabularWorld WorldBuilder::build(int s_0) {
  if (world_.A < 1) fail_usage("{} has no moves; a world needs at least one.", world_.name);
  if (world_.S < 1) fail_usage("{} has no states; a world needs at least one.", world_.name);
  if (world_.T_max < 2) {
    fail_usage("{} has T_max = {}; it must be at least 2, one move and the termination.",
               world_.name, world_.T_max);
  }
  world_.first = {0};
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::size_t s = i / world_.A, a = i % world_.A;
    // merge repeated successors: a wall turns a move into staying, possibly an outcome already
    const Part part = world_.absorbing[s] ? Part{} : parts_[i];
    const std::span row(outcomes_.data() + part.begin, part.end - part.begin);
    std::ranges::sort(row, {}, &Outcome::next);
    double sum = 0;
    for (const Outcome& outcome : row) {
      const bool fits = outcome.next >= 0 && outcome.next < world_.S;
      if (!fits || !(outcome.p >= 0 && outcome.p <= 1 + sum_tolerance)) {
        fail_usage("{}: move {} in state {} has an outcome of probability {}; allowed is 0 to 1.",
                   world_.name, world_.move_names[a], world_.state_names[s], outcome.p);
      }
      sum += outcome.p;
      if (outcome.p == 0) continue;
      const bool repeated = static_cast<int>(world_.next.size()) > world_.first.back() &&
                            world_.next.back() == outcome.next;
      if (repeated) {
        world_.p.back() += outcome.p;
      } else {
        world_.next.push_back(outcome.next);
        world_.p.push_back(outcome.p);
      }
    }
    if (!world_.absorbing[s] && !(std::abs(sum - 1) <= sum_tolerance)) {
      fail_usage(
          "{}: the outcomes of move {} in state {} have probabilities that sum to {}, not 1.",
          world_.name, world_.move_names[a], world_.state_names[s], sum);
    }
    // make the sum 1 up to the rounding of division
    for (std::size_t e = world_.first.back(); e < world_.p.size(); ++e) world_.p[e] /= sum;
    world_.first.push_back(static_cast<int>(world_.next.size()));
  }
  return started_at(std::move(world_), s_0);
}

void check_size(std::string_view what, double states, double moves, double outcomes) {
  const double transitions = states * moves * outcomes;
  if (states <= static_cast<double>(largest_state_count) &&
      transitions <= static_cast<double>(largest_transition_count)) {
    return;
  }
  fail_usage("{} makes {:.0f} states and up to {:.0f} transitions; at most {} and {} are allowed.",
             what, states, transitions, largest_state_count, largest_transition_count);
}

}  // namespace vic
