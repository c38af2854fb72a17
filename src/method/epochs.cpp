// Several steps on a batch: train.epochs and train.minibatches.
#include <cmath>

#include "method/learner.h"

namespace vic {
namespace {

// The scale in later steps on a batch: the advantage times the probability ratio of the decision,
// 0 once the ratio is out of range (the clipped objective of PPO, Schulman et al., 2017).
void clip_scale(std::vector<float>& out, std::span<const float> scale,
                std::span<const float> before, std::span<const float> now, double clip) {
  out.resize(scale.size());
  for (std::size_t d = 0; d < scale.size(); ++d) {
    const double ratio = std::exp(double(now[d]) - double(before[d]));
    const bool far = scale[d] > 0 ? ratio > 1 + clip : ratio < 1 - clip;
    out[d] = far ? 0 : static_cast<float>(ratio) * scale[d];
  }
}

}  // namespace

// A step on each minibatch in turn, in every epoch. A minibatch has every n-th shard, so that each
// rank has some of them. The gradients of the other shards are zero.
void Learner::learn() {
  const int n = settings().minibatches;
  for (int k = 0; k < settings().epochs * n; ++k) {
    each_shard([&](Shard& shard) {
      if (shard.number % n != k % n) return;
      if (k > 0) query_again(shard);
      differentiate(shard);
    });
    step();
  }
}

// Queries the models as they are now about the options of a shard.
void Learner::query_again(Shard& shard) {
  Scores& scores = shard.scores;
  const QueryContext context = shard.batch.context();
  ModelWorkspace& policy = scores.policy.policy;
  agent_.pi_p().net().encode(policy.net, context.tree, context.inputs);
  agent_.pi_p().probabilities(policy, scores.decisions.queries, context.codes);
  query_models(scores, agent_,
               {.batch = shard.batch,
                .recent = state_.recent,
                .update = state_.update,
                .threads = shard_threads()});
  if (!policy_learns()) return;
  clip_scale(scores.decisions.scale, shard.scale, shard.log_pi_p, scores.log_pi_p, settings().clip);
}

}  // namespace vic
