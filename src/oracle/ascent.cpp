#include "oracle/ascent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "info/step_size.h"

namespace vic {
namespace {

// a policy with everything the ascent needs to know of it
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

// The policy that maximises eta E[r] - KL(P' || P), by a soft dynamic programme. Returns the
// maximum.
double proximal_step(Policy& to, const Unrolled& unrolled, const Point& from, double eta,
                     double least_policy) {
  const int A = unrolled.world->A;
  const auto no_gain = [](int, int) { return 0.0; };
  return backward(unrolled, no_gain, [&](int t, int i, std::span<const double> q) {
    const double stop = eta * from.payoff[t][i];
    if (q.empty()) return stop;
    const double* pi = &from.policy[t][i * (A + 1)];
    double* out = &to[t][i * (A + 1)];
    double largest = stop;
    for (double value : q) largest = std::max(largest, value);
    // pi'(a) = pi(a) exp(q(a)) / Z
    double z = out[A] = pi[A] * std::exp(stop - largest);
    for (int a = 0; a < A; ++a) z += out[a] = pi[a] * std::exp(q[a] - largest);
    double sum = 0;
    for (int a = 0; a <= A; ++a) sum += out[a] = std::max(out[a] / z, least_policy);
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
    // every point of a concave function bounds the maximum
    const double bound = best_payoff(unrolled, now.payoff);
    upper = shape == Shape::concave ? std::min(upper, bound) : bound;
    // a bound below the value it bounds can only come from broken arithmetic
    if (!(upper >= now.value - 1e-9 * (1 + std::abs(now.value)))) {
      throw Error(fmt::format("The exact solver of {} lost its numbers: value {}, bound {}.",
                              unrolled.world->name, now.value, upper));
    }
    const double gap = std::max(0.0, upper - now.value);
    if (progress) progress({now.value, gap});
    if (gap <= limits.gap || spent >= limits.transitions) {
      return {std::move(now.policy), now.value, gap};
    }
    // try steps until one does not overshoot; a step of size 1 never does
    for (;;) {
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
                 const AscentProgress& progress) {
  return ascend(unrolled, gradient, limits, progress, uniform_policy(unrolled), Shape::concave);
}

Maximum climb(const Unrolled& unrolled, const Gradient& gradient, const AscentLimits& limits,
              Policy from) {
  return ascend(unrolled, gradient, limits, {}, std::move(from), Shape::any);
}

double certificate(const Unrolled& unrolled, const Gradient& gradient, const Policy& policy) {
  Point point{.policy = policy, .flow = {}, .payoff = {}};
  point.evaluate(unrolled, gradient);
  return best_payoff(unrolled, point.payoff) - point.value;
}

}  // namespace vic
