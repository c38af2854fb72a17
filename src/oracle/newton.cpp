#include "oracle/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "oracle/elimination.h"

namespace vic {
namespace {

// the product of the probabilities of chance on the way to each row
Rows chances(const Unrolled& tree) {
  const TabularWorld& world = *tree.world;
  Rows rho = {{1}};
  for (std::size_t t = 0; t + 1 < tree.levels.size(); ++t) {
    const Level& level = tree.levels[t];
    rho.emplace_back(tree.levels[t + 1].rows());
    for (int i = 0; i < level.rows(); ++i) {
      const int begin = world.begin(level.state[i]);
      for (int k = level.first[i]; k < level.first[i + 1]; ++k) {
        rho[t + 1][level.child[k]] = rho[t][i] * world.p[begin + k - level.first[i]];
      }
    }
  }
  return rho;
}

// The point of the iteration, near the central path.
class Iterate {
 public:
  Iterate(const Unrolled& tree, double least_policy)
      : policy(uniform_policy(tree)),
        product(policy),
        tree_(tree),
        rho_(chances(tree)),
        least_policy_(least_policy) {
    each_action(policy, [&](double, double&, double&, double rho) { weight_ += rho; });
    mu = 1 / weight_;
    for (auto& level : product) std::fill(level.begin(), level.end(), mu);
  }

  // The sum of all rho: on the path no policy is better by more than mu times this.
  double weight() const { return weight_; }

  // Moves along `change` as far as everything stays positive, and lowers mu accordingly: after a
  // short step, which left the path, the path must be found again first.
  void move(const Policy& change, double least_mu) {
    double least = 0, least_multiplier = 0;
    each_action(change, [&](double xi, double&, double& y, double) {
      least = std::min(least, xi);
      least_multiplier = std::min(least_multiplier, mu / y - 1 - xi);
    });
    constexpr double of_the_way = 0.99;
    const double primal = std::min(1.0, -of_the_way / least);
    const double dual = std::min(1.0, -of_the_way / least_multiplier);
    double sum = 0;
    each_action(change, [&](double xi, double& pi, double& y, double rho) {
      pi *= 1 + primal * xi;
      y = (1 + primal * xi) * (y * (1 - dual - dual * xi) + dual * mu);
      sum += rho * y;
    });
    normalise();
    const double fall = std::max(0.4, std::pow(1 - std::min(primal, dual), 3));
    mu = std::max(least_mu, fall * sum / weight_);
  }

  Policy policy;
  Policy product;  // each x times its multiplier: mu on the path
  double mu = 0;

 private:
  // calls action(change, policy, product, rho) wherever there is a choice
  template <class Action>
  void each_action(const Policy& change, Action&& action) {
    const std::size_t actions = tree_.world->A + 1;
    for (std::size_t t = 0; t < change.size(); ++t) {
      for (std::size_t k = 0; k < change[t].size(); ++k) {
        const int i = static_cast<int>(k / actions);
        if (tree_.levels[t].forced(i) || policy[t][k] == 0) continue;
        action(change[t][k], policy[t][k], product[t][k], rho_[t][i]);
      }
    }
  }

  void normalise() {
    const std::size_t actions = tree_.world->A + 1;
    for (auto& level : policy) {
      for (std::size_t at = 0; at < level.size(); at += actions) {
        double sum = 0;
        for (std::size_t k = at; k < at + actions; ++k) {
          if (level[k] > 0) sum += level[k] = std::max(level[k], least_policy_);
        }
        for (std::size_t k = at; k < at + actions; ++k) level[k] /= sum;
      }
    }
  }

  const Unrolled& tree_;
  Rows rho_;
  double weight_ = 0;
  double least_policy_;
};

// Steps are in double precision first; below this gap it no longer suffices.
constexpr double gap_of_doubles = 3e-5;

class Stepper {
 public:
  Stepper(const Unrolled& tree, double lambda)
      : tree_(tree),
        lambda_(lambda),
        coarse_(std::make_unique<Elimination<double>>(tree, lambda)) {}

  void operator()(Policy& change, const Iterate& at, double gap) {
    if (gap > gap_of_doubles && coarse_) {
      (*coarse_)(change, at.policy, at.product, at.mu);
      return;
    }
    coarse_.reset();
    if (!fine_) fine_ = std::make_unique<Elimination<long double>>(tree_, lambda_);
    (*fine_)(change, at.policy, at.product, at.mu);
  }

  double work() const { return coarse_ ? coarse_->work() : fine_->work(); }

 private:
  const Unrolled& tree_;
  double lambda_;
  std::unique_ptr<Elimination<double>> coarse_;
  std::unique_ptr<Elimination<long double>> fine_;
};

}  // namespace

Maximum maximise_control(const Unrolled& tree, double lambda, const AscentLimits& limits,
                         const AscentProgress& progress) {
  const Gradient gradient = control_gradient(tree, lambda);
  const double sweep = static_cast<double>(tree.transitions() + tree.rows());
  Iterate now(tree, limits.least_policy);
  Stepper step(tree, lambda);
  Policy change = now.policy;
  Rows payoff;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Maximum best{{}, -infinity, infinity};
  double upper = infinity, spent = 0;
  // at the end of the path rounding dominates; a few steps there gain what can be gained
  const double least_mu = 0.2 * limits.gap / now.weight();
  constexpr int steps_at_the_end = 4;
  for (int ended = 0; ended < steps_at_the_end;) {
    limits.stop.check();
    const Flow visited = flow(tree, now.policy);
    gradient(payoff, now.policy, visited);
    const double value = expected_payoff(tree, now.policy, visited, payoff);
    const double bound = best_payoff(tree, payoff);
    if (!std::isfinite(value) || !(bound >= value - 1e-9)) break;
    upper = std::min(upper, bound);
    if (value > best.value) best = {now.policy, value, 0};
    best.gap = std::max(0.0, upper - best.value);
    if (progress) progress(best.value, best.gap);
    if (best.gap <= limits.gap || spent >= limits.transitions || limits.enough.wanted()) {
      return best;
    }
    if (now.mu <= least_mu) ++ended;
    step(change, now, best.gap);
    now.move(change, least_mu);
    constexpr double multiplications_per_transition = 8;
    spent += sweep + step.work() / multiplications_per_transition;
  }
  // the ascent closes the gap that rounding left, and its bound is no worse
  AscentLimits rest = limits;
  rest.transitions -= spent;
  Maximum last = maximise(tree, gradient, rest, progress, best.policy);
  last.gap = std::max(0.0, std::min(last.gap, upper - last.value));
  return last;
}

}  // namespace vic
