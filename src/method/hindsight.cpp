#include "method/hindsight.h"

#include <cmath>

#include "method/normalise.h"
#include "method/scores.h"

namespace vic {
namespace {

// log q - log p, to be summed in double
double log_ratio(float log_q, float log_p) {
  return static_cast<double>(log_q) - static_cast<double>(log_p);
}

// pi_q: each decision, conditioned on the final state
void query_decisions(Scores& scores, const Agent& agent, const Batch& batch) {
  const Hindsight& look = scores.hindsight;
  ModelScore& own = scores.of(agent, Role::pi_q);
  own.weight = look.decision_weight;
  std::vector<int> query_of(look.row.size(), -1);
  for (std::size_t e = 0; e < look.decision.size(); ++e) {
    const int pair = look.decision_pair[e];
    int& query = query_of[pair];
    if (query < 0) {
      query = own.queries.size();
      own.queries.row.push_back(look.row[pair]);
      own.queries.goal.push_back(look.final_state[pair]);
      own.offset_row.push_back(scores.decisions.query_of(look.row[pair]));
    }
    own.targets.query.push_back(query);
    batch.codes->append_choices(own.targets.choice, agent.encoding,
                                batch.decision_action[look.decision[e]]);
  }
}

// rho_p: the state that each move led to; rho_q: the same, conditioned on the final state
void query_transitions(Scores& scores, const Agent& agent, const Batch& batch) {
  const Histories& tree = batch.histories;
  const Hindsight& look = scores.hindsight;
  // adds the move into row r as a target of `query`, made here if it is new; returns whether it is
  const auto add = [&](ModelScore& own, int& query, int r) {
    const bool is_new = query < 0;
    if (is_new) {
      query = own.queries.size();
      own.queries.row.push_back(tree.parent[r]);
      own.queries.action.push_back(tree.action[r]);
    }
    own.targets.query.push_back(query);
    own.targets.choice.push_back(tree.state[r]);
    return is_new;
  };
  ModelScore& rho_p = scores.of(agent, Role::rho_p);
  rho_p.weight.assign(tree.rows() - tree.roots(), 0);
  std::vector<int> query_after(batch.decision_row.size(), -1);  // (D)
  for (int r = tree.roots(); r < tree.rows(); ++r) {
    add(rho_p, query_after[batch.into[r]], r);
    float& weight = rho_p.weight[r - tree.roots()];
    for (int k = look.first[r]; k < look.first[r + 1]; ++k) weight += look.weight[k];
  }
  ModelScore& rho_q = scores.of(agent, Role::rho_q);
  rho_q.weight.assign(look.weight.begin() + look.first[tree.roots()], look.weight.end());
  std::vector<int> query_of(look.decision.size(), -1);  // (E)
  for (int k = look.first[tree.roots()]; k < static_cast<int>(look.row.size()); ++k) {
    const int r = look.row[k];
    if (!add(rho_q, query_of[look.into[k]], r)) continue;
    rho_q.queries.goal.push_back(look.final_state[k]);
    rho_q.offset_row.push_back(query_after[batch.into[r]]);
  }
}

// the reward of an option, summed along its history: equations 7, 15 and 22; where it is normalised
// over goals, only the log of its numerator
void collect_rewards(Scores& scores, const Agent& agent, const ScoreInputs& inputs) {
  const Batch& batch = inputs.batch;
  const Histories& tree = batch.histories;
  const Hindsight& look = scores.hindsight;
  const double lambda = agent.algorithm->lambda_of(agent.settings) + inputs.more_lambda;
  // the denominator of a normalised reward is a mean over goals, of the same models
  const float below = agent.settings.normalise == Normalise::none ? 1 : 0;
  const std::vector<float>& log_pi_p = scores.log_pi_p;
  const std::vector<float>& log_pi_q = scores.of(agent, Role::pi_q).log_p;
  const bool has_rho = agent.find(Role::rho_p) != nullptr;
  const float* log_rho_p = has_rho ? scores.of(agent, Role::rho_p).log_p.data() : nullptr;
  const float* log_rho_q = has_rho ? scores.of(agent, Role::rho_q).log_p.data() : nullptr;
  std::vector<double> pair_reward(look.row.size(), 0);  // (P)
  for (std::size_t k = 0; k < look.row.size(); ++k) {
    const int r = look.row[k];
    double& reward = pair_reward[k];
    if (r >= tree.roots()) {
      reward = pair_reward[look.parent[k]] +
               log_ratio(log_pi_q[look.into[k]], below * log_pi_p[batch.into[r]]);
      if (has_rho) {
        reward += lambda * log_ratio(log_rho_q[k - look.first[tree.roots()]],
                                     below * log_rho_p[r - tree.roots()]);
      }
    }
    if (batch.ended[r] == 0 || look.final_state[k] != tree.state[r]) continue;
    scores.reward[r] = reward;
    if (look.stop[k] >= 0) {
      scores.reward[r] += log_ratio(log_pi_q[look.stop[k]], below * log_pi_p[batch.stop[r]]);
    }
  }
}

}  // namespace

void HindsightObjective::score(Scores& scores, const Agent& agent,
                               const ScoreInputs& inputs) const {
  query_decisions(scores, agent, inputs.batch);
  if (agent.find(Role::rho_p) != nullptr) query_transitions(scores, agent, inputs.batch);
  query_models(scores, agent, inputs);
  collect_rewards(scores, agent, inputs);
  if (agent.settings.normalise == Normalise::goals) normalise_rewards(scores, agent, inputs);
}

void CountedObjective::score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const {
  HindsightObjective::score(scores, agent, inputs);
  const double lambda = agent.algorithm->lambda_of(agent.settings) + inputs.more_lambda;
  const Batch& batch = inputs.batch;
  const EndFrequencies p(agent, inputs);
  scores.critic.weight = lambda;
  scores.critic.reward.assign(batch.histories.rows(), 0);
  for (int r = 0; r < batch.histories.rows(); ++r) {
    if (batch.ended[r] == 0) continue;
    const double surprise = -std::log(p(batch.cell[r]));
    scores.critic.reward[r] = lambda * surprise;
    scores.reward[r] += lambda * (surprise - scores.reward[r]);
  }
}

std::vector<ModelSpec> control_models(const TrainSettings&) {
  return {{.role = Role::pi_q,
           .conditioning = {.goal = GoalKind::final_state},
           .head = action_head,
           .reads_all = true,
           .offset = Role::pi_p,
           .can_be_residual = true}};
}

namespace {

// s_t+1: a softmax over the states of a table
Head next_state_head(const Agent& agent) {
  return Factors{.K = agent.table().S};
}

// x(s_t+1) - x(s_t): a Gaussian mixture
Head step_head(const Agent& agent) {
  const TrainSettings& settings = agent.settings;
  return Mixture{.n = settings.n_gmm, .d = agent.encoding.d, .sigma = settings.sigma};
}

std::vector<ModelSpec> with_transitions(const TrainSettings& settings,
                                        Head (*head)(const Agent& agent)) {
  std::vector<ModelSpec> models = control_models(settings);
  models.push_back({.role = Role::rho_p, .conditioning = {.action = true}, .head = head});
  models.push_back({.role = Role::rho_q,
                    .conditioning = {.action = true, .goal = GoalKind::final_state},
                    .head = head,
                    .offset = Role::rho_p,
                    .can_be_residual = true});
  return models;
}

}  // namespace

std::vector<ModelSpec> transition_models(const TrainSettings& settings) {
  return with_transitions(settings, next_state_head);
}

std::vector<ModelSpec> mixture_models(const TrainSettings& settings) {
  return with_transitions(settings, step_head);
}

}  // namespace vic
