// Chains of options in simulated worlds: each begins where the last one ended, pose and velocities
// included.
#pragma once

#include <vector>

#include "eval/simulator_reach.h"

namespace vic {

// The number of the state that moves the whole of a body along a coordinate, and the coordinate.
struct Translation {
  int coordinate = 0;
  int number = 0;
};

// Those of a world that looks the same from everywhere: without parts that are fixed. Coordinates
// in metres alone; none where the world has places of its own.
std::vector<Translation> translations_of(const Simulator& world);

// How chains went that were sent to a point.
struct ChainReach {
  Success success;                  // those that arrived with one of their options
  double first = 0;                 // those that arrived with the first
  double fallen = 0;                // those that fell, which ends a chain
  double options = 0;               // of those that arrived: how many options, mean
  std::vector<Displacement> stops;  // of the first chain: where each of its options ended
  bool anew = false;                // places are counted from where an option begins
};

// Sends chains of up to settings.chain options to a point. Each option is conditioned on the end of
// the unconditioned one that ends closest to what is left of the way; a world with translations is
// as new to it, and in another one it knows where it is. Throws a UsageError where the run has no
// goal policy.
ChainReach chain_to(const Agent& agent, const Unconditioned& unconditioned, const PointGoal& goal,
                    const ReachSettings& settings);

}  // namespace vic
