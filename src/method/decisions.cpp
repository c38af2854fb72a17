#include "method/decisions.h"

namespace vic {

void Decisions::read(const Batch& batch, const Encoding& encoding) {
  const Histories& tree = batch.histories;
  queries.clear();
  targets.clear();
  query_of_.assign(tree.rows(), -1);
  for (int row : batch.decision_row) query_of_[row] = 0;
  for (int row = 0; row < tree.rows(); ++row) {
    if (query_of_[row] < 0) continue;
    query_of_[row] = queries.size();
    queries.row.push_back(row);
    const int goal = batch.goal[tree.root[row]];
    if (goal >= 0) queries.goal.push_back(goal);
  }
  for (int row : batch.decision_row) targets.query.push_back(query_of_[row]);
  for (int a : batch.decision_action) batch.codes->append_choices(targets.choice, encoding, a);
}

void Decisions::set_advantages(const Batch& batch, std::span<const double> advantage) {
  const Histories& tree = batch.histories;
  sum_.assign(tree.rows(), 0);
  scale.assign(batch.decision_row.size(), 0);
  for (int r = tree.rows() - 1; r >= 0; --r) {
    const double here = batch.ended[r] * advantage[r] / static_cast<double>(batch.options);
    if (batch.stop[r] >= 0) scale[batch.stop[r]] = static_cast<float>(here);
    sum_[r] += here;
    if (r < tree.roots()) continue;
    sum_[tree.parent[r]] += sum_[r];
    scale[batch.into[r]] += static_cast<float>(sum_[r]);
  }
}

}  // namespace vic
