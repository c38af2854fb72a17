// What many options did, counted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/behaviour.h"

namespace vic {

class Survey {
 public:
  void add(const Behaviour& behaviour);

  // An option that MuJoCo could not simulate to its end.
  void add_failure(const std::string& message);

  long options() const { return options_; }  // without those that failed
  long failures() const { return failures_; }
  const std::string& first_failure() const { return first_failure_; }

  double distance_mean() const;
  double distance_spread() const;  // standard deviation
  double distance_min() const { return distance_min_; }
  double distance_max() const { return distance_max_; }
  double height_max() const { return height_max_; }

  // Shares of the options, and the most flips of one; backflips are counted positively here.
  double forward_flips() const { return share(forward_flips_); }  // at least one
  double backflips() const { return share(backflips_); }          // at least one
  double two_turns() const { return share(two_turns_); }          // two or more, either way
  int most_forward_flips() const { return most_forward_flips_; }
  int most_backflips() const { return most_backflips_; }

  const std::map<BehaviourCell, long>& cells() const { return cells_; }
  std::vector<long> cell_counts() const;  // in the order of the cells

  // Names with their counts, the most frequent first.
  std::vector<std::pair<std::string, long>> names() const;

 private:
  double share(long count) const;

  long options_ = 0, failures_ = 0;
  std::string first_failure_;
  double distance_sum_ = 0, distance_squares_ = 0;
  double distance_min_ = 0, distance_max_ = 0, height_max_ = 0;
  long forward_flips_ = 0, backflips_ = 0, two_turns_ = 0;  // options
  int most_forward_flips_ = 0, most_backflips_ = 0;
  std::map<BehaviourCell, long> cells_;
  std::map<std::string, long> names_;
};

// Each motor's level at step t of option b, (M), drawn uniformly by the seed.
void random_levels(const PhysicsWorld& world, std::uint64_t seed, int b, int t,
                   std::span<int> levels);

// The states of an option with random actions, (T + 1, n), the start first. Throws a
// SimulationError.
std::vector<double> random_option(const PhysicsWorld& world, std::uint64_t seed, int b);

// What the first `options` options with random actions do; the same for any number of threads.
Survey random_survey(const PhysicsWorld& world, std::uint64_t seed, int options, int threads);

}  // namespace vic
