// Updates per second, and the time to the optimum, compared with the peer.
//
// Both programs are measured in processor seconds of their own process, case by case and
// alternately, because machines are shared: only the ratio counts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/settings.h"
#include "base/stop.h"
#include "bench/parts.h"

namespace vic {

// The program that this one is compared with.
struct Peer {
  bool measured = false;
  bool gathers = false;  // its heads run only on the steps that were taken, not on padding
  std::string jax = {};  // a Python that has JAX, for bench/peer_jax.py; none: bench/peer.py
};

struct UpdateCase {
  const char* world;
  const char* algorithm;
  bool long_options;  // the policy is biased so that options have at least 14 moves

  std::string name() const { return std::string(world) + (long_options ? ", long" : ""); }
};

const std::vector<UpdateCase>& update_cases();

struct BenchPlan {
  int updates = 200;  // per measurement
  int rounds = 3;     // measurements of a case; the median counts
  Peer peer = {};
  std::vector<Assignment> assignments;  // the user's settings
  Stop stop = {};                       // ends the measurements, which throw Interrupted
};

struct Speed {
  double updates_per_second = 0;
  double moves = 0;       // of an option, mean
  double operations = 0;  // of the matrix products of an update, floating point
};

// The speed of a case on one thread.
Speed measure_case(const UpdateCase& c, const BenchPlan& plan);

// The speed of a learner in its present state, after some updates that do not count.
Speed measure_learner(Learner& learner, int updates, Stop stop);

// Medians over the rounds; the peer's values are empty if it is not measured.
struct UpdateRow {
  Speed speed;
  std::optional<double> peer_updates_per_second, ratio;
};
UpdateRow measure_updates(const UpdateCase& c, const BenchPlan& plan, const Progress& progress);

// Training until the exact coverage of the policy is 99 % of H_max.
struct OptimumCase {
  const char* world = "line-noisy";
  const char* algorithm = "transition";
  int warm_up = 200;
  int most_updates = 20000;
};

struct OptimumTime {
  double seconds = 0;
  std::optional<double> peer_seconds;  // nothing if it is not measured or does not get there
};
// Throws an Error if the learner does not get there.
OptimumTime measure_optimum(const OptimumCase& c, const BenchPlan& plan);

}  // namespace vic
