// Newton's method for the maximum of D + lambda N on a tree of histories.
//
// In the probabilities x(tau, a) of passing a history and taking an action there, the policies are
// a polytope and D + lambda N is concave for lambda <= 1. The proximal ascent of oracle/ascent.h is
// slow where chance is rare: the final states are settled at once, but the choice among several
// ways to the same one matters little, a direction of small curvature. Newton's steps do not depend
// on the scale of a direction. They follow the central path, the maximisers of
//
//   F(x) + mu sum over (tau, a) of rho(tau) log x(tau, a),
//
// where rho(tau) is the product of the probabilities of chance on the way to tau. On the path no
// policy is better than x by more than mu times the sum of all rho. So mu is lowered until the
// certificate of oracle/ascent.h, computed from the policy alone, closes.
//
// With m(tau, f) the probability of passing tau and ending in f, and phi(m) = sum_f m log (m / sum
// m), which is convex,
//
//   F = -phi(m(root)) + (1 - lambda) sum over (tau, a) [phi(m(tau, a)) - sum_s' phi(m(tau'))].
//
// oracle/elimination.h solves for a step.
#pragma once

#include "oracle/ascent.h"

namespace vic {

// The maximum of D + lambda N for lambda <= 1, with a certificate. Where rounding stops Newton's
// method, the proximal ascent continues from there.
Maximum maximise_control(const Unrolled& tree, double lambda, const AscentLimits& limits,
                         const AscentProgress& progress = {});

}  // namespace vic
