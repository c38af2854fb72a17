// How far apart the entropies of two distributions can be, given their divergence.
#pragma once

#include <span>

#include "info/entropy.h"

namespace vic {

// An interval that contains H(q) of every q with KL(p || q) + KL(q || p) <= divergence. Its ends
// are values of the Lagrangian dual, so they are bounds however well it is optimised; fully
// optimised, they are the extremes of H(q). Where p is 0 so is q.
Interval entropy_interval(std::span<const double> p, double divergence);

}  // namespace vic
