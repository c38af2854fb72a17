#include "method/sampler.h"

namespace vic {

// the rows of level t that have a choice
void Sampler::query_level(const Batch& batch, int t) {
  const int begin = batch.histories.first[t], end = batch.histories.first[t + 1];
  queries_.clear();
  query_of_.assign(end - begin, -1);
  for (int row = begin; row < end; ++row) {
    if (batch.forced[row]) continue;
    query_of_[row - begin] = queries_.size();
    queries_.row.push_back(row);
    const int goal = batch.goal[batch.histories.root[row]];
    if (goal >= 0) queries_.goal.push_back(goal);
  }
}

void Sampler::sample(Batch& batch, const Actor& actor, ActorWorkspace& work,
                     std::span<const Beginning> beginnings, RolloutAddress address,
                     const LevelVisitor& visit) {
  batch.clear();
  batch.options = static_cast<int>(beginnings.size());
  // whoever looks at a level must not find it moved when the next one comes
  const int most_rows = batch.options * most_levels();
  batch.histories.reserve(most_rows, most_levels());
  batch.inputs.reserve(most_rows, encoding_);
  begin(batch, beginnings, address);
  batch.inputs.append(batch.histories, 0, encoding_, *batch.codes);

  for (int t = 0;; ++t) {
    const int begin = batch.histories.first[t], end = batch.histories.first[t + 1];
    query_level(batch, t);
    MatrixView<const float> p;
    if (queries_.size() > 0) {
      batch.decided_levels = t + 1;
      const Tree tree = batch.tree();
      const Inputs<float> inputs = batch.inputs.view();
      if (visit) visit(tree, t, inputs);
      p = actor.action_probabilities(work, tree, t, inputs, queries_, *batch.codes, begin);
    }
    if (!step(batch, t, p, actor.temperature, address)) break;
    batch.histories.close_level();
    batch.inputs.append(batch.histories, end, encoding_, *batch.codes);
  }
  const float share = 1.0F / static_cast<float>(batch.options);
  for (float& weight : batch.decision_weight) weight *= share;
}

}  // namespace vic
