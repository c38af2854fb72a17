#include "oracle/ascent.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "base/error.h"
#include "info/capacity.h"
#include "oracle/beliefs.h"

namespace vic {
namespace {

// The reward of every option under exact posteriors, summed down the tree.
class ControlReward {
 public:
  ControlReward(const Unrolled& histories, double lambda)
      : tree_(histories), world_(*histories.world), lambda_(lambda), beliefs_(histories) {}

  void operator()(Rows& payoff, const Policy& policy) {
    beliefs_.update(policy);
    // walk down with the reward so far, for each s_f that is still possible
    payoff.resize(world_.T_max);
    payoff[0].assign(1, 0);
    std::vector<double> reward(beliefs_.columns(), 0), next_reward;
    if (!tree_.levels[0].forced(0) && world_.may_stop) {
      payoff[0][0] = -std::log(beliefs_.before(0, 0)[beliefs_.column(world_.s_0)]);
    }
    for (int t = 0; t + 1 < world_.T_max; ++t) {
      descend(t, reward, next_reward, payoff[t + 1]);
      std::swap(reward, next_reward);
    }
  }

 private:
  // rewards of level t + 1 from those of level t; `reward` is (N_t, columns)
  void descend(int t, const std::vector<double>& reward, std::vector<double>& next_reward,
               std::vector<double>& payoff) const {
    const Level& level = tree_.levels[t];
    const int columns = beliefs_.columns();
    payoff.resize(tree_.levels[t + 1].rows());
    next_reward.resize(std::size_t(tree_.levels[t + 1].rows()) * columns);
    std::vector<double> so_far(columns), log_after(columns);
    for (int i = 0; i < level.rows(); ++i) {
      if (level.forced(i)) continue;
      const int s = level.state[i];
      const std::vector<int>& support = beliefs_.support(t, s);
      const double* belief = beliefs_.before(t, i);
      for (int f : support) {
        so_far[f] = reward[std::size_t(i) * columns + f] - std::log(belief[f]);
      }
      int row = level.child[level.first[i]];
      for (int a = 0; a < world_.A; ++a) {
        const double* after = beliefs_.after(t, i, a);
        for (int f : support) log_after[f] = after[f] > 0 ? std::log(after[f]) : 0;
        for (int e = world_.begin(s, a); e < world_.end(s, a); ++e, ++row) {
          arrive(t + 1, row, so_far, log_after, next_reward, payoff[row]);
        }
      }
    }
  }

  // the reward on arriving in a row of level t after a move, and if the option ends there
  void arrive(int t, int row, const std::vector<double>& so_far,
              const std::vector<double>& log_after, std::vector<double>& reward,
              double& payoff) const {
    const Level& level = tree_.levels[t];
    const int s = level.state[row], here = beliefs_.column(s);
    if (level.forced(row)) {
      payoff = so_far[here] + (1 - lambda_) * log_after[here];
      return;
    }
    const double* belief = beliefs_.before(t, row);
    double* to = &reward[std::size_t(row) * beliefs_.columns()];
    for (int f : beliefs_.support(t, s)) {
      to[f] = so_far[f] + (1 - lambda_) * log_after[f];
      if (lambda_ != 0) to[f] += lambda_ * std::log(belief[f]);
    }
    if (world_.may_stop) payoff = to[here] - std::log(belief[here]);
  }

  const Unrolled& tree_;
  const TabularWorld& world_;
  double lambda_;
  Beliefs beliefs_;
};

// a policy and its quantities in the ascent
struct Point {
  Policy policy;
  Flow flow;
  Rows payoff;       // r_P of ending in each row
  double value = 0;  // F(P) = E_P[r_P]

  void evaluate(const Unrolled& unrolled, const Gradient& gradient) {
    vic::flow(flow, unrolled, policy);
    gradient(payoff, policy, flow);
    value = expected_payoff(unrolled, policy, flow, payoff);
  }
};

// The policy that maximises eta E[r] - KL(P' || P), by a soft dynamic programme; the maximum.
double proximal_step(Policy& to, const Unrolled& unrolled, const Point& from, double eta,
                     double least_policy) {
  const int A = unrolled.world->A;
  const auto no_gain = [](int, int) { return 0.0; };
  return backward(unrolled, no_gain, [&](int t, int i, std::span<const double> q) {
    const double stop = eta * from.payoff[t][i];
    if (q.empty()) return stop;
    const double* pi = &from.policy[t][i * (A + 1)];
    double* out = &to[t][i * (A + 1)];
    double largest = unrolled.world->may_stop ? stop : q[0];
    for (double value : q) largest = std::max(largest, value);
    // pi'(a) = pi(a) exp(q(a)) / Z
    const int last = unrolled.world->may_stop ? A : A - 1;
    double z = out[A] = last == A ? pi[A] * std::exp(stop - largest) : 0;
    for (int a = 0; a < A; ++a) z += out[a] = pi[a] * std::exp(q[a] - largest);
    double sum = 0;
    for (int a = 0; a <= last; ++a) sum += out[a] = std::max(out[a] / z, least_policy);
    for (int a = 0; a <= A; ++a) out[a] /= sum;
    return largest + std::log(z);
  });
}

enum class Shape { concave, any };

Maximum ascend(const Unrolled& unrolled, const Gradient& gradient, const AscentLimits& limits,
               const AscentProgress& progress, Policy from, Shape shape) {
  Point now{.policy = std::move(from), .flow = {}, .payoff = {}};
  now.evaluate(unrolled, gradient);
  Point trial = now;
  StepSize step;
  double upper = std::numeric_limits<double>::infinity();
  const double transitions = static_cast<double>(unrolled.transitions() + unrolled.rows());
  for (double spent = 0;; spent += transitions) {
    // for a concave function every point bounds the maximum
    const double bound = best_payoff(unrolled, now.payoff);
    upper = shape == Shape::concave ? std::min(upper, bound) : bound;
    // a bound below its value can only come from broken arithmetic
    if (!(upper >= now.value - 1e-9 * (1 + std::abs(now.value)))) {
      throw Error(fmt::format("The exact solver of {} failed numerically: value {}, bound {}.",
                              unrolled.world->name, now.value, upper));
    }
    const double gap = std::max(0.0, upper - now.value);
    if (progress) progress(now.value, gap);
    if (gap <= limits.gap || spent >= limits.transitions || limits.enough.wanted()) {
      return {std::move(now.policy), now.value, gap};
    }
    // try steps until one does not overshoot; a step of size 1 never does
    for (;;) {
      limits.stop.check();
      const double eta = step.eta();
      const double soft = proximal_step(trial.policy, unrolled, now, eta, limits.least_policy);
      trial.evaluate(unrolled, gradient);
      const double linear = expected_payoff(unrolled, trial.policy, trial.flow, now.payoff);
      if (step.accept(linear - trial.value, eta * linear - soft)) break;
      spent += transitions;
    }
    std::swap(now, trial);
  }
}

}  // namespace

Maximum maximise(const Unrolled& unrolled, const Gradient& gradient, const AscentLimits& limits,
                 const AscentProgress& progress, Policy from) {
  if (from.empty()) from = uniform_policy(unrolled);
  return ascend(unrolled, gradient, limits, progress, std::move(from), Shape::concave);
}

Maximum climb(const Unrolled& unrolled, const Gradient& gradient, const AscentLimits& limits,
              Policy from) {
  return ascend(unrolled, gradient, limits, {}, std::move(from), Shape::any);
}

Gradient entropy_gradient(const Unrolled& unrolled) {
  return [&unrolled](Rows& payoff, const Policy&, const Flow& flow) {
    // a state that the present policy never ends in has a large surprise, not an infinite one
    constexpr double tiny = std::numeric_limits<double>::min();
    std::vector<double> surprise(flow.p_f.size());
    for (std::size_t s = 0; s < surprise.size(); ++s) {
      surprise[s] = -std::log(std::max(flow.p_f[s], tiny));
    }
    payoff.resize(unrolled.levels.size());
    for (std::size_t t = 0; t < payoff.size(); ++t) {
      const std::vector<int>& state = unrolled.levels[t].state;
      payoff[t].resize(state.size());
      for (std::size_t i = 0; i < state.size(); ++i) payoff[t][i] = surprise[state[i]];
    }
  };
}

Gradient control_gradient(const Unrolled& histories, double lambda) {
  auto reward = std::make_shared<ControlReward>(histories, lambda);
  return [reward](Rows& payoff, const Policy& policy, const Flow&) { (*reward)(payoff, policy); };
}

}  // namespace vic
