#include "oracle/open_loop.h"

#include <algorithm>
#include <cmath>

#include "info/capacity.h"

namespace vic {
namespace {

// one sequence of exactly T_max - 1 moves to each state that it can lead to
std::vector<std::vector<int>> whole_sequences(const TabularWorld& world) {
  std::vector<std::optional<std::vector<int>>> now(world.S);
  now[world.s_0].emplace();
  for (int t = 0; t + 1 < world.T_max; ++t) {
    std::vector<std::optional<std::vector<int>>> then(world.S);
    for (int s = 0; s < world.S; ++s) {
      for (int a = 0; a < world.A && now[s]; ++a) {
        auto& to = then[world.absorbing[s] ? s : world.next[world.begin(s, a)]];
        if (to) continue;
        to = now[s];
        to->push_back(a);
      }
    }
    now = std::move(then);
  }
  std::vector<std::vector<int>> sequences;
  for (auto& sequence : now) {
    if (sequence) sequences.push_back(std::move(*sequence));
  }
  return sequences;
}

// one shortest sequence to each state that can be reached in time
std::vector<std::vector<int>> shortest_sequences(const TabularWorld& world) {
  std::vector<char> seen(world.S, false);
  seen[world.s_0] = true;
  std::vector<int> states = {world.s_0};
  std::vector<std::vector<int>> sequences = {{}};
  // both lists are queues that grow while they are walked
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (static_cast<int>(sequences[i].size()) + 1 >= world.T_max) break;
    for (int e = world.begin(states[i]); e < world.end(states[i]); ++e) {
      const int s_next = world.next[e];
      if (seen[s_next]) continue;
      seen[s_next] = true;
      states.push_back(s_next);
      // deterministic: transition number k of a state belongs to move k
      sequences.push_back(sequences[i]);
      sequences.back().push_back(e - world.begin(states[i]));
    }
  }
  return sequences;
}

// every sequence of fewer than T_max moves, with the distribution of s_f it leads to
Channel enumerate(const TabularWorld& world, std::vector<std::vector<int>>& sequences, Stop stop) {
  std::vector<std::vector<double>> ends = {follow(world, {})};
  sequences = {{}};
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (static_cast<int>(sequences[i].size()) + 1 >= world.T_max) break;
    stop.check();
    for (int a = 0; a < world.A; ++a) {
      ends.push_back(advance(world, ends[i], a));
      sequences.push_back(sequences[i]);
      sequences.back().push_back(a);
    }
  }
  if (!world.may_stop) {
    // the shorter ones were only needed to extend them
    const auto whole = static_cast<long>(count_sequences(world));
    sequences.erase(sequences.begin(), sequences.end() - whole);
    ends.erase(ends.begin(), ends.end() - whole);
  }
  const std::vector<int> states = world.final_states();
  Channel channel{.inputs = static_cast<int>(sequences.size()),
                  .outputs = static_cast<int>(states.size()),
                  .w = {}};
  for (const std::vector<double>& end : ends) {
    for (int s : states) channel.w.push_back(end[s]);
  }
  return channel;
}

}  // namespace

std::vector<double> advance(const TabularWorld& world, const std::vector<double>& p, int move) {
  std::vector<double> after(world.S, 0);
  for (int s = 0; s < world.S; ++s) {
    if (p[s] == 0) continue;
    if (world.absorbing[s]) after[s] += p[s];
    for (int e = world.begin(s, move); e < world.end(s, move); ++e) {
      after[world.next[e]] += p[s] * world.p[e];
    }
  }
  return after;
}

double count_sequences(const TabularWorld& world) {
  if (!world.may_stop) return std::pow(world.A, world.T_max - 1);
  double sum = 0;
  for (int moves = 0; moves < world.T_max && std::isfinite(sum); ++moves) {
    sum += std::pow(world.A, moves);
  }
  return sum;
}

std::vector<double> follow(const TabularWorld& world, const std::vector<int>& sequence) {
  std::vector<double> p(world.S, 0);
  p[world.s_0] = 1;
  for (int move : sequence) p = advance(world, p, move);
  return p;
}

std::optional<OpenLoop> open_loop_capacity(const TabularWorld& world,
                                           const OpenLoopLimits& limits) {
  const double count = count_sequences(world);
  // a sequence takes a row of S numbers, and the whole channel must fit in memory
  constexpr double largest_channel = 1 << 26;
  OpenLoop best;
  if (count <= limits.sequences && count * world.S <= largest_channel) {
    const Channel channel = enumerate(world, best.sequences, limits.stop);
    const Capacity capacity =
        channel_capacity(channel, limits.gap, limits.work, limits.stop, limits.enough);
    best.value = capacity.lower;
    best.gap = std::max(0.0, capacity.upper - capacity.lower);
    best.p = capacity.input;
    return best;
  }
  if (!world.deterministic()) return std::nullopt;
  best.sequences = world.may_stop ? shortest_sequences(world) : whole_sequences(world);
  best.value = std::log(static_cast<double>(best.sequences.size()));
  best.p.assign(best.sequences.size(), 1.0 / static_cast<double>(best.sequences.size()));
  return best;
}

}  // namespace vic
