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

#include "method/scores.h"

namespace vic {

// Sets scores.critic, once b and pi_p have been queried, and what n learns.
void set_critic(Scores& scores, const Agent& agent, const ScoreInputs& inputs);

// The correlation of what the critic expects with the reward that came, over all decisions of a
// batch; 0 where one of them does not vary.
double critic_correlation(const Scores& scores, const Batch& batch);

}  // namespace vic
