// The capacity of a discrete memoryless channel, and the step size of ascents to such maxima.
#pragma once

#include <vector>

#include "base/stop.h"

namespace vic {

// A channel W(y | x): one row per input, one column per output.
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
// inputs, until upper - lower is at most `gap`, `work` multiplications are done or `enough` is set.
// Throws Interrupted.
Capacity channel_capacity(const Channel& channel, double gap, double work, Stop stop = {},
                          Stop enough = {});

// The step size of a proximal ascent in the geometry of the Kullback-Leibler divergence.
//
// To maximise a concave F over distributions P, repeat
//
//   P' = argmax  eta <grad F(P), P'> - KL(P' || P).
//
// Entropies of functions of an outcome are 1-smooth relative to KL: their Bregman divergence
// B(P', P) = F(P) + <grad F(P), P' - P> - F(P') is at most KL(P' || P), by the data processing
// inequality. So eta = 1 never overshoots; it is the step of Blahut and Arimoto. But most of KL
// lies in directions that F does not depend on, and a longer step is as safe as long as
// eta B(P', P) <= KL(P' || P). This class tries longer steps and takes back those that are not.
class StepSize {
 public:
  double eta() const { return eta_; }

  // Whether the step just tried with eta() may be kept. Sets eta() for the next try.
  bool accept(double bregman, double kl);

 private:
  double eta_ = 1;
};

}  // namespace vic
