#include "method/sampler.h"

#include <cmath>
#include <numeric>

namespace vic {
namespace {

std::vector<int> counted(int count) {
  std::vector<int> list(count);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

}  // namespace

void temper(std::span<double> p, double temperature) {
  if (temperature == 0) {
    const auto largest = std::max_element(p.begin(), p.end());
    std::fill(p.begin(), p.end(), 0);
    *largest = 1;
    return;
  }
  double sum = 0;
  // of the largest, so that not all vanish at a low temperature
  const double largest = temperature == 1 ? 1 : *std::max_element(p.begin(), p.end());
  for (double& x : p) sum += x = temperature == 1 ? x : std::pow(x / largest, 1 / temperature);
  for (double& x : p) x /= sum;
}

MatrixView<const float> Actor::action_probabilities(ActorWorkspace& work, const Tree& tree, int t,
                                                    const Inputs<float>& inputs,
                                                    const Queries& queries, const Codes& codes,
                                                    int first_row) const {
  policy.net().encode_level(work.policy.net, tree, t, inputs);
  if (offset == nullptr) {
    return policy.append_probabilities(work.policy, queries, codes, first_row);
  }
  offset->net().encode_level(work.offset.net, tree, t, inputs);
  const MatrixView<const float> other =
      offset->net().query_more(work.offset.net, queries, codes, first_row);
  return policy.append_probabilities(work.policy, queries, codes, first_row,
                                     {other, counted(queries.size())});
}

void Actor::cached_log_p(std::vector<float>& log_p, ActorWorkspace& work, const Queries& queries,
                         const Targets& targets, const QueryContext& context) const {
  if (offset == nullptr) return policy.cached_log_p(log_p, work.policy, targets);
  policy.log_p(log_p, work.policy, queries, targets, context,
               {work.offset.net.outputs.view(), counted(queries.size())});
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
    queries_.clear();
    query_of_.clear();
    batch.append_queries(queries_, query_of_, begin, end);
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
