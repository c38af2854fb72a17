// The maximum of a concave function of the distribution of options, with a certificate.
//
// Both H(s_f) and the directed information D are concave in the distribution P of the option Omega,
// and both equal the mean of their own gradient: F(P) = E_P[r_P(Omega)]. So, for any policy P,
//
//   F(P)  <=  max F  <=  max over policies P' of E_P'[r_P(Omega)],
//
// and the right-hand side is one exact dynamic programme. The ascent itself is the proximal step of
// info/capacity.h, which for policies is a soft dynamic programme around the present policy.
#pragma once

#include <functional>

#include "base/stop.h"
#include "oracle/unrolled.h"

namespace vic {

// Fills payoff with the gradient r_P of ending in each row, where P is `policy` with this flow.
using Gradient = std::function<void(Rows& payoff, const Policy& policy, const Flow& flow)>;

// Called at every step with the value and the remaining gap.
using AscentProgress = std::function<void(double value, double gap)>;

struct AscentLimits {
  double gap = 0;           // stop when max F - F is certified to be at most this
  double transitions = 0;   // or when the sweeps have visited this many transitions
  double least_policy = 0;  // no action of a row gets a smaller probability
  Stop enough = {};         // or when this is set
  Stop stop = {};           // throws Interrupted when this is set
};

// A policy, its value F, and a bound on how much better any other can be.
struct Maximum {
  Policy policy;
  double value = 0;
  double gap = 0;
};

// From the uniform policy, or from one that gives every action a positive probability.
Maximum maximise(const Unrolled& unrolled, const Gradient& gradient, const AscentLimits& limits,
                 const AscentProgress& progress = {}, Policy from = {});

// The same ascent for a function that need not be concave, from a given policy, which must give
// every action a positive probability. It must be 1-smooth relative to KL, as a sum of an entropy
// and convex functions is. `gap` is then that of the last policy's gradient alone: small near a
// local maximum, and no bound on the maximum.
Maximum climb(const Unrolled& unrolled, const Gradient& gradient, const AscentLimits& limits,
              Policy from);

// H(s_f): the gradient of ending in a row is -log p(s_f) of its state.
Gradient entropy_gradient(const Unrolled& unrolled);

// D + lambda N on a tree of histories: the gradient of an option is the reward of the method under
// exact posteriors,
//
//   r = sum_t log p(s_f | tau_t, a_t) / p(s_f | tau_t)
//     + lambda sum_t log p(s_f | tau_t, a_t, s_t+1) / p(s_f | tau_t, a_t).
//
// By Bayes' rule the first sum is that of log pi_q / pi_p and the second that of log rho_q / rho_p.
// Concave for lambda <= 1: D + lambda N = H - (1 - lambda) N, and N is a sum of constants minus
// conditional entropies of s_t+1 given s_f. With lambda = 1 the sums telescope to -log p(s_f). The
// policy must give every action a positive probability: at the border the gradient is infinite.
Gradient control_gradient(const Unrolled& histories, double lambda);

}  // namespace vic
