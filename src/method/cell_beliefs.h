// The belief form in a simulated world: b(c | tau, a_1 ... a_f) of cells c, where an action is
// decided factor by factor. Before factor f, the place of b(c | tau) is taken by
//
//   before_f(c) = sum_l pi_p(l | tau) b(c | tau, a_1 ... a_f-1, l)
//
// so that pi_q(l | tau, a_1 ... a_f-1, c) = pi_p(l | tau) b(c | tau, ..., l) / before_f(c) sums to
// 1 over the levels l of each factor, whatever the net's outputs. The reward is that of a table
// whose steps are the factors; the final cell is known once the last action is taken.
#pragma once

#include "method/scores.h"

namespace vic {

// Makes b's queries about a batch: every row that has a choice, before its first factor, the last
// rows first; and, where the reward is computed from b, the same rows after each factor.
void query_cells(ModelScore& own, const Agent& agent, const Batch& batch);

// -log before_1(c) of all cells c in s_0, the first row of a batch.
std::vector<float> surprise_at_start(const Agent& agent, const Batch& batch);

// Sets the rewards of a batch, once the models have been queried.
void reward_cells(Scores& scores, const Agent& agent, const ScoreInputs& inputs);

// Queries of b, (rows, L): each level of factor f in each row, given the factors before f in the
// row's action.
Queries level_queries(std::span<const int> rows, std::span<const int> actions, int f, int L);

}  // namespace vic
