#include "oracle/unrolled.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "world/histories.h"

namespace vic {
namespace {

// the solvers' memory for a row: two policies, visits, payoffs and values
double bytes_per_row(const TabularWorld& world) {
  return 8.0 * (2 * (world.A + 1) + 4);
}

constexpr double largest_bytes = 4e9;

}  // namespace

long Unrolled::rows() const {
  long sum = 0;
  for (const Level& level : levels) sum += level.rows();
  return sum;
}

long Unrolled::transitions() const {
  long sum = 0;
  for (const Level& level : levels) sum += static_cast<long>(level.child.size());
  return sum;
}

Unrolled unroll_states(const TabularWorld& world) {
  Unrolled unrolled{.world = &world, .levels = std::vector<Level>(world.T_max)};
  unrolled.levels[0].state = {world.s_0};
  std::vector<int> row_of(world.S, -1);
  double bytes = 0;
  for (int t = 0; t < world.T_max; ++t) {
    Level& level = unrolled.levels[t];
    level.first = {0};
    for (int s : level.state) {
      if (t + 1 < world.T_max) {
        Level& next = unrolled.levels[t + 1];
        for (int e = world.begin(s); e < world.end(s); ++e) {
          int& row = row_of[world.next[e]];
          if (row < 0) {
            row = next.rows();
            next.state.push_back(world.next[e]);
          }
          level.child.push_back(row);
        }
      }
      level.first.push_back(static_cast<int>(level.child.size()));
    }
    if (t + 1 < world.T_max) {
      for (int s : unrolled.levels[t + 1].state) row_of[s] = -1;
    }
    bytes += level.rows() * bytes_per_row(world) + 4.0 * static_cast<double>(level.child.size());
    if (bytes > largest_bytes) {
      fail_usage(
          "{} with T_max = {} needs more than {:.0f} GB of memory to solve; lower T_max or "
          "the number of states.",
          world.name, world.T_max, largest_bytes / 1e9);
    }
  }
  return unrolled;
}

std::optional<Unrolled> unroll_histories(const TabularWorld& world, long largest_rows) {
  // tables over (row, action) are indexed by int
  const long most = std::min(largest_rows, (1L << 30) / (world.A + 1));
  const std::optional<Histories> tree = enumerate_histories(world, most);
  if (!tree) return std::nullopt;
  return unroll_histories(world, *tree);
}

Unrolled unroll_histories(const TabularWorld& world, const Histories& tree) {
  Unrolled unrolled{.world = &world, .levels = std::vector<Level>(world.T_max)};
  for (int t = 0; t < world.T_max; ++t) {
    Level& level = unrolled.levels[t];
    level.state.assign(tree.state.begin() + tree.first[t], tree.state.begin() + tree.first[t + 1]);
    level.first = {0};
    // a row's children are adjacent, in the order of the table
    for (int s : level.state) {
      const int children = t + 1 < world.T_max ? world.end(s) - world.begin(s) : 0;
      level.first.push_back(level.first.back() + children);
    }
    level.child.resize(level.first.back());
    std::iota(level.child.begin(), level.child.end(), 0);
  }
  return unrolled;
}

Policy uniform_policy(const Unrolled& unrolled) {
  const int actions = unrolled.world->A + 1;
  Policy policy;
  for (const Level& level : unrolled.levels) {
    auto& pi = policy.emplace_back(level.rows() * actions, 1.0 / actions);
    for (int i = 0; i < level.rows(); ++i) {
      if (!level.forced(i) && unrolled.world->may_stop) continue;
      for (int a = 0; a < actions; ++a) {
        const bool stop = a + 1 == actions;
        pi[i * actions + a] = stop == level.forced(i) ? (stop ? 1.0 : 1.0 / (actions - 1)) : 0;
      }
    }
  }
  return policy;
}

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
        for (int e = world.begin(s, a); e < world.end(s, a); ++e)
          out.visits[t + 1][*child++] += mass * world.p[e];
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
    if (q.empty()) return payoff[t][i];
    const double best = *std::ranges::max_element(q);
    return unrolled.world->may_stop ? std::max(best, payoff[t][i]) : best;
  });
}

double best_reward(const Unrolled& unrolled) {
  const auto gain = [&](int s, int s_next) { return unrolled.world->reward(s, s_next); };
  return backward(unrolled, gain, [&](int, int, std::span<const double> q) {
    // termination pays nothing
    if (q.empty()) return 0.0;
    const double best = *std::ranges::max_element(q);
    return unrolled.world->may_stop ? std::max(0.0, best) : best;
  });
}

}  // namespace vic
