#include "method/baselines/skills.h"

#include <algorithm>
#include <cmath>

#include "method/scores.h"

namespace vic {
namespace {

// the probabilities of a model where an option begins, conditioned on a goal of the batch; below 0:
// on none
std::vector<double> probabilities_at_start(const Model& model, const Batch& begun, int option,
                                           int goal, int skills) {
  ModelWorkspace work;
  model.net().encode(work.net, tree_of(begun.histories, 1), begun.inputs.view());
  Queries query{.row = {option}, .action = {}, .goal = {}};
  if (goal >= 0) query.goal = {goal};
  const MatrixView<const float> p = model.probabilities(work, query, *begun.codes);
  return {p.row(0), p.row(0) + skills};
}

// a softmax over the skills
Head skill_head(const Agent& agent) {
  return Factors{.K = agent.settings.skills};
}

}  // namespace

std::vector<ModelSpec> skill_models(const TrainSettings& settings) {
  std::vector<ModelSpec> models = {{.role = Role::skill_discriminator,
                                    .conditioning = {.goal = GoalKind::final_state},
                                    .head = skill_head}};
  if (settings.prior == SkillPrior::learned) {
    models.push_back({.role = Role::skill_prior, .conditioning = {}, .head = skill_head});
  }
  return models;
}

std::vector<double> skill_prior(const Agent& agent) {
  const int n = agent.settings.skills;
  const Model* learned = agent.find(Role::skill_prior);
  if (learned == nullptr) return std::vector<double>(n, 1.0 / n);
  std::vector<double> p = probabilities_at_start(*learned, begin_option(agent), 0, -1, n);
  temper(p, 1);
  return p;
}

void SkillObjective::begin(std::vector<Beginning>& beginnings, const Agent& agent, int B,
                           RolloutAddress address) const {
  const std::vector<double> p = skill_prior(agent);
  beginnings.resize(B);
  draw_beginnings(beginnings, address, extra_step::skill, [&](double u) {
    return Beginning{.state = agent.start(), .goal = pick_index(p, u)};
  });
  // in a table equal ones share their histories; elsewhere every minibatch needs all skills
  if (agent.simulator() == nullptr) std::ranges::sort(beginnings);
}

// q is queried once about each state from each start, at the start's first root, since it does not
// see the skill
void SkillObjective::query_discriminator(ModelScore& own, std::vector<int>& target_of,
                                         const Agent& agent, const Batch& batch) const {
  const Histories& tree = batch.histories;
  const int S = 1 + *std::ranges::max_element(tree.state);
  const bool every_state = sees_ == Sees::every_state;
  target_of.assign(tree.rows(), -1);
  // roots of the same start are adjacent
  std::vector<int> first_root(tree.roots(), 0);
  for (int root = 1; root < tree.roots(); ++root) {
    const bool same = tree.state[root] == tree.state[root - 1];
    first_root[root] = same ? first_root[root - 1] : root;
  }
  // each row of a simulated world has a state of its own, which says where it began
  const std::size_t numbers_a_start = agent.simulator() == nullptr ? S : 0;
  std::vector<int> query_of(numbers_a_start * tree.roots() + S, -1);
  // the number of options that passed each row
  std::vector<double> passed(tree.rows(), 0);
  for (int r = tree.rows() - 1; r >= 0; --r) {
    passed[r] += batch.ended[r];
    if (r >= tree.roots()) passed[tree.parent[r]] += passed[r];
  }
  for (int r = 0; r < tree.rows(); ++r) {
    const bool seen = every_state ? r >= tree.roots() : batch.ended[r] > 0;
    if (!seen) continue;
    const int from = first_root[tree.root[r]];
    int& query = query_of[numbers_a_start * from + tree.state[r]];
    if (query < 0) {
      query = own.queries.size();
      own.queries.row.push_back(from);
      own.queries.goal.push_back(tree.state[r]);
    }
    target_of[r] = own.targets.size();
    own.targets.query.push_back(query);
    own.targets.choice.push_back(batch.goal[tree.root[r]]);
    const double options = every_state ? passed[r] : batch.ended[r];
    own.weight.push_back(static_cast<float>(options / batch.options));
  }
}

void SkillObjective::score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const {
  const Batch& batch = inputs.batch;
  const Histories& tree = batch.histories;
  std::vector<int> target_of;  // (R) the target about a row; -1 for none
  ModelScore& q = scores.of(agent, Role::skill_discriminator);
  query_discriminator(q, target_of, agent, batch);
  if (agent.find(Role::skill_prior) != nullptr) {
    ModelScore& prior = scores.of(agent, Role::skill_prior);
    prior.queries.row = {0};
    for (int root = 0; root < tree.roots(); ++root) {
      prior.targets.query.push_back(0);
      prior.targets.choice.push_back(batch.goal[root]);
    }
  }
  query_models(scores, agent, inputs);
  const std::vector<double> prior = skill_prior(agent);
  std::vector<double> along(tree.rows(), 0);  // the reward on the way to a row
  for (int r = 0; r < tree.rows(); ++r) {
    if (sees_ == Sees::every_state && r >= tree.roots()) along[r] = along[tree.parent[r]];
    if (target_of[r] >= 0) {
      along[r] += double(q.log_p[target_of[r]]) - std::log(prior[batch.goal[tree.root[r]]]);
    }
    if (batch.ended[r] > 0) scores.reward[r] += along[r];
  }
}

void SkillObjective::set_advantages(Scores& scores, const Agent& agent, const Batch& batch,
                                    std::span<const double> advantage) const {
  if (agent.find(Role::skill_prior) == nullptr) return;
  const Histories& tree = batch.histories;
  ModelScore& prior = scores.of(agent, Role::skill_prior);
  prior.weight.assign(tree.roots(), 0);
  for (int r = 0; r < tree.rows(); ++r) {
    prior.weight[tree.root[r]] += static_cast<float>(batch.ended[r] * advantage[r] / batch.options);
  }
}

int SkillObjective::condition_for(const Agent& agent, const Batch& begun, int option,
                                  int goal) const {
  const Model& q = *agent.find(Role::skill_discriminator);
  const std::vector<double> p =
      probabilities_at_start(q, begun, option, goal, agent.settings.skills);
  return static_cast<int>(std::max_element(p.begin(), p.end()) - p.begin());
}

}  // namespace vic
