// The capacity of a discrete memoryless channel.
#pragma once

#include <vector>

#include "base/stop.h"

namespace vic {

// A channel W(y | x): one row an input, one column an output.
struct Channel {
  int inputs = 0;
  int outputs = 0;
  std::vector<double> w;  // (inputs, outputs), rows sum to 1
};

// The capacity lies in [lower, upper]; `input` achieves `lower`.
struct Capacity {
  double lower = 0;
  double upper = 0;
  std::vector<double> input;  // (inputs)
};

// max over p(x) of I(x; y), by the Blahut-Arimoto iteration with adaptive steps on a growing set of
// inputs, until upper - lower is at most `gap` or `work` multiplications are done. Throws
// Interrupted.
Capacity channel_capacity(const Channel& channel, double gap, double work, Stop stop = {});

}  // namespace vic
