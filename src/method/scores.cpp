#include "method/scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/process.h"
#include "method/beliefs.h"
#include "method/critic.h"

namespace vic {
namespace {

void require_finite(const std::vector<float>& log_p, const Model& model, long update) {
  for (float x : log_p) {
    if (std::isfinite(x)) continue;
    throw Error(fmt::format(
        "{} gives a log-probability of {} at update {}; a smaller train.learning_rate may help.",
        model.shape().name, x, update));
  }
}

// the logits that a residual model is added to; none for a separate model
LogitOffset offset_of(Scores& scores, const Agent& agent, std::size_t i,
                      std::span<const int> offset_row) {
  const ModelSpec& spec = agent.models[i].spec;
  if (!agent.is_residual(spec)) return {};
  const ModelWorkspace& other =
      spec.offset == Role::pi_p ? scores.policy.policy : scores.of(agent, spec.offset).work;
  return {other.net.outputs.view(), offset_row};
}

void query_model(Scores& scores, const Agent& agent, std::size_t i, const ScoreInputs& inputs) {
  const auto& [spec, model] = agent.models[i];
  ModelScore& own = scores.models[i - 1];
  own.log_p.clear();
  // where all options stop at once there are no transitions to query
  if (own.queries.size() == 0) return;
  const QueryContext context = inputs.batch.context();
  if (!spec.reads_all) {
    model.net().encode(own.work.net, context.tree, context.inputs, own.queries);
  } else if (!inputs.encoded) {
    model.net().encode(own.work.net, context.tree, context.inputs);
  }
  query_encoded(own.log_p, scores, agent, spec.role, own.queries, own.targets, own.offset_row,
                inputs);
}

}  // namespace

void ModelScore::clear() {
  queries.clear();
  targets.clear();
  weight.clear();
  log_p.clear();
  offset_row.clear();
}

double ModelScore::loss() const {
  double sum = 0;
  for (std::size_t m = 0; m < log_p.size(); ++m) {
    sum -= static_cast<double>(weight[m] * log_p[m]);
  }
  return sum;
}

void query_encoded(std::vector<float>& log_p, Scores& scores, const Agent& agent, Role role,
                   const Queries& queries, const Targets& targets, std::span<const int> offset_row,
                   const ScoreInputs& inputs) {
  const auto place = static_cast<std::size_t>(agent.place_of(role));
  const Model& model = agent.models[place].model;
  model.log_p(log_p, scores.models[place - 1].work, queries, targets, inputs.batch.context(),
              offset_of(scores, agent, place, offset_row));
  require_finite(log_p, model, inputs.update);
}

void query_models(Scores& scores, const Agent& agent, const ScoreInputs& inputs) {
  std::vector<std::function<void()>> tasks = {[&] {
    agent.pi_p().cached_log_p(scores.log_pi_p, scores.policy.policy, scores.decisions.targets);
    require_finite(scores.log_pi_p, agent.pi_p(), inputs.update);
  }};
  // whether a model must wait for the logits of another one
  const auto waits = [&](std::size_t i) {
    const ModelSpec& spec = agent.models[i].spec;
    return agent.is_residual(spec) && spec.offset != Role::pi_p;
  };
  // the last models are the largest, so they begin first
  for (std::size_t i = agent.models.size() - 1; i > 0; --i) {
    if (waits(i)) continue;
    tasks.push_back([&, i] {
      query_model(scores, agent, i, inputs);
      for (std::size_t next = i + 1; next < agent.models.size(); ++next) {
        const bool mine = agent.models[next].spec.offset == agent.models[i].spec.role;
        if (mine && waits(next)) query_model(scores, agent, next, inputs);
      }
    });
  }
  run_tasks(tasks, inputs.threads);
}

void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) {
  scores.models.resize(agent.models.size() - 1);
  for (ModelScore& model : scores.models) model.clear();
  scores.decisions.read(inputs.batch, agent.encoding);
  scores.reward.assign(inputs.batch.histories.rows(), 0);
  scores.critic.clear();
  const bool has_belief = agent.find(Role::belief) != nullptr;
  if (has_belief || agent.find(Role::pi_q) != nullptr) scores.hindsight.look_back(inputs.batch);
  if (has_belief) query_belief(scores, agent, inputs.batch);
  agent.algorithm->objective->score(scores, agent, inputs);
  if (agent.settings.critic == CriticKind::belief && inputs.critic) {
    set_critic(scores, agent, inputs);
  }
}

const std::vector<double>& intrinsic_rewards(Scores& scores, const Agent& agent, const Batch& batch,
                                             const RunningFrequencies* recent) {
  const QueryContext context = batch.context();
  ModelWorkspace& policy = scores.policy.policy;
  scores.decisions.read(batch, agent.encoding);
  agent.pi_p().net().encode(policy.net, context.tree, context.inputs);
  agent.pi_p().probabilities(policy, scores.decisions.queries, context.codes);
  const RunningFrequencies none;
  score(scores, agent,
        {.batch = batch,
         .recent = recent != nullptr ? *recent : none,
         .critic = false,
         .threads = agent.settings.threads});
  return scores.reward;
}

double least_frequency(const Agent& agent) {
  // all options are counted then, however rare
  if (agent.settings.gradient == GradientKind::exact) return std::numeric_limits<double>::min();
  return (1 - agent.settings.count_decay) / agent.settings.batch;
}

double recent_frequency(const Agent& agent, const RunningFrequencies& recent, int s_f) {
  return std::max(recent.p(0, s_f), least_frequency(agent));
}

EndFrequencies::EndFrequencies(const Agent& agent, const ScoreInputs& inputs)
    : agent_(agent),
      recent_(&inputs.recent),
      known_(!inputs.recent.weight.empty() && inputs.recent.knows(0)) {
  if (known_) return;
  own_ = RunningFrequencies(1, agent.final_states());
  own_.add(ends_of(inputs.batch), 0);
}

double EndFrequencies::operator()(int s_f) const {
  return known_ ? recent_frequency(agent_, *recent_, s_f) : own_.p(0, s_f);
}

}  // namespace vic
