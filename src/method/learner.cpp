#include "method/learner.h"

#include <algorithm>
#include <cmath>

#include "base/process.h"
#include "method/beliefs.h"
#include "method/critic.h"

namespace vic {
namespace {

// the smoothing factor of the paper's estimate of p(s_f), Section 5
constexpr double paper_decay = 0.99;

std::vector<int> starts_of(const Agent& agent) {
  if (agent.settings.starts == Starts::one) return {agent.start()};
  std::vector<int> starts;
  for (int s = 0; s < agent.table().S; ++s) {
    if (!agent.table().absorbing[s]) starts.push_back(s);
  }
  return starts;
}

// What later steps on a batch climb: the advantage by how much likelier a decision has become,
// until that is as far from 1 as it may go (the clipped objective of Schulman et al., 2017).
void clip_scale(std::vector<float>& out, std::span<const float> scale,
                std::span<const float> before, std::span<const float> now, double clip) {
  out.resize(scale.size());
  for (std::size_t d = 0; d < scale.size(); ++d) {
    const double ratio = std::exp(double(now[d]) - double(before[d]));
    const bool far = scale[d] > 0 ? ratio > 1 + clip : ratio < 1 - clip;
    out[d] = far ? 0 : static_cast<float>(ratio) * scale[d];
  }
}

}  // namespace

Learner::Learner(Agent agent)
    : agent_(std::move(agent)),
      starts_(starts_of(agent_)),
      sampler_(make_training_sampler(agent_)) {
  const int X = static_cast<int>(starts_.size());
  start_of_.assign(agent_.final_states(), -1);
  for (int x = 0; x < X; ++x) start_of_[starts_[x]] = x;
  state_.baseline.assign(X, 0);
  state_.p_f = RunningFrequencies(X, agent_.final_states());
  state_.recent = RunningFrequencies(X, agent_.final_states());
  for (const AgentModel& model : agent_.models) state_.optimizers.emplace_back(model.model.net());
  if (settings().nodes > 0 && agent_.algorithm->reads("nodes")) {
    gauss_hermite_noise(noise_, settings().nodes, agent_.encoding.d);
  }
}

void Learner::update() {
  const RolloutAddress address{static_cast<std::uint64_t>(settings().seed),
                               static_cast<std::uint32_t>(state_.update)};
  sample(address);
  state_.recent.add(batch_, settings().count_decay, root_start_);
  score(scores_, agent_,
        {.batch = batch_,
         .recent = state_.recent,
         .encoded = true,
         .update = state_.update,
         .more_lambda = more_lambda()});
  const Rewards rewards = total_rewards(scores_, batch_, alpha(), entropy_bonus());
  summarise(rewards);
  learn(address, advantages(rewards));
  state_.p_f.add(batch_, paper_decay, root_start_);
  ++state_.update;
}

std::vector<Beginning> Learner::draw_starts(RolloutAddress address) const {
  std::vector<Beginning> conditioned;
  agent_.algorithm->objective->begin(conditioned, agent_, settings().batch, address);
  if (starts_.size() == 1) return conditioned;
  // whatever options are conditioned on, they begin anywhere
  const std::span<const int> starts = starts_;
  std::vector<Beginning> beginnings(conditioned.size());
  auto next = conditioned.begin();
  draw_beginnings(beginnings, address, extra_step::start, [&](double u) {
    return Beginning{.state = pick_uniformly(starts, u), .goal = (next++)->goal};
  });
  return beginnings;
}

// Samples the batch, and lets models that read all its histories encode them: with two threads,
// while they grow.
void Learner::sample(RolloutAddress address) {
  scores_.models.resize(agent_.models.size() - 1);
  const auto each_reader = [&](auto&& visit) {
    for (std::size_t i = 1; i < agent_.models.size(); ++i) {
      const auto& [spec, model] = agent_.models[i];
      if (spec.reads_all) visit(model.net(), scores_.models[i - 1].work.net);
    }
  };
  const Actor policy = policy_of(agent_);
  const std::vector<Beginning> beginnings = draw_starts(address);
  const bool has_readers = std::any_of(agent_.models.begin(), agent_.models.end(),
                                       [](const auto& model) { return model.spec.reads_all; });
  if (settings().threads == 1 || !has_readers) {
    sampler_->sample(batch_, policy, scores_.policy, beginnings, address);
    each_reader([&](const auto& net, auto& work) {
      net.encode(work, batch_.tree(), batch_.inputs.view());
    });
  } else {
    if (!reader_) reader_.emplace();
    const auto read = [&](const Tree& tree, int t, const Inputs<float>& inputs) {
      reader_->hand([each_reader, tree, t, inputs] {
        each_reader([&](const auto& net, auto& work) { net.encode_level(work, tree, t, inputs); });
      });
    };
    sampler_->sample(batch_, policy, scores_.policy, beginnings, address, read);
    reader_->finish();
  }
  root_start_.assign(batch_.histories.roots(), 0);
  if (starts_.size() == 1) return;
  for (int root = 0; root < batch_.histories.roots(); ++root) {
    root_start_[root] = start_of_[batch_.histories.state[root]];
  }
}

// The mean of -log pi_p over a policy's options is the entropy of its decisions, and so the policy
// gradient of the sum climbs both.
Rewards total_rewards(const Scores& scores, const Batch& batch, double alpha,
                      double entropy_bonus) {
  const Histories& tree = batch.histories;
  Rewards out{.row = scores.reward};
  std::vector<double> log_path(tree.rows(), 0);  // log pi_p of the decisions on the way to the row
  for (int t = 0, r = 0; t < tree.levels(); ++t) {
    for (; r < tree.first[t + 1]; ++r) {
      if (t > 0) {
        log_path[r] =
            log_path[tree.parent[r]] + static_cast<double>(scores.log_pi_p[batch.into[r]]);
      }
      const double share = batch.ended[r] / batch.options;
      if (share == 0) continue;
      const double stop =
          batch.stop[r] < 0 ? 0 : static_cast<double>(scores.log_pi_p[batch.stop[r]]);
      const double bonus = -entropy_bonus * (log_path[r] + stop);
      out.intrinsic += share * out.row[r];
      out.bonus += share * bonus;
      out.row[r] += alpha * batch.external[r] + bonus;
      out.mean += share * out.row[r];
      out.external += share * batch.external[r];
      out.length += share * (t + 1);
    }
  }
  return out;
}

// The reward of ending in each row minus b(s_0), which follows the mean reward of its start's
// options. It begins at the first mean it sees, and does not know the batch it is subtracted from.
// Of the intrinsic reward a critic knows more, where there is one: it is left out here.
std::vector<double> Learner::advantages(const Rewards& rewards) {
  const Histories& tree = batch_.histories;
  std::vector<double> advantage = rewards.row;
  for (int r = 0; has_critic() && r < tree.rows(); ++r) advantage[r] -= scores_.reward[r];
  std::vector<double> mean(starts_.size(), 0);     // reward of the batch's options from each start
  std::vector<double> options(starts_.size(), 0);  // how many they are
  const auto start = [&](int r) { return root_start_[tree.root[r]]; };
  for (int r = 0; r < tree.rows(); ++r) options[start(r)] += batch_.ended[r];
  for (int r = 0; r < tree.rows(); ++r) {
    const double share = batch_.ended[r] / options[start(r)];
    if (share > 0) mean[start(r)] += share * advantage[r];
  }
  for (std::size_t x = 0; x < starts_.size(); ++x) {
    if (!state_.p_f.knows(static_cast<int>(x))) state_.baseline[x] = mean[x];
  }
  for (int r = 0; r < tree.rows(); ++r) advantage[r] -= state_.baseline[start(r)];
  for (std::size_t x = 0; x < starts_.size(); ++x) {
    if (options[x] == 0) continue;
    state_.baseline[x] += settings().baseline_rate * (mean[x] - state_.baseline[x]);
  }
  return advantage;
}

// pi_p climbs sum_t (r - b) log pi_p, equations 15 and 22; the other models learn by maximum
// likelihood, equations 14, 20 and 21
void Learner::learn(RolloutAddress address, const std::vector<double>& advantage) {
  if (settings().nodes == 0 && agent_.algorithm->reads("T_smooth")) {
    sample_noise(noise_, {.points = settings().T_smooth, .d = agent_.encoding.d},
                 {.seed = address.seed, .update = address.update, .step = extra_step::noise});
  }
  const bool policy_learns = state_.update >= settings().warm_up;
  if (policy_learns) {
    scores_.decisions.set_advantages(batch_, advantage);
    if (has_critic()) {
      scores_.decisions.add_differences(batch_, scores_.reward, scores_.critic,
                                        std::as_const(scores_.policy.policy.categorical.p).view(),
                                        settings().td);
    }
    agent_.algorithm->objective->set_advantages(scores_, agent_, batch_, advantage);
  }
  const Decisions& decisions = scores_.decisions;
  std::vector<float> before;  // log pi_p of what was decided
  if (policy_learns && settings().epochs > 1) {
    agent_.pi_p().cached_log_p(before, scores_.policy.policy, decisions.targets);
  }
  step_models(policy_learns ? decisions.scale : std::span<const float>());
  std::vector<float> scale;
  for (int epoch = 1; epoch < settings().epochs; ++epoch) {
    query_again();
    if (policy_learns)
      clip_scale(scale, decisions.scale, before, scores_.log_pi_p, settings().clip);
    step_models(scale);
  }
}

// The batch once more, by the models as they are now.
void Learner::query_again() {
  const QueryContext context = batch_.context();
  ModelWorkspace& policy = scores_.policy.policy;
  agent_.pi_p().net().encode(policy.net, context.tree, context.inputs);
  agent_.pi_p().probabilities(policy, scores_.decisions.queries, context.codes);
  query_models(scores_, agent_,
               {.batch = batch_, .recent = state_.recent, .update = state_.update});
}

// A step of every model; of the policy where there is something to scale its decisions by.
void Learner::step_models(std::span<const float> policy_scale) {
  const QueryContext context = batch_.context();
  const auto add_and_step = [&](std::size_t i, ModelWorkspace& work, const Queries& queries,
                                const Targets& targets, std::span<const float> scale, double rate) {
    Model& model = agent_.models[i].model;
    Optimizer<float>& optimizer = state_.optimizers[i];
    model.add_gradient(optimizer.gradient, work, queries, targets, scale, context);
    optimizer.step(model.net(), adam(rate), state_.update);
  };
  std::vector<std::function<void()>> tasks;
  for (std::size_t i = agent_.models.size() - 1; i > 0; --i) {
    ModelScore& own = scores_.models[i - 1];
    if (own.queries.size() == 0 || own.weight.empty()) continue;
    own.work.smoothing = &noise_;
    tasks.push_back([&, i] {
      add_and_step(i, own.work, own.queries, own.targets, own.weight, settings().learning_rate);
    });
  }
  if (!policy_scale.empty()) {
    tasks.push_back([&] {
      const Decisions& decisions = scores_.decisions;
      const double rate =
          settings().policy_rate > 0 ? settings().policy_rate : settings().learning_rate;
      add_and_step(0, scores_.policy.policy, decisions.queries, decisions.targets, policy_scale,
                   rate);
    });
  }
  run_tasks(tasks, settings().threads);
}

AdamSettings Learner::adam(double rate) const {
  // the rate falls linearly from its full value to its final share
  const auto all = static_cast<double>(settings().all_updates());
  const double left = 1 - std::min(1.0, static_cast<double>(state_.update) / all);
  const double share = settings().final_rate + (1 - settings().final_rate) * left;
  return {.learning_rate = rate * share, .beta_1 = settings().beta_1, .beta_2 = settings().beta_2};
}

double Learner::alpha() const {
  const double past = std::max(0.0, policy_updates()) - settings().alpha_start;
  if (past < 0) return 0;
  return settings().alpha * (past < settings().alpha_ramp ? past / settings().alpha_ramp : 1);
}

double Learner::more_lambda() const {
  if (settings().lambda_ramp == 0) return 0;
  const double past = std::max(0.0, policy_updates() / settings().lambda_ramp);
  return (1 - settings().lambda) * std::max(0.0, 1 - past);
}

// What b rewards is (1 - lambda) D + lambda H. The bonus belongs to D alone: coverage needs none.
double Learner::entropy_bonus() const {
  const double control = rewards_by_belief(agent_) ? std::max(0.0, 1 - settings().lambda) : 1;
  const double bonus = settings().entropy_bonus * control;
  if (settings().entropy_end == 0) return bonus;
  const double past = std::max(0.0, policy_updates() / settings().entropy_end);
  return bonus * std::max(0.0, 1 - past);
}

void Learner::summarise(const Rewards& rewards) {
  const auto loss = [&](Role role) {
    return agent_.find(role) == nullptr ? 0 : scores_.of(agent_, role).loss();
  };
  last_ = {.reward = rewards.mean,
           .external = rewards.external,
           .intrinsic = rewards.intrinsic,
           .bonus = rewards.bonus,
           .length = rewards.length,
           .loss_pi_q = loss(Role::pi_q) + loss(Role::skill_discriminator),
           .loss_rho_p = loss(Role::rho_p),
           .loss_rho_q = loss(Role::rho_q)};
  if (agent_.find(Role::belief) != nullptr) last_.loss_b = loss(Role::belief);
  if (has_critic()) last_.critic = critic_correlation(scores_, batch_);
}

Metrics Learner::metrics() const {
  Metrics metrics = last_;
  metrics.update = state_.update;
  for (double b : state_.baseline) {
    metrics.baseline += b / static_cast<double>(state_.baseline.size());
  }
  metrics.I_hat = I_hat();
  return metrics;
}

}  // namespace vic
