#include "method/beliefs.h"

#include <algorithm>
#include <cmath>

#include "method/cell_beliefs.h"
#include "method/scores.h"

namespace vic {
namespace {

// s_f: a state of a table, or a cell of a simulated world
Head final_state_head(const Agent& agent) {
  const Simulator* simulator = agent.simulator();
  if (simulator == nullptr) return state_classes(agent.table(), agent.settings.encoding);
  LogisticCells cells;
  for (const Coordinate& coordinate : simulator->spec().coordinates) {
    cells.axes.push_back({.bins = 2 * std::min(coordinate.limit, near_limit) + 1});
  }
  cells.falls = simulator->spec().falls;
  return cells;
}

}  // namespace

std::vector<ModelSpec> belief_models(const TrainSettings&) {
  return {{.role = Role::belief,
           .conditioning = {.action = true},
           .head = final_state_head,
           .reads_all = true}};
}

bool rewards_by_belief(const Agent& agent) {
  return agent.algorithm->models == belief_models;
}

void query_belief(Scores& scores, const Agent& agent, const Batch& batch) {
  const int A = agent.encoding.A;
  const Hindsight& look = scores.hindsight;
  ModelScore& own = scores.of(agent, Role::belief);
  if (agent.simulator() != nullptr) return query_cells(own, agent, batch);
  std::vector<int>& query_of = scores.move_query;
  query_of.assign(std::size_t(batch.histories.rows()) * A, -1);
  const auto add = [&](int row, int a) {
    int& query = query_of[std::size_t(row) * A + a];
    if (query >= 0) return;
    query = own.queries.size();
    own.queries.row.push_back(row);
    own.queries.action.push_back(a);
  };
  for (std::size_t d = 0; d < batch.decision_row.size(); ++d) {
    if (batch.decision_action[d] < A) add(batch.decision_row[d], batch.decision_action[d]);
  }
  for (std::size_t e = 0; e < look.decision.size(); ++e) {
    const int d = look.decision[e], a = batch.decision_action[d];
    if (a == A) continue;
    own.targets.query.push_back(query_of[std::size_t(batch.decision_row[d]) * A + a]);
    own.targets.choice.push_back(look.final_state[look.decision_pair[e]]);
    own.weight.push_back(look.decision_weight[e]);
  }
  for (int row : scores.decisions.queries.row) {
    for (int a = 0; a < A; ++a) add(row, a);
  }
}

BatchBeliefs::BatchBeliefs(Scores& scores, const Agent& agent, const Batch& batch)
    : scores_(scores),
      batch_(batch),
      model_(*agent.find(Role::belief)),
      own_(scores.of(agent, Role::belief)),
      A_(agent.encoding.A),
      S_(agent.final_states()) {}

int BatchBeliefs::query_of(int row, int a) const {
  return scores_.move_query[std::size_t(row) * A_ + a];
}

const float* BatchBeliefs::policy(int row) const {
  return scores_.policy.policy.categorical.p.row(scores_.decisions.query_of(row));
}

const float* BatchBeliefs::after(int row, int a) const {
  return own_.work.categorical.p.row(query_of(row, a));
}

std::pair<const float*, float> BatchBeliefs::logits_after(int row, int a) const {
  const int q = query_of(row, a);
  return {own_.work.logits.row(q), own_.work.categorical.log_sum.row(q)[0]};
}

double BatchBeliefs::log_after(int row, int a, int s_f) const {
  const auto [logits, log_sum] = logits_after(row, a);
  return double(logits[s_f]) - double(log_sum);
}

void BatchBeliefs::before(float* p, int row) const {
  const float* pi = policy(row);
  std::fill_n(p, S_, 0.0F);
  p[batch_.histories.state[row]] = pi[A_];
  for (int a = 0; a < A_; ++a) {
    const float* then = after(row, a);
    for (int c = 0; c < S_; ++c) p[c] += pi[a] * then[c];
  }
}

double BatchBeliefs::log_before(int row, int s_f) const {
  if (batch_.forced[row]) return 0;
  const float* pi = policy(row);
  double sum = batch_.histories.state[row] == s_f ? double(pi[A_]) : 0;
  for (int a = 0; a < A_; ++a) sum += double(pi[a]) * std::exp(log_after(row, a, s_f));
  // the sum of such floats is 0 only where an exponential underflows
  constexpr double smallest = 1e-300;
  return std::log(std::max(sum, smallest));
}

double BatchBeliefs::chance(int row, int a) const {
  return double(model_.number(own_.work, query_of(row, a)));
}

}  // namespace vic
