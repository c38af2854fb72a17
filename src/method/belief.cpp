#include "method/belief.h"

#include "method/beliefs.h"
#include "method/cell_beliefs.h"
#include "method/scores.h"

namespace vic {

// sums the reward along the history of each option
void BeliefObjective::score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const {
  query_models(scores, agent, inputs);
  if (agent.simulator() != nullptr) return reward_cells(scores, agent, inputs);
  const Batch& batch = inputs.batch;
  const Histories& tree = batch.histories;
  const Hindsight& look = scores.hindsight;
  const BatchBeliefs beliefs(scores, agent, batch);
  const double lambda = agent.algorithm->lambda_of(agent.settings) + inputs.more_lambda;
  std::vector<double> pair_reward(look.row.size(), 0);  // (P) on the way to the pair
  std::vector<double> log_before(look.row.size(), 0);   // (P)
  for (std::size_t k = 0; k < look.row.size(); ++k) {
    const int r = look.row[k], s_f = look.final_state[k];
    log_before[k] = beliefs.log_before(r, s_f);
    if (look.parent[k] >= 0) {
      const double after = beliefs.log_after(tree.parent[r], tree.action[r], s_f);
      pair_reward[k] = pair_reward[look.parent[k]] + after - log_before[look.parent[k]] +
                       lambda * (log_before[k] - after);
    }
    // after the decision to terminate, b(s_f) = 1
    if (batch.ended[r] > 0 && s_f == tree.state[r]) {
      scores.reward[r] = pair_reward[k] - log_before[k];
    }
  }
}

}  // namespace vic
