// The concave functions that the oracle maximises, as gradients for oracle/ascent.h.
#pragma once

#include "oracle/ascent.h"
#include "oracle/unrolled.h"

namespace vic {

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
