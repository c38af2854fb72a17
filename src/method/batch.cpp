#include "method/batch.h"

#include <algorithm>
#include <utility>

#include "info/entropy.h"

namespace vic {

void Batch::clear() {
  for (auto* list : {&goal, &cell, &decision_row, &decision_action, &into, &stop}) list->clear();
  for (auto* list : {&ended, &external}) list->clear();
  forced.clear();
  decision_weight.clear();
  decided_levels = 0;
}

Tree Batch::tree() const {
  return tree_of(histories, decided_levels);
}

void Batch::append_queries(Queries& queries, std::vector<int>& query_of, int begin, int end) const {
  for (int row = begin; row < end; ++row) {
    query_of.push_back(forced[row] ? -1 : queries.size());
    if (forced[row]) continue;
    queries.row.push_back(row);
    const int own = goal[histories.root[row]];
    if (own >= 0) queries.goal.push_back(own);
  }
}

int Hindsight::find(int at, int s_f) const {
  for (int k = first[at]; k < first[at + 1]; ++k) {
    if (final_state[k] == s_f) return k;
  }
  return -1;
}

void Hindsight::look_back(const Batch& batch) {
  collect_goals(batch);
  number_pairs(batch);
  number_decisions(batch);
}

// the final states that each row led to, from the last row to the first: children before parents
void Hindsight::collect_goals(const Batch& batch) {
  const Histories& tree = batch.histories;
  const int R = tree.rows();
  if (static_cast<int>(goals_.size()) < R) goals_.resize(R);
  for (int r = 0; r < R; ++r) goals_[r].clear();
  const auto add = [&](int at, Goal goal) {
    for (Goal& known : goals_[at]) {
      if (known.s_f != goal.s_f) continue;
      known.count += goal.count;
      return;
    }
    goals_[at].push_back(goal);
  };
  for (int r = R - 1; r >= 0; --r) {
    if (batch.ended[r] > 0) add(r, {tree.state[r], batch.ended[r]});
    if (r < tree.roots()) continue;
    for (const Goal& goal : goals_[r]) add(tree.parent[r], goal);
  }
}

// numbers the pairs and finds their parents
void Hindsight::number_pairs(const Batch& batch) {
  const Histories& tree = batch.histories;
  const float share = 1.0F / static_cast<float>(batch.options);
  for (auto* list : {&first, &row, &final_state, &parent}) list->clear();
  weight.clear();
  for (int r = 0; r < tree.rows(); ++r) {
    first.push_back(static_cast<int>(row.size()));
    for (const Goal& goal : goals_[r]) {
      row.push_back(r);
      final_state.push_back(goal.s_f);
      weight.push_back(static_cast<float>(goal.count) * share);
      parent.push_back(r < tree.roots() ? -1 : find(tree.parent[r], goal.s_f));
    }
  }
  first.push_back(static_cast<int>(row.size()));
}

// numbers the decisions of each pair
void Hindsight::number_decisions(const Batch& batch) {
  const Histories& tree = batch.histories;
  const float share = 1.0F / static_cast<float>(batch.options);
  const int P = static_cast<int>(row.size());
  for (auto* list : {&into, &stop, &decision_pair, &decision, &before_}) list->clear();
  decision_weight.clear();
  last_of_.assign(P, -1);
  const auto decide = [&](int pair, int batch_decision, float share_of_options) {
    int e = last_of_[pair];
    while (e >= 0 && decision[e] != batch_decision) e = before_[e];
    if (e < 0) {
      e = static_cast<int>(decision.size());
      before_.push_back(std::exchange(last_of_[pair], e));
      decision_pair.push_back(pair);
      decision.push_back(batch_decision);
      decision_weight.push_back(0);
    }
    decision_weight[e] += share_of_options;
    return e;
  };
  for (int k = 0; k < P; ++k) {
    const int r = row[k];
    into.push_back(parent[k] < 0 ? -1 : decide(parent[k], batch.into[r], weight[k]));
    const bool stops = batch.stop[r] >= 0 && final_state[k] == tree.state[r];
    const float ended = static_cast<float>(batch.ended[r]) * share;
    stop.push_back(stops ? decide(k, batch.stop[r], ended) : -1);
  }
}

void Decisions::read(const Batch& batch, const Encoding& encoding) {
  queries.clear();
  targets.clear();
  query_of_.clear();
  batch.append_queries(queries, query_of_, 0, batch.histories.rows());
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

void CriticValues::clear() {
  V.clear();
  Q.clear();
  reward.clear();
  weight = 1;
}

void Decisions::add_differences(const Batch& batch, const CriticValues& critic,
                                MatrixView<const float> p, double td) {
  const Histories& tree = batch.histories;
  const int R = tree.rows();
  const std::vector<double>&reward = critic.reward, &V = critic.V;
  const bool has_Q = !critic.Q.empty();
  const auto choice = [&](int q, int a) { return static_cast<std::size_t>(q * p.cols + a); };
  const auto Q_of = [&](int d) {
    return critic.Q[choice(query_of_[batch.decision_row[d]], batch.decision_action[d])];
  };
  sum_.assign(R, 0);                  // share times A in the row, over the options that pass it
  std::vector<double> passing(R, 0);  // their share
  for (int r = R - 1; r >= 0; --r) {
    const double ended = batch.ended[r] / batch.options;
    passing[r] += ended;
    if (const int d = batch.stop[r]; d >= 0) {
      const double Q = has_Q ? Q_of(d) : reward[r];
      const double step = ended * (Q - V[r]), rest = td * ended * (reward[r] - Q);
      scale[d] += static_cast<float>(has_Q ? rest : step + rest);
      sum_[r] += step + rest;
    }
    if (r < tree.roots()) continue;
    const int x = tree.parent[r], d = batch.into[r];
    const double then = batch.forced[r] ? reward[r] : V[r], Q = has_Q ? Q_of(d) : then;
    const double step = passing[r] * (Q - V[x]), rest = td * (passing[r] * (then - Q) + sum_[r]);
    scale[d] += static_cast<float>(has_Q ? rest : step + rest);
    sum_[x] += step + rest;
    passing[x] += passing[r];
  }
  for (int q = 0; has_Q && q < queries.size(); ++q) {
    const int x = queries.row[q];
    for (int a = 0; a < p.cols; ++a) {
      targets.query.push_back(q);
      targets.choice.push_back(a);
      scale.push_back(
          static_cast<float>(passing[x] * double(p(q, a)) * (critic.Q[choice(q, a)] - V[x])));
    }
  }
}

double RunningFrequencies::mean_entropy() const {
  double total = 0;
  int known = 0;
  std::vector<double> p_f(S);
  for (int x = 0; x < static_cast<int>(weight.size()); ++x) {
    if (!knows(x)) continue;
    for (int s = 0; s < S; ++s) p_f[s] = p(x, s);
    total += entropy(p_f);
    ++known;
  }
  return known > 0 ? total / known : 0;
}

std::vector<End> ends_of(const Batch& batch, std::span<const int> start_of) {
  const Histories& tree = batch.histories;
  std::vector<End> ends;
  for (int r = 0; r < tree.rows(); ++r) {
    if (batch.ended[r] == 0) continue;
    const int start = start_of.empty() ? 0 : start_of[tree.root[r]];
    ends.push_back({start, batch.cell[r], tree.state[r], batch.ended[r],
                    std::max(0, batch.goal[tree.root[r]])});
  }
  return ends;
}

void RunningFrequencies::add(std::span<const End> ends, double decay, int End::*row) {
  for (double& x : sum) x *= decay;
  for (double& x : weight) x *= decay;
  double all = 0;
  for (const End& end : ends) all += end.options;
  const double share = (1 - decay) / all;
  std::vector<double> options(weight.size(), 0);
  for (const End& end : ends) {
    sum[static_cast<std::size_t>(end.*row) * S + end.cell] += share * end.options;
    options[end.*row] += end.options;
  }
  for (std::size_t x = 0; x < weight.size(); ++x) {
    weight[x] += (1 - decay) * (options[x] / all);
  }
}

}  // namespace vic
