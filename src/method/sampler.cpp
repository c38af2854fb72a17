#include "method/sampler.h"

namespace vic {

void Sampler::start(Batch& batch, std::span<const Beginning> beginnings, RolloutAddress address) {
  batch.clear();
  batch.options = static_cast<int>(beginnings.size());
  // another thread may read a level while the next ones are added, so nothing may be reallocated
  const int rows = most_rows(batch.options);
  batch.histories.reserve(rows, most_levels());
  batch.inputs.reserve(rows, encoding_);
  begin(batch, beginnings, address);
  batch.inputs.append(batch.histories, 0, encoding_, *batch.codes);
}

void Sampler::sample(Batch& batch, const Actor& actor, ActorWorkspace& work,
                     std::span<const Beginning> beginnings, RolloutAddress address,
                     const LevelVisitor& visit) {
  start(batch, beginnings, address);
  for (int t = 0;; ++t) {
    const int begin = batch.histories.first[t], end = batch.histories.first[t + 1];
    queries_.clear();
    query_of_.clear();
    batch.append_queries(queries_, query_of_, begin, end);
    MatrixView<const float> p;
    if (queries_.size() > 0) {
      batch.decided_levels = t + 1;
      const Tree tree = batch.tree();
      const Inputs<float> inputs = batch.inputs.view();
      if (visit) visit(tree, t, inputs);
      p = actor.action_probabilities(work, batch, t, queries_);
    }
    if (!step(batch, t, {actor, work, queries_, p}, address)) break;
    batch.histories.close_level();
    batch.inputs.append(batch.histories, end, encoding_, *batch.codes);
  }
  const float share = 1.0F / static_cast<float>(batch.options);
  for (float& weight : batch.decision_weight) weight *= share;
}

}  // namespace vic
