// How far the hindsight models are from the exact posteriors of the trained policy.
#pragma once

#include "eval/evaluate.h"
#include "eval/policy_table.h"
#include "method/agent.h"

namespace vic {

// Walks the tree of all histories. For every (history, s_f) that the policy can produce, compares
// pi_q(. | tau, s_f) with p(a | tau, s_f) = pi(a | tau) p(s_f | tau, a) / p(s_f | tau), and
// likewise rho_q; means over the steps of the policy's options, by their exact probabilities.
PosteriorError posterior_error(const Agent& agent, const HistoryTree& tree, const Policy& policy);

}  // namespace vic
