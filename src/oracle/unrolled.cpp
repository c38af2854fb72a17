#include "oracle/unrolled.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "world/histories.h"

namespace vic {
namespace {

// what the solvers keep for a row: two policies, visits, payoffs and values
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
    // a row's children stand together, in the order of the table
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
      if (!level.forced(i)) continue;
      for (int a = 0; a < actions; ++a) pi[i * actions + a] = a + 1 == actions ? 1 : 0;
    }
  }
  return policy;
}

}  // namespace vic
