#include "oracle/reach.h"

#include <algorithm>

#include "oracle/sweep.h"

namespace vic {
namespace {

// Beliefs and values of one level for all final states: of a row that has a choice, p(g | tau) and
// the probability that the posterior for g ends in g from here.
struct Outlook {
  std::vector<double> belief;  // (N_t, columns)
  std::vector<double> value;   // (N_t, columns)

  void clear(std::size_t size) {
    belief.assign(size, 0);
    value.assign(size, 0);
  }
};

class PosteriorSweep {
 public:
  explicit PosteriorSweep(const Unrolled& unrolled)
      : unrolled_(unrolled), world_(*unrolled.world), states_(world_.final_states()) {
    column_.assign(world_.S, -1);
    for (int f = 0; f < columns(); ++f) column_[states_[f]] = f;
    after_.resize(columns());
    then_.resize(columns());
  }

  std::vector<double> run(const Policy& policy) {
    for (int t = world_.T_max - 1; t >= 0; --t) {
      const Level& level = unrolled_.levels[t];
      now_.clear(level.rows() * states_.size());
      for (int i = 0; i < level.rows(); ++i) look_ahead(t, i, &policy[t][i * (world_.A + 1)]);
      std::swap(now_, next_);
    }
    std::vector<double> success(world_.S, 0);
    for (int f = 0; f < columns(); ++f) success[states_[f]] = next_.value[f];
    return success;
  }

 private:
  int columns() const { return static_cast<int>(states_.size()); }

  void look_ahead(int t, int i, const double* pi) {
    const Level& level = unrolled_.levels[t];
    const int s = level.state[i];
    double* belief = &now_.belief[i * states_.size()];
    double* value = &now_.value[i * states_.size()];
    // termination ends here for certain; `value` collects p(g, success | tau)
    const double stop = level.forced(i) ? 1 : pi[world_.A];
    belief[column_[s]] = value[column_[s]] = stop;
    const int* child = level.child.data() + level.first[i];
    for (int a = 0; a < world_.A && !level.forced(i); ++a) {
      std::fill(after_.begin(), after_.end(), 0);
      std::fill(then_.begin(), then_.end(), 0);
      const int begin = world_.first[s * world_.A + a], end = world_.first[s * world_.A + a + 1];
      for (int e = begin; e < end; ++e, ++child) {
        const double* next_belief = &next_.belief[*child * states_.size()];
        const double* next_value = &next_.value[*child * states_.size()];
        for (int f = 0; f < columns(); ++f) {
          after_[f] += world_.p[e] * next_belief[f];
          then_[f] += world_.p[e] * next_value[f];
        }
      }
      for (int f = 0; f < columns(); ++f) {
        belief[f] += pi[a] * after_[f];
        value[f] += pi[a] * after_[f] * then_[f];
      }
    }
    for (int f = 0; f < columns(); ++f) {
      value[f] = belief[f] < least_belief ? 0 : value[f] / belief[f];
    }
  }

  const Unrolled& unrolled_;
  const TabularWorld& world_;
  std::vector<int> states_;           // (columns)
  std::vector<int> column_;           // (S)
  std::vector<double> after_, then_;  // (columns) p(g | tau, a), and the value after a
  Outlook now_, next_;
};

}  // namespace

std::vector<double> best_success(const TabularWorld& world) {
  const Unrolled states = unroll_states(world);
  std::vector<double> best(world.S, 0);
  for (int goal : world.final_states()) {
    const auto no_gain = [](int, int) { return 0.0; };
    best[goal] = backward(states, no_gain, [&](int t, int i, std::span<const double> q) {
      double value = states.levels[t].state[i] == goal ? 1 : 0;
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

std::vector<double> posterior_success(const Unrolled& unrolled, const Policy& policy) {
  return PosteriorSweep(unrolled).run(policy);
}

double mean_success(const TabularWorld& world, const std::vector<double>& success) {
  double sum = 0;
  const std::vector<int> goals = world.final_states();
  for (int goal : goals) sum += success[goal];
  return sum / static_cast<double>(goals.size());
}

}  // namespace vic
