#include "oracle/sweep.h"

#include <algorithm>

namespace vic {

void flow(Flow& out, const Unrolled& unrolled, const Policy& policy) {
  const TabularWorld& world = *unrolled.world;
  const int actions = world.A + 1;
  out.p_f.assign(world.S, 0);
  out.visits.resize(world.T_max);
  out.visits[0].assign(1, 1);
  for (int t = 0; t < world.T_max; ++t) {
    const Level& level = unrolled.levels[t];
    if (t + 1 < world.T_max) out.visits[t + 1].assign(unrolled.levels[t + 1].rows(), 0);
    for (int i = 0; i < level.rows(); ++i) {
      const int s = level.state[i];
      const double visit = out.visits[t][i];
      const double* pi = &policy[t][i * actions];
      out.p_f[s] += visit * pi[world.A];
      if (level.forced(i) || visit == 0) continue;
      const int* child = &level.child[level.first[i]];
      for (int a = 0; a < world.A; ++a) {
        const double mass = visit * pi[a];
        const int begin = world.first[s * world.A + a], end = world.first[s * world.A + a + 1];
        for (int e = begin; e < end; ++e) out.visits[t + 1][*child++] += mass * world.p[e];
      }
    }
  }
}

Flow flow(const Unrolled& unrolled, const Policy& policy) {
  Flow out;
  flow(out, unrolled, policy);
  return out;
}

double expected_payoff(const Unrolled& unrolled, const Policy& policy, const Flow& flow,
                       const Rows& payoff) {
  const int A = unrolled.world->A;
  double sum = 0;
  for (std::size_t t = 0; t < payoff.size(); ++t) {
    for (std::size_t i = 0; i < payoff[t].size(); ++i) {
      sum += flow.visits[t][i] * policy[t][i * (A + 1) + A] * payoff[t][i];
    }
  }
  return sum;
}

double best_payoff(const Unrolled& unrolled, const Rows& payoff) {
  const auto no_gain = [](int, int) { return 0.0; };
  return backward(unrolled, no_gain, [&](int t, int i, std::span<const double> q) {
    double best = payoff[t][i];
    for (double value : q) best = std::max(best, value);
    return best;
  });
}

BestReward best_reward(const Unrolled& unrolled) {
  const TabularWorld& world = *unrolled.world;
  const int actions = world.A + 1;
  BestReward best;
  for (const Level& level : unrolled.levels) best.policy.emplace_back(level.rows() * actions, 0.0);
  const auto gain = [&](int s, int s_next) { return world.reward(s, s_next); };
  best.value = backward(unrolled, gain, [&](int t, int i, std::span<const double> q) {
    // termination pays nothing; a move must promise more
    int chosen = world.A;
    double value = 0;
    for (std::size_t a = 0; a < q.size(); ++a) {
      if (q[a] <= value) continue;
      value = q[a];
      chosen = static_cast<int>(a);
    }
    best.policy[t][i * actions + chosen] = 1;
    return value;
  });
  return best;
}

}  // namespace vic
