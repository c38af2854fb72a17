#include "eval/evaluate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "eval/bounds.h"
#include "eval/comparison.h"
#include "eval/policy_table.h"
#include "eval/posterior.h"
#include "eval/reach.h"
#include "eval/simulator_eval.h"
#include "info/entropy.h"
#include "method/baselines/skills.h"
#include "oracle/beliefs.h"

namespace vic {
namespace {

// whether the policy depends on its history alone: it is not conditioned on a skill, and not blind
bool follows_histories(const Agent& agent) {
  return agent.algorithm->policy_goal == GoalKind::none && !agent.encoding.blind;
}

void set_control(Evaluation& evaluation, const HistoryTree& tree, const Policy& policy, Stop stop) {
  Control control = measure(tree.unrolled, policy, stop);
  evaluation.exact = true;
  evaluation.H = control.H;
  evaluation.D = control.D;
  evaluation.N = control.N;
  evaluation.p_f = std::move(control.p_f);
}

void evaluate_exactly(Evaluation& evaluation, const Agent& agent, const HistoryTree& tree,
                      Stop stop) {
  const TabularWorld& world = agent.table();
  const PolicyTable table = tabulate(agent, tree);
  const Policy& policy = table.policy;
  evaluation.I = table.I;
  set_control(evaluation, tree, policy, stop);
  const auto gain = [&](int s, int s_next) { return world.reward(s, s_next); };
  evaluation.external = backward(tree.unrolled, gain, [&](int t, int i, std::span<const double> q) {
    const double* p = &policy[t][std::size_t(i) * (world.A + 1)];
    return std::inner_product(q.begin(), q.end(), p, 0.0);
  });
  // the hindsight models are queried about every history and final state
  constexpr double largest_bytes = 1e8;
  if (!agent.algorithm->rewards_surprise || Beliefs::bytes(tree.unrolled) > largest_bytes) return;
  stop.check();
  evaluation.posterior = posterior_error(agent, tree, policy);
}

// samples options in batches of B and calls `visit(batch)` for each
template <class Visit>
void sample(const Agent& agent, const EvalSettings& settings, const Step& step, Visit&& visit,
            int B = 1000) {
  const std::unique_ptr<Sampler> sampler = make_sampler(agent);
  Batch batch;
  ActorWorkspace work;
  for (int k = 0; k * B < settings.options; ++k) {
    step(k * B, settings.options);
    sample_options(batch, agent, *sampler, work, B,
                   {stream_seed(Stream::evaluation, settings.seed), static_cast<std::uint32_t>(k)});
    visit(batch);
  }
}

// D and N from variational bounds: as D + N = H, a bound of one is also a bound of the other
void bracket(Evaluation& evaluation, const Agent& agent, const EvalSettings& settings,
             const Step& step) {
  const auto models =
      train_bounds(agent, {.updates = settings.bound_updates, .seed = settings.seed}, step);
  Bounds bounds;
  BoundsWorkspace work;
  sample(models->agent(), settings, step,
         [&](const Batch& batch) { add_bounds(bounds, work, models->agent(), batch); });
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

void split_entropy(Evaluation& evaluation, const Agent& agent, const EvalSettings& settings,
                   const Step& step) {
  if (agent.table().deterministic()) {
    // without chance, all of H is control
    evaluation.D = evaluation.H;
    evaluation.N = 0;
    evaluation.D_in = {evaluation.H - evaluation.ci95, evaluation.H + evaluation.ci95};
    evaluation.N_in = {0, 0};
    return;
  }
  // the bounds do not model what a policy is conditioned on
  if (settings.bound_updates > 0 && follows_histories(agent)) {
    bracket(evaluation, agent, settings, step);
  }
}

// compares the reward of sampled options with -log p(s_f), which it estimates
Calibration calibrate(const Evaluation& evaluation, const Learner& learner,
                      const EvalSettings& settings, const Step& step) {
  const Agent& agent = learner.agent();
  Comparison comparison;
  Scores scores;
  sample(agent, settings, step, [&](const Batch& batch) {
    const std::vector<double>& reward =
        intrinsic_rewards(scores, agent, batch, &learner.state().recent);
    for (int r = 0; r < batch.histories.rows(); ++r) {
      if (batch.ended[r] == 0) continue;
      comparison.add(batch.count(r), reward[r],
                     -std::log(evaluation.p_f[batch.histories.state[r]]));
    }
  });
  return comparison.result();
}

// counts the final states of sampled options and estimates from them what is not known exactly
void evaluate_by_sampling(Evaluation& evaluation, const Agent& agent, const EvalSettings& settings,
                          const Step& step) {
  const TabularWorld& world = agent.table();
  std::vector<long> counts(world.S, 0);
  long n = 0;
  SampleMean external;
  sample(agent, settings, step, [&](const Batch& batch) {
    for (int r = 0; r < batch.histories.rows(); ++r) {
      counts[batch.histories.state[r]] += batch.count(r);
      external.add(batch.count(r), batch.external[r]);
    }
    n += batch.options;
  });
  for (int s = 0; s < world.S; ++s) {
    evaluation.states += counts[s] > 0;
    evaluation.rooms += counts[s] > 0 && world.absorbing[s];
  }
  if (evaluation.exact) return;
  const EntropyEstimate estimate = estimate_entropy(counts);
  evaluation.H = estimate.H;
  evaluation.ci95 = estimate.ci95;
  for (long count : counts) {
    evaluation.p_f.push_back(static_cast<double>(count) / static_cast<double>(n));
  }
  evaluation.external = external.mean();
  evaluation.external_ci95 = external.ci95();
}

// nothing if no state is absorbing
std::optional<double> absorbed_share(const TabularWorld& world, const std::vector<double>& p_f) {
  std::optional<double> share;
  for (int s = 0; s < world.S; ++s) {
    if (world.absorbing[s]) share = share.value_or(0) + p_f[s];
  }
  return share;
}

// how often options reach their goals: with actions drawn as learned, and with the likeliest ones
void evaluate_reach(Evaluation& evaluation, const Agent& agent, const EvalSettings& settings,
                    std::optional<HistoryTree> tree, EvaluationParts& parts) {
  ReachSettings how{.options = settings.reach, .seed = settings.seed, .stop = settings.stop};
  // reach has its own limit of histories
  if (!tree || tree->histories.rows() > how.histories) {
    tree = enumerate_tree(agent.table(), how.histories);
  }
  const std::vector<int> goals = agent.table().final_states();
  parts.next("reach", [&](const Step& step) {
    const Reach learned = reach(agent, goals, how, tree, step);
    evaluation.reach = {.exact = learned.exact,
                        .mean = learned.mean(),
                        .worst = learned.success[learned.worst()],
                        .best_mean = learned.best_mean()};
  });
  parts.next("greedy reach", [&](const Step& step) {
    how.temperature = 0;
    evaluation.reach->greedy_mean = reach(agent, goals, how, tree, step).mean();
  });
}

void evaluate_table(Evaluation& evaluation, const Learner& learner, const EvalSettings& settings,
                    EvaluationParts& parts) {
  const Agent& agent = learner.agent();
  evaluation.route = most_likely_route(agent);
  std::optional<HistoryTree> tree = enumerate_tree(agent.table(), settings.histories);
  parts.next("exact measures", [&](const Step&) {
    if (tree) evaluate_exactly(evaluation, agent, *tree, settings.stop);
  });
  parts.next("sampled options", [&](const Step& step) {
    evaluate_by_sampling(evaluation, agent, settings, step);
    evaluation.absorbed = absorbed_share(agent.table(), evaluation.p_f);
  });
  parts.next("bounds of D and N", [&](const Step& step) {
    if (!evaluation.exact) split_entropy(evaluation, agent, settings, step);
  });
  parts.next("calibration", [&](const Step& step) {
    if (!agent.algorithm->rewards_surprise) return;
    evaluation.calibration = calibrate(evaluation, learner, settings, step);
  });
  if (settings.reach > 0 && goal_policy_of(agent)) {
    evaluate_reach(evaluation, agent, settings, std::move(tree), parts);
  }
}

}  // namespace

Evaluation evaluate(const Learner& learner, const EvalSettings& settings, const EvalWatch& watch,
                    Evaluation so_far) {
  EvaluationParts parts(so_far, settings, watch);
  const bool simulated = learner.agent().simulator() != nullptr;
  (simulated ? evaluate_simulated : evaluate_table)(so_far, learner, settings, parts);
  so_far.I_hat = learner.I_hat();
  return so_far;
}

Evaluation measure_control(const Agent& agent, const std::optional<HistoryTree>& tree, int options,
                           const Step& step) {
  Evaluation evaluation;
  step(0, 1);
  if (tree) {
    set_control(evaluation, *tree, tabulate(agent, *tree).policy, Stop());
    return evaluation;
  }
  const int batches = (options + 999) / 1000;
  const EvalSettings settings{.options = options, .bound_updates = 0};
  std::vector<long> counts(agent.table().S, 0);
  sample(
      agent, settings, step,
      [&](const Batch& batch) {
        for (int r = 0; r < batch.histories.rows(); ++r) {
          counts[batch.histories.state[r]] += batch.count(r);
        }
      },
      (options + batches - 1) / batches);
  const EntropyEstimate estimate = estimate_entropy(counts);
  evaluation.H = estimate.H;
  evaluation.ci95 = estimate.ci95;
  split_entropy(evaluation, agent, settings, step);
  return evaluation;
}

std::vector<int> most_likely_route(const Agent& agent) {
  const TabularWorld& world = agent.table();
  const auto largest = [](const auto* begin, const auto* end) {
    return static_cast<int>(std::max_element(begin, end) - begin);
  };
  Histories chain;
  HistoryInputs<float> inputs;
  ModelWorkspace work;
  chain.begin(world.s_0);
  // of explicit skills, take the likeliest
  std::vector<int> goal;
  if (agent.algorithm->policy_goal == GoalKind::skill) {
    const std::vector<double> prior = skill_prior(agent);
    goal = {largest(&prior[0], &prior[0] + prior.size())};
  }
  std::vector<int> route = {world.s_0};
  while (chain.levels() < world.T_max && !world.absorbing[route.back()]) {
    const int row = chain.rows() - 1;
    inputs.append(chain, row, agent.encoding, *agent.codes);
    agent.pi_p().net().encode_level(work.net, tree_of(chain, row + 1), row, inputs.view());
    const MatrixView<const float> p =
        agent.pi_p().probabilities(work, {.row = {row}, .action = {}, .goal = goal}, *agent.codes);
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
