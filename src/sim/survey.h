// Statistics of what many options did.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/stop.h"
#include "sim/simulator.h"

namespace vic {

// A coordinate over many options, measured from the start.
struct CoordinateSummary {
  double mean = 0, spread = 0;  // the spread is the standard deviation
  double min = 0, max = 0;
};

// Options that did the same.
struct BehaviourCount {
  std::string name;
  int kind = 0;
  std::string kind_name;
  long options = 0;

  bool operator==(const BehaviourCount&) const = default;
};

class Survey {
 public:
  void add(const Behaviour& behaviour);

  // An option that could not be simulated to its end.
  void add_failure(const std::string& message);

  long options() const { return options_; }  // without those that failed
  long failures() const { return failures_; }
  const std::string& first_failure() const { return first_failure_; }

  CoordinateSummary coordinate(std::size_t k) const;  // zeros where there are no options
  double height_max() const { return height_max_; }

  // Shares of the options, and the most flips in one; backflips are counted positively here.
  double forward_flips() const { return share(forward_flips_); }  // at least one
  double backflips() const { return share(backflips_); }          // at least one
  double two_turns() const { return share(two_turns_); }          // two or more, either way
  int most_forward_flips() const { return most_forward_flips_; }
  int most_backflips() const { return most_backflips_; }

  const std::map<StateCell, long>& cells() const { return cells_; }
  std::vector<long> cell_counts() const;  // in the order of the cells

  // The most frequent first.
  std::vector<BehaviourCount> behaviours() const;

 private:
  double share(long count) const;

  long options_ = 0, failures_ = 0;
  std::string first_failure_;
  struct Moments {
    double sum = 0, squares = 0, min = 0, max = 0;
  };
  std::vector<Moments> moments_;  // (K)
  double height_max_ = 0;
  long forward_flips_ = 0, backflips_ = 0, two_turns_ = 0;  // options
  int most_forward_flips_ = 0, most_backflips_ = 0;
  std::map<StateCell, long> cells_;
  std::map<std::string, BehaviourCount> behaviours_;  // by name
};

// Each actuator's level at step t of option b, (F), drawn uniformly by the seed.
void random_levels(const Simulator& simulator, std::uint64_t seed, int b, int t,
                   std::span<int> levels);

// The states of an option with random actions, (T + 1, n). Throws a SimulationError.
std::vector<double> random_option(const Simulator& simulator, std::uint64_t seed, int b);

// A survey of the first `options` options with random actions, the same for any number of threads.
// Throws Interrupted.
Survey random_survey(const Simulator& simulator, std::uint64_t seed, int options, int threads,
                     Stop stop = {});

}  // namespace vic
