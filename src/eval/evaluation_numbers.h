// An evaluation as a list of numbers, for those that are interrupted and go on later.
#pragma once

#include <span>
#include <vector>

#include "eval/evaluate.h"

namespace vic {

// All that its parts have measured, without what follows from that: survey, route and I_hat.
std::vector<double> numbers_of(const Evaluation& evaluation);

// The same back. Throws an Error where the list is no evaluation.
Evaluation evaluation_of(std::span<const double> numbers);

}  // namespace vic
