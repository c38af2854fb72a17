#include "eval/evaluate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "eval/audit.h"
#include "eval/physics_eval.h"
#include "eval/policy_table.h"
#include "eval/posterior.h"
#include "eval/reach.h"
#include "info/entropy.h"
#include "oracle/beliefs.h"
#include "oracle/sweep.h"

namespace vic {
namespace {

// a weighted sample of (reward, -log p(s_f)), one pair an option
class Comparison {
 public:
  void add(double weight, double reward, double surprise) {
    const double error = reward - surprise;
    weight_ += weight;
    error_ += weight * error;
    error_square_ += weight * error * error;
    x_ += weight * reward;
    y_ += weight * surprise;
    xx_ += weight * reward * reward;
    yy_ += weight * surprise * surprise;
    xy_ += weight * reward * surprise;
  }

  Yardstick result() const {
    const double bias = error_ / weight_;
    const auto covariance = [&](double product, double a, double b) {
      return product / weight_ - a / weight_ * b / weight_;
    };
    const double spread = std::sqrt(covariance(xx_, x_, x_) * covariance(yy_, y_, y_));
    return {.bias = bias,
            .deviation = std::sqrt(std::max(0.0, error_square_ / weight_ - bias * bias)),
            .correlation = spread > 0 ? covariance(xy_, x_, y_) / spread : 0};
  }

 private:
  double weight_ = 0, error_ = 0, error_square_ = 0;
  double x_ = 0, y_ = 0, xx_ = 0, yy_ = 0, xy_ = 0;
};

// whether the policy decides by its history and nothing else: it is told no option, and sees where
// it is
bool follows_histories(Learner& learner) {
  return learner.labels() == nullptr && !learner.encoding().blind;
}

// whether the reward is about what happened, and estimates -log p(s_f)
bool has_hindsight(Learner& learner) {
  return learner.predictors().size() > 1 && follows_histories(learner);
}

void evaluate_exactly(Evaluation& evaluation, Learner& learner, const Histories& histories) {
  const TabularWorld& world = learner.world();
  const Unrolled unrolled = *unroll_histories(world, histories.rows());
  const PolicyTable table = tabulate(learner, unrolled, histories);
  const Policy& policy = table.policy;
  evaluation.I = table.I;
  const Control control = measure(unrolled, policy);
  evaluation.exact = true;
  evaluation.H = control.H;
  evaluation.D = control.D;
  evaluation.N = control.N;
  evaluation.p_f = control.p_f;
  const auto gain = [&](int s, int s_next) { return world.reward(s, s_next); };
  evaluation.external = backward(unrolled, gain, [&](int t, int i, std::span<const double> q) {
    const double* p = &policy[t][std::size_t(i) * (world.A + 1)];
    return std::inner_product(q.begin(), q.end(), p, 0.0);
  });
  // the exams of the hindsight models ask about every history and final state
  constexpr double largest_exam = 1e8;
  if (!has_hindsight(learner) || Beliefs::bytes(unrolled) > largest_exam) return;
  evaluation.posterior = posterior_error(learner, unrolled, policy, histories);
}

// draws options in batches and lets `visit(batch, inputs)` look at each
template <class Visit>
void sample(Learner& learner, const EvalSettings& settings, Visit&& visit) {
  constexpr int B = 1000;
  Rollout rollout(learner.world(), learner.encoding());
  Batch batch;
  HistoryInputs<float> inputs;
  std::vector<Beginning> beginnings;
  // far from the addresses of training
  const std::uint64_t seed = (std::uint64_t{1} << 32) + static_cast<std::uint64_t>(settings.seed);
  for (int k = 0; k * B < settings.options; ++k) {
    const RolloutAddress address{seed, static_cast<std::uint32_t>(k)};
    learner.begin_in_s_0(beginnings, B, address);
    rollout.draw(batch, inputs, learner.pi_p(), beginnings, address);
    visit(batch, inputs);
  }
}

// D and N from the bounds of an auditor: D + N = H, so each bound is a bound of the other one too
void bracket(Evaluation& evaluation, Learner& learner, const EvalSettings& settings) {
  const auto auditor = make_auditor(learner, {.updates = settings.audit, .seed = settings.seed});
  Bounds bounds;
  sample(*auditor, settings, [&](const Batch& batch, const HistoryInputs<float>& inputs) {
    add_bounds(bounds, *auditor, batch, inputs);
  });
  const double D = bounds.D.mean(), N = bounds.N.mean();
  const double D_error = bounds.D.ci95(), N_error = bounds.N.ci95();
  const auto interval = [&](double low, double low_error, double other, double other_error) {
    return Interval{std::max(0.0, low - low_error),
                    evaluation.H - other + other_error + evaluation.ci95};
  };
  evaluation.D_in = interval(D, D_error, N, N_error);
  evaluation.N_in = interval(N, N_error, D, D_error);
  evaluation.D = (D + evaluation.H - N) / 2;
  evaluation.N = evaluation.H - *evaluation.D;
}

void split_entropy(Evaluation& evaluation, Learner& learner, const EvalSettings& settings) {
  if (learner.world().deterministic()) {
    // there is no chance, and all of H is the agent's doing
    evaluation.D = evaluation.H;
    evaluation.N = 0;
    evaluation.D_in = {evaluation.H - evaluation.ci95, evaluation.H + evaluation.ci95};
    evaluation.N_in = {0, 0};
    return;
  }
  // what a policy was told an auditor cannot see
  if (settings.audit > 0 && follows_histories(learner)) bracket(evaluation, learner, settings);
}

// compares the reward of sampled options with what it estimates
Yardstick compare(const Evaluation& evaluation, Learner& learner, const EvalSettings& settings) {
  Comparison comparison;
  sample(learner, settings, [&](const Batch& batch, const HistoryInputs<float>& inputs) {
    const std::vector<double>& reward = learner.intrinsic_rewards(batch, inputs);
    for (int r = 0; r < batch.histories.rows(); ++r) {
      if (batch.ended[r] == 0) continue;
      comparison.add(batch.ended[r], reward[r],
                     -std::log(evaluation.p_f[batch.histories.state[r]]));
    }
  });
  return comparison.result();
}

// nothing where MuJoCo warns: no run may fail for what it does when it is sent about
std::optional<OwnReach> own_reach(Learner& learner, const std::vector<std::vector<double>>& options,
                                  const EvalSettings& settings) {
  try {
    return reach_own(learner, options, {.seed = settings.seed});
  } catch (const SimulationError&) {
    return std::nullopt;
  }
}

}  // namespace

Evaluation evaluate(Learner& learner, const EvalSettings& settings) {
  Evaluation evaluation;
  evaluation.I_hat = learner.metrics().I_hat;
  if (learner.physics() != nullptr) {
    evaluation.watched = draw_options(learner, settings.survey, settings.seed);
    evaluation.survey = survey_of(learner.physics()->world(), evaluation.watched);
    const EntropyEstimate estimate = estimate_entropy(evaluation.survey->cell_counts());
    evaluation.H = estimate.H;
    evaluation.ci95 = estimate.ci95;
    if (settings.reach > 0 && learner.goal_actor()) {
      evaluation.own_reach = own_reach(learner, evaluation.watched, settings);
    }
    return evaluation;
  }
  const TabularWorld& world = learner.world();
  evaluation.route = most_likely_route(learner);
  if (const auto histories = enumerate_histories(world, settings.histories)) {
    evaluate_exactly(evaluation, learner, *histories);
  }
  std::vector<long> counts(world.S, 0);
  long n = 0;
  SampleMean external;
  sample(learner, settings, [&](const Batch& batch, const HistoryInputs<float>&) {
    for (int r = 0; r < batch.histories.rows(); ++r) {
      counts[batch.histories.state[r]] += batch.ended[r];
      external.add(batch.ended[r], batch.external[r]);
    }
    n += batch.options;
  });
  for (int s = 0; s < world.S; ++s) {
    evaluation.states += counts[s] > 0;
    evaluation.rooms += counts[s] > 0 && world.absorbing[s];
  }
  if (!evaluation.exact) {
    const EntropyEstimate estimate = estimate_entropy(counts);
    evaluation.H = estimate.H;
    evaluation.ci95 = estimate.ci95;
    for (long count : counts) {
      evaluation.p_f.push_back(static_cast<double>(count) / static_cast<double>(n));
    }
    evaluation.external = external.mean();
    evaluation.external_ci95 = external.ci95();
    split_entropy(evaluation, learner, settings);
  }
  if (has_hindsight(learner)) {
    evaluation.yardstick = compare(evaluation, learner, settings);
  }
  if (settings.reach > 0 && learner.goal_actor()) {
    ReachSettings how{.options = settings.reach, .seed = settings.seed};
    const Reach learned = reach_all(learner, how);
    how.temperature = 0;
    const Reach greedy = reach_all(learner, how);
    evaluation.reach = {.exact = learned.exact,
                        .mean = learned.mean(),
                        .worst = learned.success[learned.worst()],
                        .greedy_mean = greedy.mean(),
                        .best_mean = learned.best_mean()};
  }
  return evaluation;
}

std::vector<int> most_likely_route(Learner& learner) {
  const TabularWorld& world = learner.world();
  const auto largest = [](const auto* begin, const auto* end) {
    return static_cast<int>(std::max_element(begin, end) - begin);
  };
  Histories chain;
  HistoryInputs<float> inputs;
  chain.begin(world.s_0);
  // of explicit options, the likeliest
  std::vector<int> goal;
  if (Labels* labels = learner.labels()) {
    const std::vector<double>& prior = labels->prior();
    goal = {largest(&prior[0], &prior[0] + prior.size())};
  }
  std::vector<int> route = {world.s_0};
  while (chain.levels() < world.T_max && !world.absorbing[route.back()]) {
    const int row = chain.rows() - 1;
    inputs.append(chain, row, learner.encoding(), world.A);
    learner.pi_p().model().encode_level(tree_of(chain, row + 1), row, inputs.view());
    const MatrixView<const float> p =
        learner.pi_p().probabilities({.row = {row}, .action = {}, .goal = goal}, row);
    const int a = largest(p.row(0), p.row(0) + world.A + 1);
    if (a == world.A) break;
    const int begin = world.first[route.back() * world.A + a];
    const int end = world.first[route.back() * world.A + a + 1];
    route.push_back(world.next[begin + largest(&world.p[begin], &world.p[begin] + (end - begin))]);
    chain.add(row, a, route.back());
    chain.close_level();
  }
  return route;
}

}  // namespace vic
