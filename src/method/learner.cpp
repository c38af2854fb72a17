#include "method/learner.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/tasks.h"
#include "info/entropy.h"

namespace vic {
namespace {

// which random numbers are whose: the steps of a rollout come first, these far behind
constexpr std::uint32_t noise_step = 0xFFFFFFFF;

// the smoothing factor of the paper's estimate of p(s_f), Section 5
constexpr double paper_decay = 0.99;

// log q - log p, to be summed in double
double log_ratio(float log_q, float log_p) {
  return static_cast<double>(log_q) - static_cast<double>(log_p);
}

ModelShape shape_of(const char* name, Told told, const TabularWorld& world,
                    const TrainSettings& settings, int outputs) {
  return {name, told, world.A, settings.hidden, outputs};
}

}  // namespace

Learner::Learner(const TabularWorld& world, const TrainSettings& settings)
    : world_(world),
      settings_(settings),
      algorithm_(parse_algorithm(settings.algorithm)),
      encoding_(encode_states(world, parse_state_code(settings.encoding))),
      pi_p_(shape_of("pi_p", {}, world, settings, world.A + 1), encoding_,
            {static_cast<std::uint64_t>(settings.seed), 0}),
      rollout_(world_, encoding_) {
  if (settings.hidden % 8 != 0) {
    fail_usage("train.hidden = {} is not allowed; it must be a multiple of 8.", settings.hidden);
  }
  if (algorithm_ == Algorithm::mixture && world.d == 0) {
    fail_usage("The algorithm mixture predicts coordinates, and {} has none; take transition.",
               world.name);
  }
  if (world.absorbing[world.s_0]) {
    fail_usage("{} starts in {}, where every option ends at once; there is nothing to learn.",
               world.name, world.state_names[world.s_0]);
  }
  if (algorithm_ == Algorithm::reward && (!world.has_reward || settings.alpha == 0)) {
    fail_usage(
        "The algorithm reward learns from the external reward alone, and here there is none: "
        "{}.",
        world.has_reward ? "train.alpha is 0" : world.name + " has no rewards");
  }
  state_.p_f.sum.assign(world.S, 0);
  state_.recent.sum.assign(world.S, 0);
  const auto seed = static_cast<std::uint64_t>(settings.seed);
  const Told hindsight{.goal = true}, after{.action = true},
      after_in_hindsight{.action = true, .goal = true};
  if (algorithm_ == Algorithm::marginal || algorithm_ == Algorithm::reward) return;
  pi_q_.emplace(Part{
      Predictor(shape_of("pi_q", hindsight, world, settings, world.A + 1), encoding_, {seed, 1})});
  if (algorithm_ == Algorithm::transition) {
    rho_p_.emplace(
        Part{Predictor(shape_of("rho_p", after, world, settings, world.S), encoding_, {seed, 2})});
    rho_q_.emplace(Part{Predictor(shape_of("rho_q", after_in_hindsight, world, settings, world.S),
                                  encoding_, {seed, 3})});
  }
  if (algorithm_ == Algorithm::mixture) {
    const Mixture mixture{.n = settings.n_gmm, .d = world.d, .sigma = settings.sigma};
    const int outputs = static_cast<int>(mixture.outputs());
    rho_p_.emplace(Part{Predictor(shape_of("rho_p", after, world, settings, outputs), encoding_,
                                  {seed, 2}, mixture, world)});
    rho_q_.emplace(Part{Predictor(shape_of("rho_q", after_in_hindsight, world, settings, outputs),
                                  encoding_, {seed, 3}, mixture, world)});
    if (settings.nodes > 0) gauss_hermite_noise(noise_, settings.nodes, world.d);
  }
}

std::vector<Predictor*> Learner::predictors() {
  std::vector<Predictor*> list = {&pi_p_};
  for (auto* part : {&pi_q_, &rho_p_, &rho_q_}) {
    if (*part) list.push_back(&(*part)->predictor);
  }
  return list;
}

AdamSettings Learner::adam(double rate) const {
  // the rate falls linearly from its full value to its final share
  const auto all = static_cast<double>(settings_.all_updates());
  const double left = 1 - std::min(1.0, static_cast<double>(state_.update) / all);
  const double share = settings_.final_rate + (1 - settings_.final_rate) * left;
  return {.learning_rate = rate * share, .beta_1 = settings_.beta_1, .beta_2 = settings_.beta_2};
}

double Learner::alpha() const {
  const double past = std::max(0.0, policy_updates()) - settings_.alpha_start;
  if (past < 0) return 0;
  return settings_.alpha * (past < settings_.alpha_ramp ? past / settings_.alpha_ramp : 1);
}

double Learner::entropy_bonus() const {
  if (settings_.entropy_end == 0) return settings_.entropy_bonus;
  const double past = std::max(0.0, policy_updates() / settings_.entropy_end);
  return settings_.entropy_bonus * std::max(0.0, 1 - past);
}

void Learner::update() {
  draw_options();
  const Asked asked{batch_.histories, inputs_.view(), batch_.tree()};
  decisions_.read(batch_);
  state_.p_f.add(batch_, paper_decay);
  state_.recent.add(batch_, settings_.count_decay);
  score(batch_, asked);
  reward_control(batch_);
  reward_the_rest(batch_);

  // b(s_0) starts at the first reward it sees, and does not know the batch it is subtracted from
  if (state_.update == 0) state_.baseline = mean_reward_;
  learn(asked);
  state_.baseline += settings_.baseline_rate * (mean_reward_ - state_.baseline);
  ++state_.update;
}

// Draws the batch, and lets pi_q read its histories: with two threads, while they grow.
void Learner::draw_options() {
  const RolloutAddress address{static_cast<std::uint64_t>(settings_.seed),
                               static_cast<std::uint32_t>(state_.update)};
  if (!pi_q_ || settings_.threads == 1) {
    rollout_.draw(batch_, inputs_, pi_p_, settings_.batch, address);
    if (pi_q_) pi_q_->predictor.model().encode(batch_.tree(), inputs_.view());
    return;
  }
  if (!reader_) reader_.emplace();
  const auto read = [&](const Tree& tree, int t, const Inputs<float>& inputs) {
    reader_->hand(
        [this, tree, t, inputs] { pi_q_->predictor.model().encode_level(tree, t, inputs); });
  };
  rollout_.draw(batch_, inputs_, pi_p_, settings_.batch, address, read);
  reader_->finish();
}

// Asks every model about everything that happened: pi_p has been asked already, and pi_q has read
// the histories. The models do not see each other.
void Learner::score(const Batch& batch, const Asked& asked) {
  std::vector<std::function<void()>> tasks = {[&] {
    pi_p_.kept_log_p(log_pi_p_, decisions_.outcomes);
    require_finite(log_pi_p_, pi_p_);
  }};
  if (pi_q_) {
    hindsight_.look_back(batch, world_.A);
    ask_decisions_in_hindsight(batch);
  }
  if (rho_p_) {
    ask_transitions(batch);
    ask_transitions_in_hindsight(batch);
  }
  for (auto* part : {&rho_q_, &rho_p_, &pi_q_}) {
    if (!*part) continue;
    tasks.push_back([this, &part = **part, &asked] {
      if (&part != &*pi_q_) {
        part.predictor.model().encode(asked.tree, asked.inputs, part.queries);
      }
      part.predictor.log_p(part.log_p, part.queries, part.outcomes, asked);
      require_finite(part.log_p, part.predictor);
    });
  }
  run_tasks(tasks, settings_.threads);
}

void Learner::require_finite(const std::vector<float>& numbers, const Predictor& from) const {
  for (float x : numbers) {
    if (std::isfinite(x)) continue;
    throw Error(fmt::format(
        "{} gives a log-probability of {} at update {}; a smaller train.learning_rate may help.",
        from.model().shape().name, x, state_.update));
  }
}

// The intrinsic reward of an option, collected along its history: equations 7, 15 and 22.
void Learner::reward_control(const Batch& batch) {
  const Histories& tree = batch.histories;
  const double lambda = rho_p_ ? settings_.lambda : 0;
  row_reward_.assign(tree.rows(), 0);
  if (pi_q_) {
    const Hindsight& look = hindsight_;
    pair_reward_.assign(look.row.size(), 0);
    for (std::size_t k = 0; k < look.row.size(); ++k) {
      const int r = look.row[k];
      double& reward = pair_reward_[k];
      if (r >= tree.roots()) {
        reward = pair_reward_[look.parent[k]] +
                 log_ratio(pi_q_->log_p[look.into[k]], log_pi_p_[batch.into[r]]);
        if (rho_p_) {
          reward += lambda * log_ratio(rho_q_->log_p[k - look.first[tree.roots()]],
                                       rho_p_->log_p[r - tree.roots()]);
        }
      }
      if (batch.ended[r] == 0 || look.final_state[k] != tree.state[r]) continue;
      row_reward_[r] = reward;
      if (look.stop[k] >= 0) {
        row_reward_[r] += log_ratio(pi_q_->log_p[look.stop[k]], log_pi_p_[batch.stop[r]]);
      }
    }
  }
  if (algorithm_ == Algorithm::marginal) {
    for (int r = 0; r < tree.rows(); ++r) {
      if (batch.ended[r] > 0) row_reward_[r] = -std::log(state_.recent.p(tree.state[r]));
    }
  }
}

// Adds alpha r_E and the entropy bonus. The mean of -log pi_p over a policy's options is the
// entropy of its decisions, and so the policy gradient of the sum climbs both.
void Learner::reward_the_rest(const Batch& batch) {
  const Histories& tree = batch.histories;
  const double alpha_now = alpha(), bonus = entropy_bonus();
  mean_reward_ = mean_external_ = mean_length_ = 0;
  log_path_.assign(tree.rows(), 0);
  for (int t = 0, r = 0; t < tree.levels(); ++t) {
    for (; r < tree.first[t + 1]; ++r) {
      if (t > 0) {
        log_path_[r] = log_path_[tree.parent[r]] + static_cast<double>(log_pi_p_[batch.into[r]]);
      }
      const double share = static_cast<double>(batch.ended[r]) / batch.options;
      if (share == 0) continue;
      const double stop = batch.stop[r] < 0 ? 0 : static_cast<double>(log_pi_p_[batch.stop[r]]);
      row_reward_[r] += alpha_now * batch.external[r] - bonus * (log_path_[r] + stop);
      mean_reward_ += share * row_reward_[r];
      mean_external_ += share * batch.external[r];
      mean_length_ += share * (t + 1);
    }
  }
}

const std::vector<double>& Learner::intrinsic_rewards(const Batch& batch,
                                                      const HistoryInputs<float>& inputs) {
  const Asked asked{batch.histories, inputs.view(), batch.tree()};
  decisions_.read(batch);
  pi_p_.model().encode(asked.tree, asked.inputs);
  if (pi_q_) pi_q_->predictor.model().encode(asked.tree, asked.inputs);
  pi_p_.probabilities(decisions_.queries);
  score(batch, asked);
  reward_control(batch);
  return row_reward_;
}

const std::vector<double>& Learner::rewards(const Batch& batch,
                                            const HistoryInputs<float>& inputs) {
  intrinsic_rewards(batch, inputs);
  reward_the_rest(batch);
  return row_reward_;
}

void RunningFrequencies::add(const Batch& batch, double decay) {
  for (double& x : sum) x *= decay;
  weight = decay * weight + (1 - decay);
  const double share = (1 - decay) / batch.options;
  for (int r = 0; r < batch.histories.rows(); ++r) {
    sum[batch.histories.state[r]] += share * batch.ended[r];
  }
}

// pi_p climbs sum_t (r - b) log pi_p, equations 15 and 22; the other models learn by maximum
// likelihood, equations 14, 20 and 21
void Learner::learn(const Asked& asked) {
  if (algorithm_ == Algorithm::mixture && settings_.nodes == 0) {
    sample_noise(noise_, {.points = settings_.T_smooth, .d = world_.d},
                 {.seed = static_cast<std::uint64_t>(settings_.seed),
                  .update = static_cast<std::uint32_t>(state_.update),
                  .step = noise_step});
  }
  std::vector<std::function<void()>> tasks;
  for (auto* part : {&rho_q_, &rho_p_, &pi_q_}) {
    if (!*part) continue;
    tasks.push_back([this, &part = **part, &asked] {
      part.predictor.add_gradient(part.queries, part.outcomes, part.weight, asked, noise_);
      part.predictor.model().step(adam(settings_.learning_rate), state_.update);
    });
  }
  if (state_.update >= settings_.warm_up) {
    gain_ = row_reward_;
    for (double& gain : gain_) gain -= state_.baseline;
    decisions_.weigh(batch_, gain_);
    const double rate = settings_.policy_rate > 0 ? settings_.policy_rate : settings_.learning_rate;
    tasks.push_back([this, rate, &asked] {
      pi_p_.add_gradient(decisions_.queries, decisions_.outcomes, decisions_.scale, asked, noise_);
      pi_p_.model().step(adam(rate), state_.update);
    });
  }
  run_tasks(tasks, settings_.threads);
}

double Learner::loss(const std::optional<Part>& part) const {
  double sum = 0;
  if (!part) return sum;
  for (std::size_t m = 0; m < part->log_p.size(); ++m) {
    sum -= static_cast<double>(part->weight[m] * part->log_p[m]);
  }
  return sum;
}

Metrics Learner::metrics() const {
  std::vector<double> p_f = state_.p_f.sum;
  for (double& p : p_f) p /= state_.p_f.weight;
  return {.update = state_.update,
          .reward = mean_reward_,
          .external = mean_external_,
          .baseline = state_.baseline,
          .length = mean_length_,
          .I_hat = entropy(p_f),
          .loss_pi_q = loss(pi_q_),
          .loss_rho_p = loss(rho_p_),
          .loss_rho_q = loss(rho_q_)};
}

}  // namespace vic
