#include "method/tree_sampler.h"

#include <algorithm>

namespace vic {

TreeSampler::TreeSampler(const TabularWorld& world, const Encoding& encoding,
                         std::shared_ptr<const Codes> codes)
    : TableSampler(world, encoding, std::move(codes)),
      rows_(enumerate_histories(world, largest_rows).value().rows()) {}

int TreeSampler::most_rows(int) const {
  return rows_;
}

void TreeSampler::begin(Batch& batch, std::span<const Beginning> beginnings,
                        RolloutAddress address) {
  TableSampler::begin(batch, beginnings, address);
  passing_.assign(batch.histories.roots(), 0);
  for (const int root : at_) passing_[root] += 1;
}

bool TreeSampler::step(Batch& batch, int t, const Deciding& by, RolloutAddress) {
  const int begin = batch.histories.first[t], end = batch.histories.first[t + 1];
  const int A = world_.A;
  for (int row = begin; row < end; ++row) {
    if (batch.forced[row]) {
      batch.ended[row] = passing_[row];
      continue;
    }
    const float* pi = by.p.row(query_of_[row - begin]);
    std::copy(pi, pi + A + 1, p_.begin());
    temper(p_, by.actor.temperature);
    const int s = batch.histories.state[row];
    for (int a = 0; a <= A; ++a) {
      const double deciding = passing_[row] * p_[a];
      if (deciding == 0) continue;
      const int decision = static_cast<int>(batch.decision_row.size());
      batch.decision_row.push_back(row);
      batch.decision_action.push_back(a);
      batch.decision_weight.push_back(static_cast<float>(deciding));
      if (a == A) {
        batch.ended[row] = deciding;
        batch.stop[row] = decision;
        continue;
      }
      for (int e = world_.begin(s, a); e < world_.end(s, a); ++e) {
        const int next = world_.next[e];
        batch.histories.add(row, a, next);
        add_row(batch, t + 1, next, batch.external[row] + world_.reward(s, next), decision);
        passing_.push_back(deciding * world_.p[e]);
      }
    }
  }
  return batch.histories.rows() > end;
}

}  // namespace vic
