#include "method/cell_beliefs.h"

#include <cmath>

#include "method/beliefs.h"

namespace vic {
namespace {

// the action and the final cell of the option that passes each row
struct Passing {
  std::vector<int> end;     // (R) the cell, as b numbers cells
  std::vector<int> action;  // (R) -1 where the option has ended

  Passing(const SimulatorSpec& spec, const Batch& batch) {
    const Histories& tree = batch.histories;
    end.assign(tree.rows(), -1);
    action.assign(tree.rows(), -1);
    for (int r = tree.rows() - 1; r >= 0; --r) {
      if (batch.ended[r] > 0) end[r] = near_cell(spec, batch.cell[r], near_limit);
      if (r < tree.roots()) continue;
      end[tree.parent[r]] = end[r];
      action[tree.parent[r]] = tree.action[r];
    }
  }
};

// log sum_l pi[l] exp(log_b[l])
double log_mean(const float* pi, const float* log_b, int L) {
  float largest = log_b[0];
  for (int l = 1; l < L; ++l) largest = std::max(largest, log_b[l]);
  double sum = 0;
  for (int l = 0; l < L; ++l) sum += double(pi[l]) * std::exp(double(log_b[l] - largest));
  return double(largest) + std::log(sum);
}

// log b(c | ...) before and after each factor that was decided in a row, for its option's cell c
struct FactorBeliefs {
  int F;
  std::vector<double> before, after;  // (Q, F) of the rows that have a choice
};

// queries b about each level of each factor
FactorBeliefs query_levels(Scores& scores, const Agent& agent, const ScoreInputs& inputs,
                           const Passing& passing) {
  const int F = agent.encoding.F, L = agent.encoding.L;
  const std::vector<int>& rows = scores.decisions.queries.row;
  const auto p = std::as_const(scores.policy.policy.categorical.p).view();
  FactorBeliefs beliefs{F, std::vector<double>(rows.size() * F), {}};
  beliefs.after = beliefs.before;
  std::vector<int> actions;
  for (int row : rows) actions.push_back(passing.action[row]);
  std::vector<float> log_b;
  for (int f = 0; f < F; ++f) {
    const Queries queries = level_queries(rows, actions, f, L);
    Targets targets;
    for (int q = 0; q < queries.size(); ++q) {
      targets.query.push_back(q);
      targets.choice.push_back(passing.end[queries.row[q]]);
    }
    query_encoded(log_b, scores, agent, Role::belief, queries, targets, {}, inputs);
    for (std::size_t q = 0; q < rows.size(); ++q) {
      const float* own = &log_b[q * L];
      beliefs.before[q * F + f] = log_mean(p.row(static_cast<Index>(q)) + f * L, own, L);
      const int chosen = inputs.batch.codes->choice(agent.encoding, actions[q], f);
      beliefs.after[q * F + f] = double(own[chosen]);
    }
  }
  return beliefs;
}

}  // namespace

std::vector<float> surprise_at_start(const Agent& agent, const Batch& batch) {
  const int L = agent.encoding.L;
  const Model& b = *agent.find(Role::belief);
  const auto cells = static_cast<int>(std::get<LogisticCells>(b.head()).cells());
  const Queries queries = level_queries(std::vector{0}, std::vector{0}, 0, L);
  Targets targets;
  for (int l = 0; l < L; ++l) {
    for (int c = 0; c < cells; ++c) {
      targets.query.push_back(l);
      targets.choice.push_back(c);
    }
  }
  const QueryContext context = batch.context();
  ModelWorkspace of_b, of_pi;
  std::vector<float> log_b, of_cell(L), surprise(cells);
  b.net().encode(of_b.net, context.tree, context.inputs, queries);
  b.log_p(log_b, of_b, queries, targets, context);
  const Queries first{.row = {0}, .action = {}, .goal = {}};
  agent.pi_p().net().encode(of_pi.net, context.tree, context.inputs, first);
  const float* pi = agent.pi_p().probabilities(of_pi, first, context.codes).row(0);
  for (int c = 0; c < cells; ++c) {
    for (int l = 0; l < L; ++l) of_cell[l] = log_b[std::size_t(l) * cells + c];
    surprise[c] = -static_cast<float>(log_mean(pi, of_cell.data(), L));
  }
  return surprise;
}

Queries level_queries(std::span<const int> rows, std::span<const int> actions, int f, int L) {
  Queries queries;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (int l = 0; l < L; ++l) {
      queries.row.push_back(rows[i]);
      queries.action.push_back(actions[i]);
      queries.factors.push_back(f + 1);
      queries.level.push_back(l);
    }
  }
  return queries;
}

void query_cells(ModelScore& own, const Agent& agent, const Batch& batch) {
  const Histories& tree = batch.histories;
  const Passing passing(agent.simulator()->spec(), batch);
  const int F = rewards_by_belief(agent) ? agent.encoding.F : 0;
  const float share = 1.0F / static_cast<float>(batch.options * (F + 1));
  for (int decided = 0; decided <= F; ++decided) {
    for (int r = tree.rows() - 1; r >= 0; --r) {
      if (batch.forced[r]) continue;
      own.targets.query.push_back(own.queries.size());
      own.targets.choice.push_back(passing.end[r]);
      own.weight.push_back(share);
      own.queries.row.push_back(r);
      if (const int skill = batch.goal[tree.root[r]]; skill >= 0) own.queries.goal.push_back(skill);
      if (F == 0) continue;
      own.queries.action.push_back(passing.action[r]);
      own.queries.factors.push_back(decided);
    }
  }
}

// sums the reward along the history of each option, factor by factor
void reward_cells(Scores& scores, const Agent& agent, const ScoreInputs& inputs) {
  const Batch& batch = inputs.batch;
  const Histories& tree = batch.histories;
  const FactorBeliefs beliefs =
      query_levels(scores, agent, inputs, Passing(agent.simulator()->spec(), batch));
  // restores b's first queries, from which it learns
  ModelScore& own = scores.of(agent, Role::belief);
  query_encoded(own.log_p, scores, agent, Role::belief, own.queries, own.targets, {}, inputs);

  const double lambda = agent.algorithm->lambda_of(agent.settings) + inputs.more_lambda;
  const int F = beliefs.F;
  std::vector<double> way(tree.rows(), 0);
  for (int r = tree.roots(); r < tree.rows(); ++r) {
    const int x = tree.parent[r];
    const std::size_t q = std::size_t(scores.decisions.query_of(x)) * F;
    way[r] = way[x];
    for (int f = 0; f < F; ++f) {
      const double after = beliefs.after[q + f];
      const bool last = f + 1 == F;
      // log b before the next factor: of this row, of the next row, or 0 at the end
      const double next = !last ? beliefs.before[q + f + 1]
                          : batch.forced[r]
                              ? 0
                              : beliefs.before[std::size_t(scores.decisions.query_of(r)) * F];
      way[r] += after - beliefs.before[q + f] + lambda * (next - after);
    }
    if (batch.ended[r] > 0) scores.reward[r] = way[r];
  }
}

}  // namespace vic
