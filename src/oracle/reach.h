// Reaching: the probability that a policy conditioned on a goal ends in it.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/stop.h"
#include "oracle/unrolled.h"

namespace vic {

// For each state the largest probability with which any policy ends in it, by dynamic programming
// over time and state; 0 for an unreachable state. Throws Interrupted.
std::vector<double> best_success(const TabularWorld& world, Stop stop = {});  // (S)

// A policy that is conditioned on a goal: fills `policy`, which has the shape of the rows and is
// reused from goal to goal, with its action probabilities.
using GoalPolicy = std::function<void(Policy& policy, int goal)>;

// The exact P(the option ends in g) of the policy conditioned on g, for each of these goals; 0 for
// other states.
std::vector<double> success(const Unrolled& unrolled, std::span<const int> goals,
                            const GoalPolicy& policy);  // (S)

// A history whose probability of ending in g is smaller than this counts as lost for g.
inline constexpr double least_belief = 1e-9;

// The same of the posterior of a policy,
//
//   p(a | tau, s_f = g) = pi(a | tau) p(g | tau, a) / p(g | tau),
//
// which is what pi_q learns. Where chance leads it into a history from which the policy does not
// end in g (p(g | tau) below least_belief), it has failed; a goal in which the policy never ends
// therefore has 0. All goals in one sweep.
std::vector<double> posterior_success(const Unrolled& histories, const Policy& policy);  // (S)

// The mean over the states in which an option can end.
double mean_success(const TabularWorld& world, const std::vector<double>& success);

}  // namespace vic
