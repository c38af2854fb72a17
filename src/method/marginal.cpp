#include "method/marginal.h"

#include <cmath>

#include "base/error.h"
#include "method/scores.h"

namespace vic {

void MarginalObjective::score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const {
  if (inputs.recent.weight.empty()) {
    throw Error("marginal rewards by the counts of its last batches, and here there are none.");
  }
  query_models(scores, agent, inputs);
  const Batch& batch = inputs.batch;
  for (int r = 0; r < batch.histories.rows(); ++r) {
    if (batch.ended[r] > 0) scores.reward[r] = -std::log(inputs.recent.p(0, batch.cell[r]));
  }
}

}  // namespace vic
