#include "sim/survey.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <optional>

#include "base/process.h"
#include "base/random.h"

namespace vic {
namespace {

// option b of random actions: its states, (T + 1, n)
void play(std::vector<double>& states, const Simulator& simulator, Episodes& episode,
          std::uint64_t seed, int b) {
  const SimulatorSpec& spec = simulator.spec();
  std::vector<int> levels(static_cast<std::size_t>(spec.F()));
  states.clear();
  const auto look = [&] {
    const std::span<const double> state = episode.state(0);
    states.insert(states.end(), state.begin(), state.end());
  };
  episode.reset(seed, static_cast<std::uint32_t>(b));
  look();
  for (int t = 0; t < spec.T; ++t) {
    random_levels(simulator, seed, b, t, levels);
    episode.step(levels);
    look();
  }
}

}  // namespace

void Survey::add(const Behaviour& behaviour) {
  moments_.resize(behaviour.displacement.size());
  for (std::size_t k = 0; k < moments_.size(); ++k) {
    const double x = behaviour.displacement[k];
    auto& [sum, squares, min, max] = moments_[k];
    min = options_ == 0 ? x : std::min(min, x);
    max = options_ == 0 ? x : std::max(max, x);
    sum += x;
    squares += x * x;
  }
  height_max_ = options_ == 0 ? behaviour.height : std::max(height_max_, behaviour.height);
  forward_flips_ += behaviour.flips > 0;
  backflips_ += behaviour.flips < 0;
  two_turns_ += std::abs(behaviour.flips) >= 2;
  most_forward_flips_ = std::max(most_forward_flips_, behaviour.flips);
  most_backflips_ = std::max(most_backflips_, -behaviour.flips);
  ++cells_[behaviour.cell];
  const BehaviourCount none{behaviour.name, behaviour.kind, behaviour.kind_name, 0};
  ++behaviours_.try_emplace(behaviour.name, none).first->second.options;
  ++options_;
}

void Survey::add_failure(const std::string& message) {
  if (failures_ == 0) first_failure_ = message;
  ++failures_;
}

double Survey::share(long count) const {
  return static_cast<double>(count) / static_cast<double>(std::max(1L, options_));
}

CoordinateSummary Survey::coordinate(std::size_t k) const {
  if (k >= moments_.size()) return {};
  const auto& [sum, squares, min, max] = moments_[k];
  const auto n = static_cast<double>(std::max(1L, options_));
  const double mean = sum / n;
  return {mean, std::sqrt(std::max(0.0, squares / n - mean * mean)), min, max};
}

std::vector<long> Survey::cell_counts() const {
  std::vector<long> counts;
  for (const auto& [cell, count] : cells_) counts.push_back(count);
  return counts;
}

std::vector<BehaviourCount> Survey::behaviours() const {
  std::vector<BehaviourCount> list;
  for (const auto& [name, count] : behaviours_) list.push_back(count);
  std::ranges::stable_sort(list, std::greater(), &BehaviourCount::options);
  return list;
}

void random_levels(const Simulator& simulator, std::uint64_t seed, int b, int t,
                   std::span<int> levels) {
  const int L = simulator.spec().L();
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double u = uniform({.seed = seed,
                              .row = static_cast<std::uint32_t>(b),
                              .step = static_cast<std::uint32_t>(t),
                              .draw = static_cast<std::uint32_t>(i)});
    levels[i] = static_cast<int>(L * u);
  }
}

std::vector<double> random_option(const Simulator& simulator, std::uint64_t seed, int b) {
  const auto episode = simulator.make_episodes(/*B=*/1, /*threads=*/1);
  std::vector<double> states;
  play(states, simulator, *episode, seed, b);
  return states;
}

Survey random_survey(const Simulator& simulator, std::uint64_t seed, int options, int threads,
                     Stop stop) {
  struct Played {
    std::optional<Behaviour> behaviour;
    std::string failure;
  };
  std::vector<Played> outcomes(static_cast<std::size_t>(options));
  // shards long enough to be worth making an episode
  constexpr int shard = 100;
  run_each((options + shard - 1) / shard, threads, [&](int i, int) {
    const auto episode = simulator.make_episodes(/*B=*/1, /*threads=*/1);
    const auto viewer = simulator.make_viewer();
    std::vector<double> states;
    for (int b = i * shard; b < std::min((i + 1) * shard, options); ++b) {
      stop.check();
      try {
        play(states, simulator, *episode, seed, b);
        outcomes[b].behaviour = behaviour_of(simulator, *viewer, states);
      } catch (const SimulationError& error) {
        outcomes[b].failure = error.what();
      }
    }
  });
  Survey survey;
  for (const Played& outcome : outcomes) {
    if (outcome.behaviour) {
      survey.add(*outcome.behaviour);
    } else {
      survey.add_failure(outcome.failure);
    }
  }
  return survey;
}

}  // namespace vic
