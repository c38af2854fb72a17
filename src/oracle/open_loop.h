// Open-loop empowerment: the agent chooses its whole sequence of actions in advance.
#pragma once

#include <optional>
#include <vector>

#include "base/stop.h"
#include "world/tabular.h"

namespace vic {

// The capacity of the channel from action sequences to s_f, and a way to achieve it.
struct OpenLoop {
  double value = 0;
  double gap = 0;                           // the capacity is at most value + gap
  std::vector<std::vector<int>> sequences;  // each followed by termination
  std::vector<double> p;                    // the optimum's probability of each sequence
};

struct OpenLoopLimits {
  double gap = 0;        // stop when the capacity is known to within this
  double work = 0;       // or after this many multiplications
  double sequences = 0;  // give up where there are more sequences
  Stop enough = {};      // or when this is set
  Stop stop = {};        // throw Interrupted when this is set
};

// Sequences have up to T_max - 1 moves, or exactly as many where options may not stop; in an
// absorbing state the rest of a sequence has no effect. Empty where there are too many; a
// deterministic world needs one shortest path to each state.
std::optional<OpenLoop> open_loop_capacity(const TabularWorld& world, const OpenLoopLimits& limits);

// The number of sequences; it may be astronomic or infinite.
double count_sequences(const TabularWorld& world);

// p(s) after one more move.
std::vector<double> advance(const TabularWorld& world, const std::vector<double>& p, int move);

// p(s_f | sequence).
std::vector<double> follow(const TabularWorld& world, const std::vector<int>& sequence);  // (S)

}  // namespace vic
