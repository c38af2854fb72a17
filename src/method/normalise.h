// Rewards with the same nets in numerator and denominator, train.normalise = goals:
//
//   r = log f(tau, g*) - log sum_g p(g) f(tau, g)
//   f(tau, g) = prod_t pi_q(a_t | tau_t, g) rho_q(s_t+1 | tau_t, a_t, g)^lambda
//
// g* is where the option ended and p(g) the recent frequency of g. The sum contains p(g*)
// f(tau, g*) and no negative term, so r is at most -log p(g*), whatever the nets have learned:
// their common errors cancel. docs/method.md has the rest.
#pragma once

#include <span>

#include "method/scores.h"

namespace vic {

// A goal in the denominator of one option.
struct OtherGoal {
  double weight = 0;  // of f, not negative
  double log_f = 0;
};

// -log(p + sum_k weight_k exp(log_f_k - log_f)): the reward of an option that ended in a goal of
// frequency p.
double normalised_reward(double p, double log_f, std::span<const OtherGoal> others);

// The goals in which options ended: each cell once, with its recent frequency p; or, where these
// are more than `most`, the cells of `most` evenly spaced options, which share equally.
std::vector<SampledGoal> goals_of(std::span<const End> ends, const RunningFrequencies& p, int most);

// Replaces the log f(tau, g*) of a batch's options, in scores.reward, by their rewards. The goals
// are those of the inputs, or at most train.goals of the batch, which stand for all others. The
// models must have been queried; pi_q and rho_q are queried about the other goals, and finally
// about their own again.
void normalise_rewards(Scores& scores, const Agent& agent, const ScoreInputs& inputs);

}  // namespace vic
