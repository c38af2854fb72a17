// Shared by the benchmarks: progress, a median, and policies whose options are long.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "method/learner.h"

namespace vic {

// Called with the name of what is being measured.
using Progress = std::function<void(const std::string&)>;

double median(std::vector<double> numbers);

// A learning rate at which all the work of learning is done but the policy does not change.
inline constexpr const char* still_rate = "1e-9";

// Subtracts from the policy's logit of termination, and adds to that of the last move.
void bias_policy(Learner& learner, float against_stop, float for_last_move);

}  // namespace vic
