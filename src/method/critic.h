// The critic that b gives for nothing: what intrinsic reward is to be expected in a history.
//
// On the way to a history x, an option that ends in c has earned e(x, c): control, and lambda times
// chance. What is uncertain in x is control to come, but for the chance n(x) that is to come:
//
//   V(x)    = sum_c b(c | x) X(x, c)    - (1 - lambda) n(x)
//   Q(x, a) = sum_c b(c | x, a) X(x, c) - (1 - lambda) n(x, a)
//   X(x, c) = e(x, c) - (1 - lambda) log b(c | x)
//
// In s_0, X is -log b(c | s_0), and with lambda = 1 it stays so. n is one more output of b's net:
// n(x, a) is the mean of KL(b(. | y) || b(. | x, a)) + n(y) over the histories y that follow. The
// rewards of other algorithms are taken for estimates of -log p(s_f | s_0).
#pragma once

#include <array>

#include "method/scores.h"

namespace vic {

// -log p(c | s_0) of b's cells in a simulated world: by b, where the agent is rewarded by it, in
// the first history of a batch; elsewhere by running counts, where one option counts for a cell
// that was never met. `options` is how many a batch has.
std::vector<float> cell_surprise(const Agent& agent, const Batch& batch,
                                 const RunningFrequencies& recent, int options);

// Sets scores.critic, once b and pi_p have been queried, and what n learns.
void set_critic(Scores& scores, const Agent& agent, const ScoreInputs& inputs);

// Means over the options of a batch, of what the critic expects in their decisions, V, and of the
// reward R that came: how many decisions, V, R, V^2, V R, R^2; last R - V in s_0. Means of shards
// are means of the whole.
using CriticMoments = std::array<double, 7>;

// Those of a batch; zeros without a critic.
CriticMoments critic_moments(const Scores& scores, const Batch& batch);

// The correlation of V and R; 0 where one of them does not vary.
double critic_correlation(const CriticMoments& moments);

// In a simulated world a reward may differ from what b and the counts expect by the same in every
// history, as that of hindsight models does while they learn: makes V right in the mean in s_0.
void shift_critic(Scores& scores, const Agent& agent, const CriticMoments& moments);

}  // namespace vic
