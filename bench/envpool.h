// The simulation of an update beside EnvPool, which steps the same environment in a MuJoCo of its
// own: bench/peer_envpool.py, as a process of its own.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "bench/parts.h"

namespace vic {

// Options of half-cheetah that both sides take, all with T random actions.
struct EnvpoolCase {
  int T = 100, options = 128, threads = 1;
};

// Options of training and of EnvPool's default, on one thread and on two.
const std::vector<EnvpoolCase>& envpool_cases();

// Both in turn, so many rounds: medians of actions per second of the processor and, by the clock,
// per second of a core; of the simulation as learners have it and of the plain model, whose pairs
// of geoms MuJoCo finds by itself. EnvPool is used in several ways, of which the fastest counts.
// Throws an Error where `python` has no EnvPool.
Json measure_envpool(const EnvpoolCase& c, const std::string& python, int rounds,
                     const Progress& progress);

// A table for people: its head, and the lines of a case.
std::string envpool_head();
std::string envpool_lines(const Json& row);

}  // namespace vic
