#include "method/decisions.h"

namespace vic {

void Decisions::read(const Batch& batch, const ActionCode& actions) {
  const Histories& tree = batch.histories;
  queries.clear();
  outcomes.clear();
  query_of_.assign(tree.rows(), -1);
  for (int row : batch.decision_row) query_of_[row] = 0;
  for (int row = 0; row < tree.rows(); ++row) {
    if (query_of_[row] < 0) continue;
    query_of_[row] = queries.size();
    queries.row.push_back(row);
    const int told = batch.told[tree.root[row]];
    if (told >= 0) queries.goal.push_back(told);
  }
  for (int row : batch.decision_row) outcomes.query.push_back(query_of_[row]);
  for (int a : batch.decision_action) actions.append_choices(outcomes.choice, a);
}

void Decisions::weigh(const Batch& batch, std::span<const double> gain) {
  const Histories& tree = batch.histories;
  advantage_.assign(tree.rows(), 0);
  scale.assign(batch.decision_row.size(), 0);
  for (int r = tree.rows() - 1; r >= 0; --r) {
    const double here = batch.ended[r] * gain[r] / static_cast<double>(batch.options);
    if (batch.stop[r] >= 0) scale[batch.stop[r]] = static_cast<float>(here);
    advantage_[r] += here;
    if (r < tree.roots()) continue;
    advantage_[tree.parent[r]] += advantage_[r];
    scale[batch.into[r]] += static_cast<float>(advantage_[r]);
  }
}

}  // namespace vic
