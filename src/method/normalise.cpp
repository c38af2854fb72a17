#include "method/normalise.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/process.h"

namespace vic {
namespace {

// log p of the targets, given each goal in turn; afterwards the model's own queries are restored
std::vector<std::vector<float>> query_goals(Scores& scores, const Agent& agent, Role role,
                                            Queries queries, const Targets& targets,
                                            std::span<const SampledGoal> goals,
                                            const ScoreInputs& inputs) {
  std::vector<std::vector<float>> log_p(goals.size());
  std::vector<int> rows(queries.row.size());
  std::iota(rows.begin(), rows.end(), 0);
  for (std::size_t k = 0; k < goals.size(); ++k) {
    queries.goal.assign(queries.row.size(), goals[k].code);
    query_encoded(log_p[k], scores, agent, role, queries, targets, rows, inputs);
  }
  ModelScore& own = scores.of(agent, role);
  query_encoded(own.log_p, scores, agent, role, own.queries, own.targets, own.offset_row, inputs);
  return log_p;
}

// log f(tau, g) of the options that ended in each row, for one goal g, (R)
std::vector<double> log_products(const Batch& batch, const std::vector<float>& log_pi,
                                 const std::vector<float>* log_rho, double lambda) {
  const Histories& tree = batch.histories;
  std::vector<double> way(tree.rows(), 0), log_f(tree.rows(), 0);
  for (int r = 0; r < tree.rows(); ++r) {
    if (r >= tree.roots()) {
      way[r] = way[tree.parent[r]] + double(log_pi[batch.into[r]]);
      if (log_rho != nullptr) way[r] += lambda * double((*log_rho)[r - tree.roots()]);
    }
    log_f[r] = way[r] + (batch.stop[r] < 0 ? 0 : double(log_pi[batch.stop[r]]));
  }
  return log_f;
}

}  // namespace

std::vector<SampledGoal> goals_of(std::span<const End> ends, const RunningFrequencies& p,
                                  int most) {
  std::vector<SampledGoal> goals;
  const auto find = [&](int cell) { return std::ranges::find(goals, cell, &SampledGoal::cell); };
  double options = 0;
  for (const End& end : ends) options += end.options;
  for (const End& end : ends) {
    if (static_cast<int>(goals.size()) > most) break;
    if (find(end.cell) == goals.end()) goals.push_back({end.cell, end.goal, p.p(0, end.cell)});
  }
  if (static_cast<int>(goals.size()) <= most) return goals;
  goals.clear();
  double seen = 0;
  int next = 0;
  for (const End& end : ends) {
    seen += end.options;
    for (; next < most && next * options < seen * most; ++next) {
      if (find(end.cell) == goals.end()) goals.push_back({end.cell, end.goal, 0});
      find(end.cell)->share += 1;
    }
  }
  return goals;
}

double normalised_reward(double p, double log_f, std::span<const OtherGoal> others) {
  double largest = 0;
  for (const OtherGoal& other : others) {
    if (other.weight > 0) largest = std::max(largest, other.log_f - log_f);
  }
  double sum = p * std::exp(-largest);
  for (const OtherGoal& other : others) {
    sum += other.weight * std::exp(other.log_f - log_f - largest);
  }
  // rounding must not lift it above its bound
  return std::min(-std::log(sum) - largest, -std::log(p));
}

void normalise_rewards(Scores& scores, const Agent& agent, const ScoreInputs& inputs) {
  const Batch& batch = inputs.batch;
  const EndFrequencies p(agent, inputs);
  std::vector<SampledGoal> own_goals;
  if (inputs.goals.empty()) own_goals = goals_of(ends_of(batch), p.counts(), agent.settings.goals);
  // those that were not counted lately
  for (SampledGoal& goal : own_goals) {
    if (goal.share == 0) goal.share = p(goal.cell);
  }
  const std::span<const SampledGoal> goals = inputs.goals.empty() ? own_goals : inputs.goals;

  const bool has_rho = agent.find(Role::rho_q) != nullptr;
  std::vector<std::vector<float>> log_pi, log_rho;  // (goals)
  std::vector<std::function<void()>> tasks = {[&] {
    log_pi = query_goals(scores, agent, Role::pi_q, scores.decisions.queries,
                         scores.decisions.targets, goals, inputs);
  }};
  if (has_rho && scores.of(agent, Role::rho_p).queries.size() > 0) {
    tasks.push_back([&] {
      const ModelScore& moves = scores.of(agent, Role::rho_p);
      log_rho =
          query_goals(scores, agent, Role::rho_q, moves.queries, moves.targets, goals, inputs);
    });
  }
  run_tasks(tasks, inputs.threads);

  const double lambda = agent.algorithm->lambda_of(agent.settings) + inputs.more_lambda;
  std::vector<std::vector<double>> log_f;  // (goals)
  for (std::size_t k = 0; k < goals.size(); ++k) {
    log_f.push_back(
        log_products(batch, log_pi[k], log_rho.empty() ? nullptr : &log_rho[k], lambda));
  }
  std::vector<OtherGoal> others;
  for (int r = 0; r < batch.histories.rows(); ++r) {
    if (batch.ended[r] == 0) continue;
    const double own = p(batch.cell[r]);
    double shares = 0;
    others.clear();
    for (std::size_t k = 0; k < goals.size(); ++k) {
      if (goals[k].cell == batch.cell[r]) continue;
      others.push_back({goals[k].share, log_f[k][r]});
      shares += goals[k].share;
    }
    // together they stand for all options that did not end here
    for (OtherGoal& other : others) other.weight *= (1 - own) / shares;
    scores.reward[r] = normalised_reward(own, scores.reward[r], others);
  }
}

}  // namespace vic
