#include "method/learner.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/tasks.h"

namespace vic {
namespace {

// the smoothing factor of the paper's estimate of p(s_f), Section 5
constexpr double paper_decay = 0.99;

Encoding encoding_of(const TabularWorld& world, const TrainSettings& settings) {
  Encoding encoding = encode_states(world, parse_state_code(settings.encoding));
  encoding.blind = parse_algorithm(settings.algorithm) == Algorithm::open_loop;
  return encoding;
}

// the goals of pi_p, which is told none but the number of an explicit option
Encoding goals_of(const TrainSettings& settings, const Encoding& encoding) {
  const bool labelled = parse_algorithm(settings.algorithm) == Algorithm::labels;
  return labelled ? Labels::code(settings.options) : encoding;
}

std::vector<int> starts_of(const TabularWorld& world, const TrainSettings& settings) {
  if (settings.starts == "one") return {world.s_0};
  if (settings.starts != "all") {
    fail_usage("train.starts = {} is not allowed; it is one or all.", settings.starts);
  }
  const Algorithm algorithm = parse_algorithm(settings.algorithm);
  if (algorithm == Algorithm::marginal || algorithm == Algorithm::labels) {
    fail_usage(
        "The algorithm {} cannot begin everywhere: it would have to know p(s_f) of each start by "
        "itself. Take implicit, transition or mixture with train.starts = all.",
        settings.algorithm);
  }
  std::vector<int> starts;
  for (int s = 0; s < world.S; ++s) {
    if (!world.absorbing[s]) starts.push_back(s);
  }
  return starts;
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
      encoding_(encoding_of(world, settings)),
      starts_(starts_of(world, settings)),
      pi_p_(
          shape_of("pi_p", {.goal = algorithm_ == Algorithm::labels}, world, settings, world.A + 1),
          encoding_, goals_of(settings, encoding_), {static_cast<std::uint64_t>(settings.seed), 0}),
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
  const int X = static_cast<int>(starts_.size());
  start_of_.assign(world.S, -1);
  for (int x = 0; x < X; ++x) start_of_[starts_[x]] = x;
  state_.baseline.assign(X, 0);
  state_.p_f = RunningFrequencies(X, world.S);
  state_.recent = RunningFrequencies(X, world.S);
  const auto seed = static_cast<std::uint64_t>(settings.seed);
  const Told hindsight{.goal = true}, after{.action = true},
      after_in_hindsight{.action = true, .goal = true};
  if (algorithm_ == Algorithm::labels) labels_.emplace(world, encoding_, settings);
  if (algorithm_ == Algorithm::marginal || algorithm_ == Algorithm::reward || labels_) return;
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
  if (labels_) {
    for (Predictor* predictor : labels_->predictors()) list.push_back(predictor);
  }
  return list;
}

Predictor* Learner::goal_policy() {
  if (labels_) return &pi_p_;
  return pi_q_ ? &pi_q_->predictor : nullptr;
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
  state_.recent.add(batch_, settings_.count_decay, start_of_);
  score(batch_, asked);
  reward_control(batch_, asked);
  reward_the_rest(batch_);
  count_rewards();
  begin_baselines();
  learn(asked);
  follow_rewards();
  state_.p_f.add(batch_, paper_decay, start_of_);
  ++state_.update;
}

void Learner::begin_in_s_0(std::vector<Beginning>& beginnings, int B, RolloutAddress address) {
  if (labels_) return labels_->draw(beginnings, B, address);
  beginnings.assign(B, {.state = world_.s_0});
}

void Learner::begin_options(RolloutAddress address) {
  if (starts_.size() == 1) return begin_in_s_0(beginnings_, settings_.batch, address);
  beginnings_.resize(settings_.batch);
  draw_beginnings(beginnings_, address, extra_step::start,
                  [&](double u) { return Beginning{.state = pick_alike(starts_, u)}; });
}

// Draws the batch, and lets pi_q read its histories: with two threads, while they grow.
void Learner::draw_options() {
  const RolloutAddress address{static_cast<std::uint64_t>(settings_.seed),
                               static_cast<std::uint32_t>(state_.update)};
  begin_options(address);
  if (!pi_q_ || settings_.threads == 1) {
    rollout_.draw(batch_, inputs_, pi_p_, beginnings_, address);
    if (pi_q_) pi_q_->predictor.model().encode(batch_.tree(), inputs_.view());
    return;
  }
  if (!reader_) reader_.emplace();
  const auto read = [&](const Tree& tree, int t, const Inputs<float>& inputs) {
    reader_->hand(
        [this, tree, t, inputs] { pi_q_->predictor.model().encode_level(tree, t, inputs); });
  };
  rollout_.draw(batch_, inputs_, pi_p_, beginnings_, address, read);
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
      part.log_p.clear();
      // where all options stop at once there are no transitions to ask about
      if (part.queries.size() == 0) return;
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

// pi_p climbs sum_t (r - b) log pi_p, equations 15 and 22; the other models learn by maximum
// likelihood, equations 14, 20 and 21
void Learner::learn(const Asked& asked) {
  if (algorithm_ == Algorithm::mixture && settings_.nodes == 0) {
    sample_noise(noise_, {.points = settings_.T_smooth, .d = world_.d},
                 {.seed = static_cast<std::uint64_t>(settings_.seed),
                  .update = static_cast<std::uint32_t>(state_.update),
                  .step = extra_step::noise});
  }
  std::vector<std::function<void()>> tasks;
  for (auto* part : {&rho_q_, &rho_p_, &pi_q_}) {
    if (!*part) continue;
    if ((*part)->queries.size() == 0) continue;
    tasks.push_back([this, &part = **part, &asked] {
      part.predictor.add_gradient(part.queries, part.outcomes, part.weight, asked, noise_);
      part.predictor.model().step(adam(settings_.learning_rate), state_.update);
    });
  }
  if (state_.update >= settings_.warm_up) {
    gain_ = row_reward_;
    for (std::size_t r = 0; r < gain_.size(); ++r) {
      const Histories& tree = batch_.histories;
      gain_[r] -= state_.baseline[start_of_[tree.state[tree.root[r]]]];
    }
    decisions_.weigh(batch_, gain_);
    if (labels_) labels_->learn_prior(batch_, gain_, adam(settings_.learning_rate), state_.update);
    const double rate = settings_.policy_rate > 0 ? settings_.policy_rate : settings_.learning_rate;
    tasks.push_back([this, rate, &asked] {
      pi_p_.add_gradient(decisions_.queries, decisions_.outcomes, decisions_.scale, asked, noise_);
      pi_p_.model().step(adam(rate), state_.update);
    });
  }
  if (labels_) {
    tasks.push_back(
        [this, &asked] { labels_->learn(asked, adam(settings_.learning_rate), state_.update); });
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
  double baseline = 0;
  for (double b : state_.baseline) baseline += b / static_cast<double>(state_.baseline.size());
  return {.update = state_.update,
          .reward = mean_reward_,
          .external = mean_external_,
          .baseline = baseline,
          .length = mean_length_,
          .I_hat = state_.p_f.mean_entropy(),
          .loss_pi_q = labels_ ? labels_->loss() : loss(pi_q_),
          .loss_rho_p = loss(rho_p_),
          .loss_rho_q = loss(rho_q_)};
}

}  // namespace vic
