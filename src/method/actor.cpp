#include "method/actor.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "method/cell_beliefs.h"

namespace vic {
namespace {

std::vector<int> counted(int count) {
  std::vector<int> list(count);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

// the cell of each query's goal, for each of L levels
Targets goal_targets(const Batch& batch, const Queries& queries, int L) {
  Targets targets;
  for (int m = 0; m < queries.size() * L; ++m) {
    targets.query.push_back(m);
    targets.choice.push_back(batch.codes->goal_cell[queries.goal[m / L]]);
  }
  return targets;
}

// every move of each query
Queries moves_of(const Queries& queries, int A) {
  Queries moves;
  for (int row : queries.row) {
    for (int a = 0; a < A; ++a) {
      moves.row.push_back(row);
      moves.action.push_back(a);
    }
  }
  return moves;
}

// p(a | tau, g) = pi_p(a | tau) b(g | tau, a) / b(g | tau), where b(g | tau, stop) = [s_t = g]
MatrixView<const float> by_bayes(const Model& belief, ActorWorkspace& work,
                                 MatrixView<const float> pi, const Queries& queries,
                                 const Histories& histories, const Codes& codes) {
  const int A = belief.shape().encoding.A;
  const MatrixView<const float> b = belief.probabilities(work.belief, moves_of(queries, A), codes);
  work.p.reshape(queries.size(), A + 1);
  for (int q = 0; q < queries.size(); ++q) {
    const int goal = queries.goal[q];
    float *p = work.p.row(q), sum = 0;
    for (int a = 0; a < A; ++a) sum += p[a] = pi(q, a) * b(Index{q} * A + a, goal);
    sum += p[A] = histories.state[queries.row[q]] == goal ? pi(q, A) : 0;
    // pi_p itself where b gives the goal no probability
    for (int a = 0; a <= A; ++a) p[a] = sum > 0 ? p[a] / sum : pi(q, a);
  }
  return work.p.view();
}

// d log p(a*) / d log b(g | tau, a) = [a = a*] - p(a): every move has the goal as its target
void add_belief_gradient(Block<float>& gradient, const Actor& actor, ActorWorkspace& work,
                         const Batch& batch, const Decisions& decisions) {
  const Model& belief = *actor.belief;
  const int A = belief.shape().encoding.A;
  const QueryContext context = batch.context();
  const Queries moves = moves_of(decisions.queries, A);
  Targets targets;
  for (int m = 0; m < moves.size(); ++m) {
    targets.query.push_back(m);
    targets.choice.push_back(decisions.queries.goal[m / A]);
  }
  std::vector<float> log_b, log_pi;
  belief.log_p(log_b, work.belief, moves, targets, context);
  actor.policy.cached_log_p(log_pi, work.policy, decisions.targets);
  const MatrixView<const float> pi = std::as_const(work.policy.categorical.p).view();

  std::vector<float> scale(targets.query.size(), 0), total(decisions.queries.size(), 0);
  for (std::size_t d = 0; d < decisions.scale.size(); ++d) {
    const int q = decisions.targets.query[d], a = decisions.targets.choice[d];
    total[q] += decisions.scale[d];
    if (a < A) scale[std::size_t(q) * A + a] += decisions.scale[d];
  }
  for (int q = 0; q < decisions.queries.size(); ++q) {
    const int goal = decisions.queries.goal[q];
    const auto weight = [&](int a) { return pi(q, a) * std::exp(log_b[std::size_t(q) * A + a]); };
    float sum = batch.histories.state[decisions.queries.row[q]] == goal ? pi(q, A) : 0;
    for (int a = 0; a < A; ++a) sum += weight(a);
    for (int a = 0; a < A && sum > 0; ++a) {
      scale[std::size_t(q) * A + a] -= total[q] * weight(a) / sum;
    }
  }
  belief.add_gradient(gradient, work.belief, moves, targets, scale, context);
}

// log b (Q, L) of the goal of each query, after each level of factor f; the action of a row has the
// number of the row
void query_goal_levels(std::vector<float>& log_b, const Actor& actor, ActorWorkspace& work,
                       const Batch& batch, const Queries& queries, int f) {
  const Queries levels = level_queries(queries.row, queries.row, f, actor.levels());
  actor.belief->log_p(log_b, work.belief, levels, goal_targets(batch, queries, actor.levels()),
                      batch.context());
}

// p(l | tau, g) = pi_p(l | tau) b(g | tau, l) / sum over the levels, of factor f
MatrixView<const float> levels_by_bayes(Buffer<float>& out, MatrixView<const float> pi, int f,
                                        int L, std::span<const float> log_b) {
  out.reshape(pi.rows, L);
  for (Index q = 0; q < pi.rows; ++q) {
    const float *prior = pi.row(q) + Index{f} * L, *own = &log_b[static_cast<std::size_t>(q * L)];
    const float largest = *std::max_element(own, own + L);
    float *p = out.row(q), sum = 0;
    for (int l = 0; l < L; ++l) sum += p[l] = prior[l] * std::exp(own[l] - largest);
    // pi_p itself where it takes none of the levels that lead to the goal
    for (int l = 0; l < L; ++l) p[l] = sum > 0 ? p[l] / sum : prior[l];
  }
  return std::as_const(out).view();
}

// d log p(l*) / d log b(g | tau, l) = [l = l*] - p(l), one factor after another
void add_cells_gradient(Block<float>& gradient, const Actor& actor, ActorWorkspace& work,
                        const Batch& batch, const Decisions& decisions) {
  const int F = actor.policy.shape().encoding.F, L = actor.levels();
  const QueryContext context = batch.context();
  const Queries& queries = decisions.queries;
  const Targets targets = goal_targets(batch, queries, L);
  std::vector<float> log_b, log_pi, scale;
  actor.policy.cached_log_p(log_pi, work.policy, decisions.targets);
  const MatrixView<const float> pi = std::as_const(work.policy.categorical.p).view();
  for (int f = 0; f < F; ++f) {
    query_goal_levels(log_b, actor, work, batch, queries, f);
    const MatrixView<const float> p = levels_by_bayes(work.p, pi, f, L, log_b);
    scale.assign(log_b.size(), 0);
    for (std::size_t d = 0; d < decisions.scale.size(); ++d) {
      const int q = decisions.targets.query[d], chosen = decisions.targets.choice[d * F + f];
      for (int l = 0; l < L; ++l) {
        scale[std::size_t(q) * L + l] +=
            decisions.scale[d] * ((l == chosen ? 1.0F : 0.0F) - p(q, l));
      }
    }
    actor.belief->add_gradient(gradient, work.belief, level_queries(queries.row, queries.row, f, L),
                               targets, scale, context);
  }
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
  // relative to the largest, so that not all vanish at a low temperature
  const double largest = temperature == 1 ? 1 : *std::max_element(p.begin(), p.end());
  for (double& x : p) sum += x = temperature == 1 ? x : std::pow(x / largest, 1 / temperature);
  for (double& x : p) x /= sum;
}

MatrixView<const float> Actor::action_probabilities(ActorWorkspace& work, const Batch& batch, int t,
                                                    const Queries& queries) const {
  const QueryContext context = batch.context();
  policy.net().encode_level(work.policy.net, context.tree, t, context.inputs);
  if (offset == nullptr) {
    const MatrixView<const float> pi =
        policy.append_probabilities(work.policy, queries, context.codes);
    if (belief == nullptr) return pi;
    belief->net().encode_level(work.belief.net, context.tree, t, context.inputs);
    if (!belief->is_categorical()) return pi;
    return by_bayes(*belief, work, pi, queries, context.histories, context.codes);
  }
  offset->net().encode_level(work.offset.net, context.tree, t, context.inputs);
  const MatrixView<const float> other =
      offset->net().query_more(work.offset.net, queries, context.codes);
  return policy.append_probabilities(work.policy, queries, context.codes,
                                     {other, counted(queries.size())});
}

MatrixView<const float> Actor::factor_probabilities(ActorWorkspace& work, const Batch& batch,
                                                    const Queries& queries,
                                                    MatrixView<const float> p, int f) const {
  const int L = levels();
  if (belief == nullptr) {
    work.p.reshape(p.rows, L);
    for (Index q = 0; q < p.rows; ++q) std::copy_n(p.row(q) + Index{f} * L, L, work.p.row(q));
    return std::as_const(work.p).view();
  }
  std::vector<float> log_b;
  query_goal_levels(log_b, *this, work, batch, queries, f);
  return levels_by_bayes(work.p, p, f, L, log_b);
}

void Actor::encode(ActorWorkspace& work, const QueryContext& context) const {
  policy.net().encode(work.policy.net, context.tree, context.inputs);
  if (belief != nullptr) belief->net().encode(work.belief.net, context.tree, context.inputs);
}

MatrixView<const float> Actor::probabilities(ActorWorkspace& work, const Queries& queries,
                                             const QueryContext& context) const {
  const MatrixView<const float> pi = policy.probabilities(work.policy, queries, context.codes);
  if (belief == nullptr) return pi;
  return by_bayes(*belief, work, pi, queries, context.histories, context.codes);
}

void Actor::cached_log_p(std::vector<float>& log_p, ActorWorkspace& work, const Queries& queries,
                         const Targets& targets, const QueryContext& context) const {
  if (offset == nullptr) return policy.cached_log_p(log_p, work.policy, targets);
  policy.log_p(log_p, work.policy, queries, targets, context,
               {work.offset.net.outputs.view(), counted(queries.size())});
}

void Actor::add_gradient(Block<float>& gradient, ActorWorkspace& work, const Batch& batch,
                         const Decisions& decisions) const {
  if (belief != nullptr && belief->is_categorical()) {
    return add_belief_gradient(gradient, *this, work, batch, decisions);
  }
  if (belief != nullptr) return add_cells_gradient(gradient, *this, work, batch, decisions);
  const QueryContext context = batch.context();
  std::vector<float> log_p;
  cached_log_p(log_p, work, decisions.queries, decisions.targets, context);
  policy.add_gradient(gradient, work.policy, decisions.queries, decisions.targets, decisions.scale,
                      context);
}

}  // namespace vic
