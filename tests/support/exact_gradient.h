// For the tests: the policy gradient by differences of an exact expectation.
#pragma once

#include <cmath>
#include <vector>

#include "oracle/ascent.h"
#include "support/whole.h"

namespace vic {

// The entropy of all decisions of a policy in an option.
inline double decision_entropy(const Whole& whole, const Policy& policy) {
  const Flow visited = flow(whole.unrolled, policy);
  double sum = 0;
  for (std::size_t t = 0; t < policy.size(); ++t) {
    for (int i = 0; i < whole.unrolled.levels[t].rows(); ++i) {
      for (int a = 0; a <= whole.world.A; ++a) {
        const double p = policy[t][i * (whole.world.A + 1) + a];
        if (p > 0) sum -= visited.visits[t][i] * p * std::log(p);
      }
    }
  }
  return sum;
}

// The exact gradient of E[r] + bonus * entropy, r held fixed, in every parameter of the policy:
// central differences of the expectation over the whole tree, in double. No backward pass is
// involved.
inline std::vector<double> exact_gradient(const Agent& agent, const Whole& whole,
                                          const Rows& payoff) {
  const double bonus = agent.settings.entropy_bonus;
  const SequenceModel<float>& pi_p = agent.pi_p().net();
  SequenceModel<double> model(pi_p.shape(), {});
  Block<double>& values = model.parameters().values;
  values.assign(pi_p.parameters().values.begin(), pi_p.parameters().values.end());
  const HistoryInputs<double> inputs = inputs_of<double>(whole, agent);
  SequenceWorkspace<double> work;
  const auto expectation = [&] {
    model.encode(work, {whole.tree.first, whole.tree.parent}, inputs.view());
    const MatrixView<const double> logits = model.query(work, whole.queries, *agent.codes);
    const Policy policy = whole.policy([&](int q, int a) {
      double sum = 0;
      for (int b = 0; b <= whole.world.A; ++b) sum += std::exp(logits(q, b));
      return std::exp(logits(q, a)) / sum;
    });
    return expected_payoff(whole.unrolled, policy, flow(whole.unrolled, policy), payoff) +
           bonus * decision_entropy(whole, policy);
  };
  std::vector<double> gradient;
  for (double& x : values) {
    constexpr double step = 1e-5;
    const double at = x;
    x = at + step;
    const double above = expectation();
    x = at - step;
    const double below = expectation();
    x = at;
    gradient.push_back((above - below) / (2 * step));
  }
  return gradient;
}

}  // namespace vic
