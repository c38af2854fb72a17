#include "method/learner.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/tasks.h"

namespace vic {
namespace {

// the smoothing factor of the paper's estimate of p(s_f), Section 5
constexpr double paper_decay = 0.99;

// the number of an explicit option, which pi_p is told
Encoding code_of_labels(const TrainSettings& settings) {
  const bool labelled = parse_algorithm(settings.algorithm) == Algorithm::labels;
  return labelled ? Labels::code(settings.options) : Encoding{};
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

InitAddress init_of(const TrainSettings& settings, std::uint32_t stream) {
  return {static_cast<std::uint64_t>(settings.seed), stream};
}

}  // namespace

Learner::Learner(std::unique_ptr<Stage> stage, const TrainSettings& settings)
    : stage_(std::move(stage)),
      settings_(settings),
      algorithm_(parse_algorithm(settings.algorithm)),
      labels_code_(code_of_labels(settings)),
      pi_p_({"pi_p",
             {.goal = algorithm_ == Algorithm::labels},
             stage_->A,
             settings.hidden,
             stage_->choices,
             /*from_zero=*/false,
             settings.persistence},
            stage_->states, labels_code_, init_of(settings, 0), stage_->states.actions.F) {
  if (settings.hindsight != "apart" && !settings.corrects()) {
    fail_usage("train.hindsight = {} is not allowed; it is apart or correction.",
               settings.hindsight);
  }
  if (settings.hidden % 8 != 0) {
    fail_usage("train.hidden = {} is not allowed; it must be a multiple of 8.", settings.hidden);
  }
  if (algorithm_ == Algorithm::mixture && stage_->states.d == 0) {
    fail_usage("The algorithm mixture predicts coordinates, and {} has none; take transition.",
               stage_->name);
  }
}

Learner::Learner(const TabularWorld& world, const TrainSettings& settings)
    : Learner(std::make_unique<TabularStage>(world, settings), settings) {
  world_ = &world;
  starts_ = starts_of(world, settings);
  if (settings.corrects()) {
    fail_usage(
        "train.hindsight = correction is for worlds that MuJoCo simulates, where pi_q is asked "
        "about options that pi_p drew and nothing else; take apart in {}.",
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
  start_of_.assign(world.S, -1);
  for (std::size_t x = 0; x < starts_.size(); ++x) start_of_[starts_[x]] = static_cast<int>(x);
  if (algorithm_ == Algorithm::labels) labels_.emplace(world, stage_->states, settings);
  make_hindsight();
}

Learner::Learner(const PhysicsWorld& world, const TrainSettings& settings)
    : Learner(std::make_unique<PhysicsStage>(world, settings), settings) {
  physics_ = static_cast<PhysicsStage*>(stage_.get());
  if (settings.starts != "one") {
    fail_usage("{} has one start: train.starts = {} is for worlds with a table of states.",
               world.name, settings.starts);
  }
  if (algorithm_ == Algorithm::transition || algorithm_ == Algorithm::reward ||
      algorithm_ == Algorithm::labels) {
    fail_usage(
        "The algorithm {} needs a world with a table of states, and {} has none; take implicit, "
        "mixture, marginal or open-loop.",
        settings.algorithm, world.name);
  }
  make_hindsight();
}

// the models besides the policy, and the counts
void Learner::make_hindsight() {
  const int X = static_cast<int>(starts_.size());
  state_.baseline.assign(X, 0);
  state_.p_f = RunningFrequencies(X, stage_->cells);
  state_.recent = RunningFrequencies(X, stage_->cells);
  if (algorithm_ == Algorithm::marginal || algorithm_ == Algorithm::reward || labels_) return;
  const Told hindsight{.goal = true}, after{.action = true},
      after_in_hindsight{.action = true, .goal = true};
  const Encoding &states = stage_->states, &goals = stage_->goals;
  const auto shape = [&](const char* name, Told told, int outputs) {
    const bool corrects = settings_.corrects() && told.goal;
    // what a model corrects prefers the last action already
    return ModelShape{name,
                      told,
                      stage_->A,
                      settings_.hidden,
                      outputs,
                      corrects,
                      corrects || told.action ? 0 : settings_.persistence};
  };
  pi_q_.emplace(Part{Predictor(shape("pi_q", hindsight, stage_->choices), states, goals,
                               init_of(settings_, 1), states.actions.F)});
  if (algorithm_ == Algorithm::transition) {
    const int S = stage_->S;
    rho_p_.emplace(Part{Predictor(shape("rho_p", after, S), states, init_of(settings_, 2))});
    rho_q_.emplace(Part{
        Predictor(shape("rho_q", after_in_hindsight, S), states, goals, init_of(settings_, 3))});
  }
  if (algorithm_ == Algorithm::mixture) {
    const Mixture mixture{.n = settings_.n_gmm, .d = states.d, .sigma = settings_.sigma};
    const int outputs = static_cast<int>(mixture.outputs());
    rho_p_.emplace(Part{
        Predictor(shape("rho_p", after, outputs), states, goals, init_of(settings_, 2), mixture)});
    rho_q_.emplace(Part{Predictor(shape("rho_q", after_in_hindsight, outputs), states, goals,
                                  init_of(settings_, 3), mixture)});
    if (settings_.nodes > 0) gauss_hermite_noise(noise_, settings_.nodes, states.d);
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

std::optional<Actor> Learner::goal_actor(double temperature) {
  if (labels_) return Actor(pi_p_, temperature);
  if (!pi_q_) return std::nullopt;
  return Actor(pi_q_->predictor, temperature, settings_.corrects() ? &pi_p_ : nullptr);
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
  decisions_.read(batch_, encoding().actions);
  state_.recent.add(batch_, settings_.count_decay, root_start_);
  score(batch_, asked);
  reward_control(batch_, asked);
  reward_the_rest(batch_);
  count_rewards();
  begin_baselines();
  learn(asked);
  follow_rewards();
  state_.p_f.add(batch_, paper_decay, root_start_);
  ++state_.update;
}

void Learner::begin_in_s_0(std::vector<Beginning>& beginnings, int B, RolloutAddress address) {
  if (labels_) return labels_->draw(beginnings, B, address);
  beginnings.assign(B, {.state = world_ != nullptr ? world_->s_0 : 0});
}

void Learner::begin_options(RolloutAddress address) {
  if (starts_.size() == 1) return begin_in_s_0(beginnings_, settings_.batch, address);
  beginnings_.resize(settings_.batch);
  const std::span<const int> starts = starts_;
  draw_beginnings(beginnings_, address, extra_step::start,
                  [&](double u) { return Beginning{.state = pick_alike(starts, u)}; });
}

void Learner::draw(Batch& batch, HistoryInputs<float>& inputs, int B, RolloutAddress address) {
  std::vector<Beginning> beginnings;
  begin_in_s_0(beginnings, B, address);
  stage_->draw(batch, inputs, pi_p_, beginnings, address, {});
}

void Learner::draw_options() {
  const RolloutAddress address{static_cast<std::uint64_t>(settings_.seed),
                               static_cast<std::uint32_t>(state_.update)};
  begin_options(address);
  draw_and_read(address);
  const Histories& tree = batch_.histories;
  root_start_.assign(tree.roots(), 0);
  if (starts_.size() == 1) return;
  for (int root = 0; root < tree.roots(); ++root) root_start_[root] = start_of_[tree.state[root]];
}

// Draws the batch, and lets pi_q read its histories: with two threads, while they grow.
void Learner::draw_and_read(RolloutAddress address) {
  if (!pi_q_ || settings_.threads == 1) {
    stage_->draw(batch_, inputs_, pi_p_, beginnings_, address, {});
    if (pi_q_) pi_q_->predictor.model().encode(batch_.tree(), inputs_.view());
    return;
  }
  if (!reader_) reader_.emplace();
  const auto read = [&](const Tree& tree, int t, const Inputs<float>& inputs) {
    reader_->hand(
        [this, tree, t, inputs] { pi_q_->predictor.model().encode_level(tree, t, inputs); });
  };
  stage_->draw(batch_, inputs_, pi_p_, beginnings_, address, read);
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
    hindsight_.look_back(batch);
    ask_decisions_in_hindsight(batch);
  }
  if (rho_p_) {
    ask_transitions(batch);
    ask_transitions_in_hindsight(batch);
  }
  if (settings_.corrects() && rho_p_) {
    // rho_q goes on from what rho_p says
    tasks.push_back([&] {
      ask(*rho_p_, asked);
      ask(*rho_q_, asked);
    });
  } else if (rho_p_) {
    tasks.push_back([&] { ask(*rho_q_, asked); });
    tasks.push_back([&] { ask(*rho_p_, asked); });
  }
  if (pi_q_) tasks.push_back([&] { ask(*pi_q_, asked); });
  run_tasks(tasks, settings_.threads);
}

void Learner::ask(Part& part, const Asked& asked) {
  part.log_p.clear();
  // where all options stop at once there are no transitions to ask about
  if (part.queries.size() == 0) return;
  if (&part != &*pi_q_) part.predictor.model().encode(asked.tree, asked.inputs, part.queries);
  part.predictor.log_p(part.log_p, part.queries, part.outcomes, asked, foresight(part));
  require_finite(part.log_p, part.predictor);
}

// What a model in hindsight corrects; nothing where it is on its own.
Base Learner::foresight(const Part& part) {
  if (part.foresight.empty()) return {};
  Predictor& from = &part == &*pi_q_ ? pi_p_ : rho_p_->predictor;
  return {from.model().answers(), part.foresight};
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
    sample_noise(noise_, {.points = settings_.T_smooth, .d = encoding().d},
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
      gain_[r] -= state_.baseline[start_of(static_cast<int>(r))];
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
