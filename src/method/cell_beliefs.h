// The belief form in a simulated world: b(c | tau, a_1 ... a_f) of cells c, where an action is
// decided factor by factor. In place of b(c | tau) before factor f stands
//
//   before_f(c) = sum_l pi_p(l | tau) b(c | tau, a_1 ... a_f-1, l)
//
// so that pi_q(l | tau, a_1 ... a_f-1, c) = pi_p(l | tau) b(c | tau, ..., l) / before_f(c) sums to
// 1 over the levels l of each factor, whatever the net says. The reward is that of a table whose
// steps are the factors; where an option ended is known once its last action is taken.
#pragma once

#include "method/scores.h"

namespace vic {

// Makes b's queries about a batch: every row that has a choice, before anything is decided there,
// the last ones first; and, where b is what the agent rewards by, the same after each factor.
void query_cells(ModelScore& own, const Agent& agent, const Batch& batch);

// -log before_1(c) of all cells in the first history of a batch, which has just begun.
std::vector<float> surprise_at_start(const Agent& agent, const Batch& batch);

// Sets the rewards of a batch, once the models have been queried.
void reward_cells(Scores& scores, const Agent& agent, const ScoreInputs& inputs);

// Queries of b: each level of factor f in each row, (rows, L), after what its action has before.
Queries level_queries(std::span<const int> rows, std::span<const int> actions, int f, int L);

}  // namespace vic
