// How far the entropies of two distributions can be apart whose divergence is known.
#pragma once

#include <span>

#include "info/entropy.h"

namespace vic {

// An interval that contains H(q) of every q with KL(p || q) + KL(q || p) <= divergence. Its ends
// are values of the Lagrangian dual and so hold whatever the numerics of their optimisation; they
// are the extremes of H(q) up to those. Where p is 0 so is q.
Interval entropy_interval(std::span<const double> p, double divergence);

}  // namespace vic
