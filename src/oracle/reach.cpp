#include "oracle/reach.h"

#include <algorithm>

#include "oracle/beliefs.h"

namespace vic {
std::vector<double> best_success(const TabularWorld& world, Stop stop) {
  const Unrolled states = unroll_states(world);
  std::vector<double> best(world.S, 0);
  for (int goal : world.final_states()) {
    stop.check();
    const auto no_gain = [](int, int) { return 0.0; };
    best[goal] = backward(states, no_gain, [&](int t, int i, std::span<const double> q) {
      const bool ends = q.empty() || world.may_stop;
      double value = ends && states.levels[t].state[i] == goal ? 1 : 0;
      for (double move : q) value = std::max(value, move);
      return value;
    });
  }
  return best;
}

std::vector<double> success(const Unrolled& unrolled, std::span<const int> goals,
                            const GoalPolicy& policy) {
  std::vector<double> reached(unrolled.world->S, 0);
  Policy conditioned = uniform_policy(unrolled);
  Flow to;
  for (int goal : goals) {
    policy(conditioned, goal);
    flow(to, unrolled, conditioned);
    reached[goal] = to.p_f[goal];
  }
  return reached;
}

std::vector<double> posterior_success(const Unrolled& histories, const Policy& policy) {
  const TabularWorld& world = *histories.world;
  Beliefs beliefs(histories);
  beliefs.update(policy);
  const std::size_t columns = beliefs.columns();
  // the probability that the posterior for g ends in g from a row, (N_t, columns)
  std::vector<double> value, next_value;
  std::vector<double> then(columns);  // the same after an action
  for (int t = world.T_max - 1; t >= 0; --t) {
    const Level& level = histories.levels[t];
    value.assign(level.rows() * columns, 0);
    for (int i = 0; i < level.rows(); ++i) {
      const int s = level.state[i];
      double* own = &value[i * columns];
      const double* pi = &policy[t][i * (world.A + 1)];
      // termination ends here for certain
      if (level.forced(i) || pi[world.A] > 0) {
        own[beliefs.column(s)] = level.forced(i) ? 1 : pi[world.A];
      }
      if (level.forced(i)) continue;
      // `own` collects p(g, success | tau)
      const int* child = &level.child[level.first[i]];
      for (int a = 0; a < world.A; ++a) {
        std::fill(then.begin(), then.end(), 0);
        for (int e = world.begin(s, a); e < world.end(s, a); ++e, ++child) {
          const double* next = &next_value[*child * columns];
          for (std::size_t f = 0; f < columns; ++f) then[f] += world.p[e] * next[f];
        }
        const double* after = beliefs.after(t, i, a);
        for (int f : beliefs.support(t, s)) own[f] += pi[a] * after[f] * then[f];
      }
      const double* belief = beliefs.before(t, i);
      for (int f : beliefs.support(t, s)) {
        own[f] = belief[f] < least_belief ? 0 : own[f] / belief[f];
      }
    }
    std::swap(value, next_value);
  }
  std::vector<double> success(world.S, 0);
  for (std::size_t f = 0; f < columns; ++f) {
    success[beliefs.final_state(static_cast<int>(f))] = next_value[f];
  }
  return success;
}

double mean_success(const TabularWorld& world, const std::vector<double>& success) {
  double sum = 0;
  const std::vector<int> goals = world.final_states();
  for (int goal : goals) sum += success[goal];
  return sum / static_cast<double>(goals.size());
}

}  // namespace vic
