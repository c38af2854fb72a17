// Rewards with one net above and below the line, train.normalise = goals:
//
//   r = log f(tau, g*) - log sum_g p(g) f(tau, g)
//   f(tau, g) = prod_t pi_q(a_t | tau_t, g) rho_q(s_t+1 | tau_t, a_t, g)^lambda
//
// g* is where the option ended and p(g) how often options ended in g lately. The sum has p(g*)
// f(tau, g*) in it and nothing below 0, so r is at most -log p(g*), whatever the nets have learned:
// what they miss of the world stands on both sides and cancels. docs/method.md has the rest.
#pragma once

#include <span>

#include "method/scores.h"

namespace vic {

// A goal below the line, as seen from one option.
struct OtherGoal {
  double weight = 0;  // of f, not below 0
  double log_f = 0;
};

// -log(p + sum_k weight_k exp(log_f_k - log_f)): the reward of an option that ended where p of all
// options do.
double normalised_reward(double p, double log_f, std::span<const OtherGoal> others);

// p(s_f) of the last batches; of the batch alone, in `own`, for whoever only wants the reward.
const RunningFrequencies& frequencies_of(RunningFrequencies& own, const Agent& agent,
                                         const ScoreInputs& inputs);

// The goals of options that ended so: their cells, each once, with how often lately; or, where they
// are more than `most`, options at equal distances, each for as many as the others.
std::vector<SampledGoal> goals_of(std::span<const End> ends, const RunningFrequencies& p, int most);

// Takes the log f(tau, g*) of a batch's options from scores.reward and leaves the rewards there.
// The goals are those of the inputs, or of the batch, no more than train.goals says, which stand
// for all others. The models must have been queried; pi_q and rho_q are queried again, about other
// goals, and then as they were.
void normalise_rewards(Scores& scores, const Agent& agent, const ScoreInputs& inputs);

}  // namespace vic
