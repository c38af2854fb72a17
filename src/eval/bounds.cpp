#include "eval/bounds.h"

#include <algorithm>
#include <cmath>

#include "info/entropy.h"

namespace vic {
namespace {

// The policy and pi_q alone: their reward as implicit VIC is the bound of D.
Agent control_of(const Agent& models) {
  Agent control = models;
  control.settings.algorithm = "implicit";
  control.algorithm = &find_algorithm("implicit");
  std::erase_if(control.models, [](const AgentModel& model) {
    return model.spec.role == Role::rho_p || model.spec.role == Role::rho_q;
  });
  return control;
}

// The terms log rho_q - log p of a batch in hindsight, one for each pair except the roots'. rho_q
// is normalised over the possible successors, which cannot loosen the bound.
std::vector<double> transition_terms(ModelWorkspace& work, const Model& rho_q,
                                     const TabularWorld& world, const Batch& batch,
                                     const Hindsight& look) {
  const Histories& tree = batch.histories;
  Queries queries;
  Targets targets;
  // siblings repeat queries, but there are few of them
  for (int k = look.first[tree.roots()]; k < static_cast<int>(look.row.size()); ++k) {
    const int r = look.row[k], s = tree.state[tree.parent[r]], a = tree.action[r];
    queries.row.push_back(tree.parent[r]);
    queries.action.push_back(a);
    queries.goal.push_back(look.final_state[k]);
    for (int e = world.first[s * world.A + a]; e < world.first[s * world.A + a + 1]; ++e) {
      targets.query.push_back(queries.size() - 1);
      targets.choice.push_back(world.next[e]);
    }
  }
  std::vector<double> terms(look.row.size(), 0);
  if (queries.size() == 0) return terms;
  std::vector<float> log_p;
  const QueryContext context = batch.context();
  rho_q.net().encode(work.net, context.tree, context.inputs);
  rho_q.log_p(log_p, work, queries, targets, context);
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

std::unique_ptr<Learner> train_bounds(const Agent& agent, const BoundSettings& settings,
                                      const Step& step) {
  TrainSettings train = agent.settings;
  train.algorithm = "transition";
  // the reward is the bound of D alone
  train.lambda = train.alpha = train.entropy_bonus = 0;
  train.normalise = Normalise::none;
  train.seed = settings.seed;
  // the warm-up never ends: its learning rate falls, and the policy stays fixed
  train.warm_up = settings.updates;
  train.updates = 1;
  train.batch = 256;
  train.learning_rate = 3e-3;
  train.final_rate = 0.03;
  Agent models = make_agent(agent.world, train);
  for (AgentModel& to : models.models) {
    for (const AgentModel& from : agent.models) {
      // the mixtures of Algorithm 2 are a different kind of model
      if (from.spec.role != to.spec.role || from.spec.head != to.spec.head) continue;
      to.model.net().parameters().values = from.model.net().parameters().values;
    }
  }
  auto learner = std::make_unique<Learner>(std::move(models));
  for (int u = 0; u < settings.updates; ++u) {
    if (step) step(u, settings.updates);
    learner->update();
  }
  return learner;
}

void add_bounds(Bounds& bounds, BoundsWorkspace& work, const Agent& models, const Batch& batch) {
  const Histories& tree = batch.histories;
  const std::vector<double>& D = intrinsic_rewards(work.scores, control_of(models), batch);
  const Hindsight& look = work.scores.hindsight;
  std::vector<double> N =
      transition_terms(work.rho_q, *models.find(Role::rho_q), models.table(), batch, look);
  for (std::size_t k = 0; k < N.size(); ++k) {
    if (look.parent[k] >= 0) N[k] += N[look.parent[k]];
  }
  for (int r = 0; r < tree.rows(); ++r) {
    if (batch.ended[r] == 0) continue;
    bounds.D.add(batch.count(r), D[r]);
    bounds.N.add(batch.count(r), N[look.find(r, tree.state[r])]);
  }
}

}  // namespace vic
