#include "eval/audit.h"

#include <algorithm>
#include <cmath>

#include "info/entropy.h"

namespace vic {
namespace {

// The terms log rho_q - log p of a batch in hindsight, one for each pair but the root's. rho_q is
// normalised over the successors that the world has, which makes the bound no worse.
std::vector<double> transition_terms(Predictor& rho_q, const TabularWorld& world,
                                     const Batch& batch, const Hindsight& look,
                                     const Asked& asked) {
  const Histories& tree = batch.histories;
  Queries queries;
  Outcomes outcomes;
  // pairs of siblings ask the same question more than once, and are few
  for (int k = look.first[tree.roots()]; k < static_cast<int>(look.row.size()); ++k) {
    const int r = look.row[k], s = tree.state[tree.parent[r]], a = tree.action[r];
    queries.row.push_back(tree.parent[r]);
    queries.action.push_back(a);
    queries.goal.push_back(look.final_state[k]);
    for (int e = world.first[s * world.A + a]; e < world.first[s * world.A + a + 1]; ++e) {
      outcomes.query.push_back(queries.size() - 1);
      outcomes.choice.push_back(world.next[e]);
    }
  }
  std::vector<double> terms(look.row.size(), 0);
  if (queries.size() == 0) return terms;
  std::vector<float> log_p;
  rho_q.model().encode(asked.tree, asked.inputs);
  rho_q.log_p(log_p, queries, outcomes, asked);
  std::size_t m = 0;
  for (int k = look.first[tree.roots()]; k < static_cast<int>(look.row.size()); ++k) {
    const int r = look.row[k], s = tree.state[tree.parent[r]], a = tree.action[r];
    const int begin = world.first[s * world.A + a], end = world.first[s * world.A + a + 1];
    const std::vector<double> all(log_p.begin() + static_cast<std::ptrdiff_t>(m),
                                  log_p.begin() + static_cast<std::ptrdiff_t>(m) + (end - begin));
    const double total = log_sum_exp(all, std::vector<double>(all.size(), 1));
    for (int e = begin; e < end; ++e, ++m) {
      if (world.next[e] == tree.state[r]) terms[k] = all[e - begin] - total - std::log(world.p[e]);
    }
  }
  return terms;
}

}  // namespace

double SampleMean::ci95() const {
  const double variance = std::max(0.0, square_ / weight_ - mean() * mean());
  return 1.96 * std::sqrt(variance / weight_);
}

std::unique_ptr<Learner> make_auditor(Learner& learner, const AuditSettings& settings) {
  TrainSettings train = learner.settings();
  train.algorithm = "transition";
  // the reward of the auditor is the bound of D alone
  train.lambda = train.alpha = train.entropy_bonus = 0;
  train.seed = settings.seed;
  // a warm-up without end: its rate falls, and the policy stays
  train.warm_up = settings.updates;
  train.updates = 1;
  train.batch = 256;
  train.learning_rate = 3e-3;
  train.final_rate = 0.03;
  auto auditor = std::make_unique<Learner>(learner.world(), train);
  const std::vector<Predictor*> from = learner.predictors(), to = auditor->predictors();
  for (std::size_t i = 0; i < from.size(); ++i) {
    // the mixtures of Algorithm 2 are another kind of model
    if (from[i]->model().shape().outputs != to[i]->model().shape().outputs) continue;
    to[i]->model().parameters().values = from[i]->model().parameters().values;
  }
  for (int u = 0; u < settings.updates; ++u) auditor->update();
  return auditor;
}

void add_bounds(Bounds& bounds, Learner& auditor, const Batch& batch,
                const HistoryInputs<float>& inputs) {
  const Histories& tree = batch.histories;
  const Asked asked{tree, inputs.view(), batch.tree()};
  const std::vector<double>& D = auditor.intrinsic_rewards(batch, inputs);
  Hindsight look;
  look.look_back(batch);
  Predictor& rho_q = *auditor.predictors()[3];
  std::vector<double> N = transition_terms(rho_q, auditor.world(), batch, look, asked);
  for (std::size_t k = 0; k < N.size(); ++k) {
    if (look.parent[k] >= 0) N[k] += N[look.parent[k]];
  }
  for (int r = 0; r < tree.rows(); ++r) {
    if (batch.ended[r] == 0) continue;
    bounds.D.add(batch.ended[r], D[r]);
    bounds.N.add(batch.ended[r], N[look.find(r, tree.state[r])]);
  }
}

}  // namespace vic
