// The simulation of an update alone, as a learner steps it: shards of options, each of which takes
// its actions together.
#pragma once

#include <span>
#include <vector>

#include "sim/simulator.h"

namespace vic {

// Actions (T, options, F) of some options that are stepped together.
using Levels = std::vector<int>;

struct Stepping {
  double wall = 0, processor = 0;  // seconds
  std::vector<double> end;         // (B, n) final states
};

// Shard by shard; a free thread takes the next.
Stepping step_shards(const Simulator& world, std::span<const Levels> shards, int threads);

// Random actions of so many options, all together.
Levels draw_levels(const Simulator& world, int options);

// The same actions in shards of 16 options, which their number is a multiple of.
std::vector<Levels> cut_levels(const Simulator& world, std::span<const int> levels);

}  // namespace vic
