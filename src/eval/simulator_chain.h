// Chains of options in simulated worlds: each begins where the last one ended, pose and velocities
// included.
#pragma once

#include <vector>

#include "eval/simulator_reach.h"

namespace vic {

// A coordinate, and the index of the state's number that moves the whole body along it.
struct Translation {
  int coordinate = 0;
  int number = 0;
};

// The translations of a world that looks the same from everywhere, that is, without fixed parts;
// only for coordinates in metres. Empty if the world has distinct places.
std::vector<Translation> translations_of(const Simulator& world);

// The outcome of chains toward a point.
struct ChainReach {
  Success success;                  // those that arrived with one of their options
  double first = 0;                 // those that arrived with the first
  double fallen = 0;                // those that fell, which ends a chain
  double options = 0;               // of those that arrived: how many options, mean
  std::vector<Displacement> stops;  // of the first chain: where each of its options ended
  bool anew = false;                // each option counts places from where it begins
};

// Runs chains of up to settings.chain options toward a point. Each option is conditioned on the end
// of the unconditioned one that ends closest to the displacement that remains. In a world with
// translations, every option starts as if from the origin; in others it knows where it is. Throws a
// UsageError if the run has no goal policy.
ChainReach chain_to(const Agent& agent, const Unconditioned& unconditioned, const PointGoal& goal,
                    const ReachSettings& settings);

}  // namespace vic
