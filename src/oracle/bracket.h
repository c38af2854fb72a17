// Lower and upper bounds of control where there are too many histories or sequences to solve.
//
// Let B(f) be the largest probability with which any policy ends in f. For every policy, and every
// final state f of it, the chance N_f = E[sum_t log p(f | tau_t+1) / p(f | tau_t, a_t) | s_f = f]
// is at least -log B(f): the posterior p(a | tau, f), used as a policy, ends in f with probability
// E[exp(-sum_t log ...) | s_f = f], which is at most B(f) and, by Jensen's inequality, at least
// exp(-N_f). So D = H - N <= H(s_f) + E[log B(s_f)] <= log sum_f B(f).
//
// From below: an agent that draws a goal g and follows the best policy for it has D >= I(g; s_f),
// because the outcome of a move does not depend on the goal given history and move, so that
// I(s_t+1; s_f | tau_t, a_t) <= I(s_t+1; s_f | tau_t, a_t, g), and these sum to H(s_f | g). The
// best distribution of goals achieves the capacity of a channel with one input per goal.
#pragma once

#include "base/stop.h"
#include "world/tabular.h"

namespace vic {

struct Bracket {
  double low = 0, high = 0;
};

// D_max lies between these. Throws Interrupted.
Bracket bracket_control(const TabularWorld& world, Stop stop = {});

// C_open lies between these. From below: the capacity over one sequence per goal, improved until
// nothing changes or `work` multiplications are done. From above: log sum_f of the largest
// probability of ending in f for sequences in pieces, each chosen with the state before it known,
// and as long as `work` allows. D_max is an upper bound as well: `D_high`.
Bracket bracket_open_loop(const TabularWorld& world, double D_high, double work, Stop stop = {});

}  // namespace vic
