// What the benchmarks share: a clock, a median, and policies whose options are long.
#pragma once

#include <vector>

#include "method/learner.h"

namespace vic {

// The processor's seconds of this process: other programs do not count.
double own_seconds();

double median(std::vector<double> numbers);

// A learning rate at which all the work of learning is done and the policy stays what it is.
inline constexpr const char* still_rate = "1e-9";

// Subtracts from the policy's logit of termination, and adds to that of the last move.
void bias_policy(Learner& learner, float against_stop, float for_last_move);

}  // namespace vic
