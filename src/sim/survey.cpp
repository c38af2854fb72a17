#include "sim/survey.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <optional>

#include "base/random.h"
#include "base/tasks.h"
#include "sim/mujoco/physics_episode.h"

namespace vic {
namespace {

void play(std::vector<double>& states, PhysicsEpisode& episode, const PhysicsWorld& world,
          std::uint64_t seed, int b) {
  const auto n = static_cast<std::size_t>(world.n);
  std::vector<int> levels(static_cast<std::size_t>(world.M));
  states.resize(n * static_cast<std::size_t>(world.T + 1));
  episode.reset();
  episode.state(std::span(states).first(n));
  for (int t = 0; t < world.T; ++t) {
    random_levels(world, seed, b, t, levels);
    episode.step(levels);
    episode.state(std::span(states).subspan(n * static_cast<std::size_t>(t + 1), n));
  }
}

}  // namespace

void Survey::add(const Behaviour& behaviour) {
  const double x = behaviour.distance;
  distance_min_ = options_ == 0 ? x : std::min(distance_min_, x);
  distance_max_ = options_ == 0 ? x : std::max(distance_max_, x);
  height_max_ = options_ == 0 ? behaviour.height : std::max(height_max_, behaviour.height);
  distance_sum_ += x;
  distance_squares_ += x * x;
  forward_flips_ += behaviour.flips > 0;
  backflips_ += behaviour.flips < 0;
  two_turns_ += std::abs(behaviour.flips) >= 2;
  most_forward_flips_ = std::max(most_forward_flips_, behaviour.flips);
  most_backflips_ = std::max(most_backflips_, -behaviour.flips);
  ++cells_[behaviour.cell];
  ++names_[behaviour.name];
  ++options_;
}

void Survey::add_failure(const std::string& message) {
  if (failures_ == 0) first_failure_ = message;
  ++failures_;
}

double Survey::share(long count) const {
  return static_cast<double>(count) / static_cast<double>(std::max(1L, options_));
}

double Survey::distance_mean() const {
  return distance_sum_ / static_cast<double>(std::max(1L, options_));
}

double Survey::distance_spread() const {
  const double mean = distance_mean();
  const double square = distance_squares_ / static_cast<double>(std::max(1L, options_));
  return std::sqrt(std::max(0.0, square - mean * mean));
}

std::vector<long> Survey::cell_counts() const {
  std::vector<long> counts;
  for (const auto& [cell, count] : cells_) counts.push_back(count);
  return counts;
}

std::vector<std::pair<std::string, long>> Survey::names() const {
  std::vector<std::pair<std::string, long>> list(names_.begin(), names_.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return list;
}

void random_levels(const PhysicsWorld& world, std::uint64_t seed, int b, int t,
                   std::span<int> levels) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double u = uniform({.seed = seed,
                              .row = static_cast<std::uint32_t>(b),
                              .step = static_cast<std::uint32_t>(t),
                              .draw = static_cast<std::uint32_t>(i)});
    levels[i] = static_cast<int>(world.L * u);
  }
}

std::vector<double> random_option(const PhysicsWorld& world, std::uint64_t seed, int b) {
  PhysicsEpisode episode(world);
  std::vector<double> states;
  play(states, episode, world, seed, b);
  return states;
}

Survey random_survey(const PhysicsWorld& world, std::uint64_t seed, int options, int threads) {
  struct Outcome {
    std::optional<Behaviour> behaviour;
    std::string failure;
  };
  std::vector<Outcome> outcomes(static_cast<std::size_t>(options));
  // shards long enough to be worth an mjData of their own
  constexpr int shard = 100;
  std::vector<std::function<void()>> tasks;
  for (int begin = 0; begin < options; begin += shard) {
    tasks.push_back([&, begin] {
      PhysicsEpisode episode(world);
      PhysicsBody body(world);
      std::vector<double> states;
      for (int b = begin; b < std::min(begin + shard, options); ++b) {
        try {
          play(states, episode, world, seed, b);
          outcomes[b].behaviour = behaviour_of(world, body, states);
        } catch (const SimulationError& error) {
          outcomes[b].failure = error.what();
        }
      }
    });
  }
  run_tasks(tasks, threads);
  Survey survey;
  for (const Outcome& outcome : outcomes) {
    if (outcome.behaviour) {
      survey.add(*outcome.behaviour);
    } else {
      survey.add_failure(outcome.failure);
    }
  }
  return survey;
}

}  // namespace vic
