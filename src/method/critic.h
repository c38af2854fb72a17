// The critic that b provides at no cost: the expected intrinsic reward of an option in a history.
//
// On the way to a history x, an option that ends in c has earned e(x, c): control, and lambda times
// chance. -log b(c | x) is still to come; n(x) is the part of it that is chance, in the mean:
//
//   V(x)    = sum_c b(c | x) X(x, c)    - (1 - lambda) n(x)
//   Q(x, a) = sum_c b(c | x, a) X(x, c) - (1 - lambda) n(x, a)
//   X(x, c) = e(x, c) - log b(c | x)
//
// In s_0, X is -log b(c | s_0), and with lambda = 1 it stays so. n is one more output of b's net:
// n(x, a) is the mean of KL(b(. | y) || b(. | x, a)) + n(y) over the histories y that follow. The
// rewards of other algorithms are treated as estimates of -log p(s_f | s_0); of `counted` the
// critic expects the part with that number alone, and leaves the control to b(s_0).
#pragma once

#include <array>

#include "method/scores.h"

namespace vic {

// -log p(c | s_0) of b's cells in a simulated world: where the reward is computed from b, by b in
// the first row of a batch; elsewhere by running counts, where an unseen cell counts as one option.
// Far cells that b does not tell apart have the mean.
std::vector<float> cell_surprise(const Agent& agent, const Batch& batch,
                                 const RunningFrequencies& recent);

// The same with the reward of counted skills, (skills, cells).
std::vector<float> skill_surprise(const Agent& agent, const RunningFrequencies& recent,
                                  const RunningFrequencies& by_skill, double more_lambda);

// Sets scores.critic and the targets of n, once b and pi_p have been queried.
void set_critic(Scores& scores, const Agent& agent, const ScoreInputs& inputs);

// Means over the options of a batch of sums over their decisions, where the critic expects V and
// the option earns R: of 1, V, R, V^2, V R, R^2; last, the mean of R - V in s_0. All are linear in
// the options, so means over shards combine.
using CriticMoments = std::array<double, 7>;

// The moments of a batch; zeros without a critic.
CriticMoments critic_moments(const Scores& scores, const Batch& batch);

// The correlation of V and R; 0 where one of them does not vary.
double critic_correlation(const CriticMoments& moments);

// Shifts V in a simulated world so that it is right in the mean in s_0: rewards may differ from it
// by the same amount in every history, as those of hindsight models do while they learn.
void shift_critic(Scores& scores, const Agent& agent, const CriticMoments& moments);

}  // namespace vic
