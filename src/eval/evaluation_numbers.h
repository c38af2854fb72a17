// An evaluation as a list of numbers, so that an interrupted one can be continued later.
#pragma once

#include <span>
#include <vector>

#include "eval/evaluate.h"

namespace vic {

// Everything that the parts have measured, without what follows from it: survey, route and I_hat.
std::vector<double> numbers_of(const Evaluation& evaluation);

// The inverse. Throws an Error if the list is not an evaluation.
Evaluation evaluation_of(std::span<const double> numbers);

}  // namespace vic
