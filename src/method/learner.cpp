#include "method/learner.h"

#include <algorithm>

#include "base/ranks.h"
#include "method/counted_skills.h"
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

}  // namespace

Learner::Learner(Agent agent) : agent_(std::move(agent)), starts_(starts_of(agent_)) {
  const int X = static_cast<int>(starts_.size());
  start_of_.assign(agent_.final_states(), -1);
  for (int x = 0; x < X; ++x) start_of_[starts_[x]] = x;
  state_.baseline.assign(X, 0);
  state_.p_f = RunningFrequencies(X, agent_.final_states());
  state_.recent = RunningFrequencies(X, agent_.final_states());
  if (agent_.algorithm->counts_skills) {
    state_.by_skill = RunningFrequencies(settings().skills, agent_.final_states());
  }
  for (const AgentModel& model : agent_.models) state_.optimizers.emplace_back(model.model.net());
  if (settings().nodes > 0 && agent_.algorithm->reads("nodes")) {
    gauss_hermite_noise(noise_, settings().nodes, agent_.encoding.d);
  }
  join(alone());
}

void Learner::join(Ranks& ranks) {
  require_enough_shards(agent_, ranks);
  ranks_ = &ranks;
  own_ = part_of(shard_count(agent_), ranks.size(), ranks.rank());
  shards_ = make_shards(agent_, own_, shard_threads());
}

void Learner::update() {
  const RolloutAddress address{static_cast<std::uint64_t>(settings().seed),
                               static_cast<std::uint32_t>(state_.update)};
  const std::vector<Beginning> beginnings = draw_starts(address);
  each_shard([&](Shard& shard) { sample(shard, beginnings, address); });

  const std::vector<End> ends = gather_ends(shards_, *ranks_);
  state_.recent.add(ends, settings().count_decay);
  share_goals(shards_, agent_, state_.recent, ends, *ranks_);
  const std::vector<float> surprise = share_surprise();
  each_shard([&](Shard& shard) { score_and_reward(shard, surprise); });

  const Means means = gather_means(shards_, agent_, static_cast<int>(starts_.size()), *ranks_);
  const std::vector<double> baseline = follow(means, ends);
  refresh_noise(address);
  each_shard([&](Shard& shard) {
    set_advantages(shard, means, baseline);
    find_learners(shard);
  });
  learn();

  state_.p_f.add(ends, paper_decay);
  if (agent_.algorithm->counts_skills) {
    state_.by_skill.add(ends, skill_decay(settings()), &End::skill);
  }
  ++state_.update;
  last_ = metrics_of(means, agent_, shards_.front().scores.has_critic());
}

void Learner::each_shard(const std::function<void(Shard& shard)>& task) {
  run_each(static_cast<int>(shards_.size()), settings().threads,
           [&](int s, int) { task(shards_[s]); });
}

std::vector<Beginning> Learner::draw_starts(RolloutAddress address) const {
  std::vector<Beginning> conditioned;
  agent_.algorithm->objective->begin(conditioned, agent_, settings().batch, address);
  if (starts_.size() == 1) return conditioned;
  // starts are independent of what the options are conditioned on
  const std::span<const int> starts = starts_;
  std::vector<Beginning> beginnings(conditioned.size());
  auto next = conditioned.begin();
  draw_beginnings(beginnings, address, extra_step::start, [&](double u) {
    return Beginning{.state = pick_uniformly(starts, u), .goal = (next++)->goal};
  });
  std::ranges::sort(beginnings);
  return beginnings;
}

// Samples a shard and encodes its histories for the models that read all of them; where threads
// work within the shard, while it is being sampled.
void Learner::sample(Shard& shard, std::span<const Beginning> beginnings, RolloutAddress address) {
  Batch& batch = shard.batch;
  Scores& scores = shard.scores;
  scores.models.resize(agent_.models.size() - 1);
  const auto each_reader = [&](auto&& visit) {
    for (std::size_t i = 1; i < agent_.models.size(); ++i) {
      const auto& [spec, model] = agent_.models[i];
      if (spec.reads_all) visit(model.net(), scores.models[i - 1].work.net);
    }
  };
  const Actor policy = policy_of(agent_);
  beginnings = beginnings.subspan(shard.options.begin, shard.options.size());
  address.first = static_cast<std::uint32_t>(shard.options.begin);
  const bool has_readers = std::any_of(agent_.models.begin(), agent_.models.end(),
                                       [](const auto& model) { return model.spec.reads_all; });
  if (shard_threads() == 1 || !has_readers) {
    shard.sampler->sample(batch, policy, scores.policy, beginnings, address);
    each_reader(
        [&](const auto& net, auto& work) { net.encode(work, batch.tree(), batch.inputs.view()); });
  } else {
    if (!reader_) reader_.emplace();
    const auto read = [&](const Tree& tree, int t, const Inputs<float>& inputs) {
      reader_->hand([each_reader, tree, t, inputs] {
        each_reader([&](const auto& net, auto& work) {
          net.encode_level(work, tree, t, inputs);
          net.prepare_queries(work);
        });
      });
    };
    shard.sampler->sample(batch, policy, scores.policy, beginnings, address, read);
    reader_->finish();
  }
  shard.root_start.assign(batch.histories.roots(), 0);
  if (starts_.size() == 1) return;
  for (int root = 0; root < batch.histories.roots(); ++root) {
    shard.root_start[root] = start_of_[batch.histories.state[root]];
  }
}

// In s_0 a critic of cells expects the same for every shard, so the rank of the first computes it.
std::vector<float> Learner::share_surprise() {
  if (agent_.simulator() == nullptr || settings().critic == CriticKind::none) return {};
  std::vector<float> own;
  if (own_.begin == 0) {
    own = agent_.algorithm->counts_skills
              ? skill_surprise(agent_, state_.recent, state_.by_skill, more_lambda())
              : cell_surprise(agent_, shards_[0].batch, state_.recent);
  }
  return gather(*ranks_, std::move(own));
}

void Learner::score_and_reward(Shard& shard, std::span<const float> surprise) {
  score(shard.scores, agent_,
        {.batch = shard.batch,
         .recent = state_.recent,
         .by_skill = &state_.by_skill,
         .encoded = true,
         .update = state_.update,
         .more_lambda = more_lambda(),
         .threads = shard_threads(),
         .goals = shard.goals,
         .surprise = surprise});
  shard.rewards = total_rewards(shard.scores, shard.batch, alpha(), entropy_bonus());
  // a critic is the better baseline of what it expects: b(s_0) is then left with the rest
  shard.gain = shard.rewards.row;
  if (!shard.scores.has_critic()) return;
  for (std::size_t r = 0; r < shard.gain.size(); ++r) {
    shard.gain[r] -= shard.scores.critic.reward[r];
  }
}

// Moves b(s_0) towards the mean gain of the options of each start. Returns the values from before,
// so that no batch enters its own baseline, but for a start's first, whose mean initialises it.
std::vector<double> Learner::follow(const Means& means, std::span<const End> ends) {
  std::vector<char> seen(starts_.size(), 0);
  for (const End& end : ends) seen[end.start] = 1;
  for (std::size_t x = 0; x < starts_.size(); ++x) {
    if (!state_.p_f.knows(static_cast<int>(x))) state_.baseline[x] = means.gain[x];
  }
  std::vector<double> before = state_.baseline;
  for (std::size_t x = 0; x < starts_.size(); ++x) {
    if (!seen[x]) continue;
    state_.baseline[x] += settings().baseline_rate * (means.gain[x] - state_.baseline[x]);
  }
  return before;
}

void Learner::refresh_noise(RolloutAddress address) {
  if (settings().nodes > 0 || !agent_.algorithm->reads("T_smooth")) return;
  sample_noise(noise_, {.points = settings().T_smooth, .d = agent_.encoding.d},
               {.seed = address.seed, .update = address.update, .step = extra_step::noise});
}

// The scale of each decision in the policy gradient: the reward minus b(s_0), or the advantage by a
// critic.
void Learner::set_advantages(Shard& shard, const Means& means, std::span<const double> baseline) {
  if (!policy_learns()) return;
  const Batch& batch = shard.batch;
  Scores& scores = shard.scores;
  std::vector<double> advantage = shard.gain;
  for (int r = 0; r < batch.histories.rows(); ++r) {
    advantage[r] -= baseline[shard.root_start[batch.histories.root[r]]];
  }
  scores.decisions.set_advantages(batch, advantage);
  if (scores.has_critic()) {
    shift_critic(scores, agent_, means.critic);
    scores.decisions.add_differences(batch, scores.critic,
                                     std::as_const(scores.policy.policy.categorical.p).view(),
                                     settings().td);
  }
  agent_.algorithm->objective->set_advantages(scores, agent_, batch, advantage);
  if (settings().epochs * settings().minibatches == 1) return;
  agent_.pi_p().cached_log_p(shard.log_pi_p, scores.policy.policy, scores.decisions.targets);
  shard.scale = scores.decisions.scale;
}

// sets which models learn from a shard: those with targets, and the policy after the warm-up
void Learner::find_learners(Shard& shard) const {
  shard.learns[0] = policy_learns();
  for (std::size_t i = 1; i < shard.learns.size(); ++i) {
    const ModelScore& own = shard.scores.models[i - 1];
    shard.learns[i] = own.queries.size() > 0 && !own.weight.empty();
  }
}

// pi_p ascends sum_t (r - b) log pi_p, equations 15 and 22; the other models learn by maximum
// likelihood, equations 14, 20 and 21
void Learner::differentiate(Shard& shard) {
  const Batch& batch = shard.batch;
  Scores& scores = shard.scores;
  const QueryContext context = batch.context();
  const auto add = [&](std::size_t i, ModelWorkspace& work, const Queries& queries,
                       const Targets& targets, std::span<const float> scale) {
    Block<float>& gradient = shard.gradient[i];
    agent_.models[i].model.add_gradient(gradient, work, queries, targets, scale, context);
    if (shard.share == 1) return;
    for (float& x : gradient) x *= static_cast<float>(shard.share);
  };
  std::vector<std::function<void()>> tasks;
  for (std::size_t i = agent_.models.size() - 1; i > 0; --i) {
    if (!shard.learns[i]) continue;
    ModelScore& own = scores.models[i - 1];
    own.work.smoothing = &noise_;
    tasks.push_back([&, i] { add(i, own.work, own.queries, own.targets, own.weight); });
  }
  if (shard.learns[0]) {
    tasks.push_back([&] {
      const Decisions& decisions = scores.decisions;
      add(0, scores.policy.policy, decisions.queries, decisions.targets, decisions.scale);
    });
  }
  run_tasks(tasks, shard_threads());
}

// one step of Adam for each model that has a gradient
void Learner::step() {
  const std::vector<char> learns =
      sum_gradients(state_.optimizers, shards_, own_, shard_count(agent_), *ranks_);
  const double policy_rate =
      settings().policy_rate > 0 ? settings().policy_rate : settings().learning_rate;
  std::vector<std::function<void()>> tasks;
  for (std::size_t i = 0; i < learns.size(); ++i) {
    if (!learns[i]) continue;
    const double rate = i == 0 ? policy_rate : settings().learning_rate;
    tasks.push_back([this, i, rate] {
      state_.optimizers[i].step(agent_.models[i].model.net(), adam(rate), state_.update);
    });
  }
  run_tasks(tasks, settings().threads);
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
