// Options of exactly n moves: C_open is the n-step empowerment of Klyubin, Polani and Nehaniv.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

#include "oracle/start_map.h"
#include "support/named_world.h"
#include "support/random_world.h"

namespace vic {
namespace {

// The cells that exactly n of its moves can lead to, counted on the picture of the maze.
std::size_t cells_in_reach(const TabularWorld& maze, int s, int n) {
  const auto& lines = maze.picture.lines;
  const auto open = [&](int y, int x) {
    return y >= 0 && x >= 0 && y < 10 && x < 10 && lines[y][x] != '#';
  };
  std::set<std::pair<int, int>> now = {{maze.picture.cells[s].row, maze.picture.cells[s].column}};
  for (int t = 0; t < n; ++t) {
    std::set<std::pair<int, int>> then;
    for (const auto& [y, x] : now) {
      for (const auto& [dy, dx] : {std::pair{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
        then.insert(open(y + dy, x + dx) ? std::pair{y + dy, x + dx} : std::pair{y, x});
      }
    }
    now = then;
  }
  return now.size();
}

TEST(Empowerment, OfTheMazeIsTheLogarithmOfTheCellsInReach) {
  const TabularWorld maze = world_named(VIC_SOURCE_DIR "/examples/klyubin-maze.toml");
  ASSERT_FALSE(maze.may_stop);
  const Quantities only{.H_max = false, .D_max = false, .reward_max = false, .uniform = false};
  const StartMap map = map_starts(maze, {.gap = 1e-6}, 2, {}, only);
  ASSERT_EQ(static_cast<int>(map.starts.size()), maze.S);
  std::set<std::size_t> different;
  for (const StartOptima& start : map.starts) {
    const std::size_t cells = cells_in_reach(maze, start.s_0, 5);
    different.insert(cells);
    EXPECT_NEAR(*start.C_open, std::log(static_cast<double>(cells)), 1e-6)
        << maze.state_names[start.s_0];
  }
  EXPECT_GT(different.size(), 5u) << "a flat map shows nothing";
}

// Blahut and Arimoto as in their papers, over all sequences of exactly n moves, by simulation of
// the table.
double plain_capacity(const TabularWorld& world) {
  const int n = world.T_max - 1;
  std::vector<std::vector<double>> W;
  long count = 1;
  for (int t = 0; t < n; ++t) count *= world.A;
  for (long code = 0; code < count; ++code) {
    std::vector<double> p(world.S, 0);
    p[world.s_0] = 1;
    long rest = code;
    for (int t = 0; t < n; ++t, rest /= world.A) {
      std::vector<double> then(world.S, 0);
      for (int s = 0; s < world.S; ++s) {
        if (world.absorbing[s]) then[s] += p[s];
        const int a = static_cast<int>(rest % world.A);
        for (int e = world.begin(s, a); e < world.end(s, a); ++e) {
          then[world.next[e]] += p[s] * world.p[e];
        }
      }
      p = then;
    }
    W.push_back(p);
  }
  std::vector<double> r(W.size(), 1.0 / static_cast<double>(W.size()));
  double lower = 0;
  for (int k = 0; k < 100000; ++k) {
    std::vector<double> q(world.S, 0), c(W.size(), 0);
    for (std::size_t x = 0; x < W.size(); ++x) {
      for (int s = 0; s < world.S; ++s) q[s] += r[x] * W[x][s];
    }
    double sum = 0, upper = 0;
    for (std::size_t x = 0; x < W.size(); ++x) {
      for (int s = 0; s < world.S; ++s) {
        if (W[x][s] > 0) c[x] += W[x][s] * std::log(W[x][s] / q[s]);
      }
      upper = std::max(upper, c[x]);
      sum += r[x] * std::exp(c[x]);
    }
    lower = std::log(sum);
    if (upper - lower < 1e-5) break;
    for (std::size_t x = 0; x < W.size(); ++x) r[x] *= std::exp(c[x]) / sum;
  }
  return lower;
}

TEST(Empowerment, OfNoisyWorldsIsThatOfBlahutAndArimoto) {
  for (const char* name : {"line-noisy", "tree-noisy"}) {
    TabularWorld world = world_named(name);
    world.may_stop = false;
    const Truth truth = find_truth(world, {.gap = 1e-6});
    EXPECT_NEAR(truth.C_open->value, plain_capacity(world), 2e-5) << name;
    // feedback adds control, and a choice where to end adds more
    EXPECT_GT(truth.D_max->value, truth.C_open->value + 1e-3) << name;
    const Truth free = find_truth(world_named(name), {.gap = 1e-6});
    EXPECT_LT(truth.D_max->value, free.D_max->value) << name;
    EXPECT_LE(truth.D_max->gap, 1e-6) << name;
  }
}

// the same identities as with termination, on worlds without it
RC_GTEST_PROP(Empowerment, QuantitiesAreInOrderOnRandomWorlds, ()) {
  TabularWorld world = random_world(*rc::gen::arbitrary<std::uint64_t>());
  world.may_stop = false;
  const Truth truth = find_truth(world, {.gap = 1e-5});
  RC_ASSERT(truth.D_max->gap <= 1e-5);
  RC_ASSERT(std::abs(truth.C_open->value - plain_capacity(world)) < 3e-5);
  RC_ASSERT(truth.C_open->value <= truth.D_max->value + truth.D_max->gap + 1e-9);
  RC_ASSERT(truth.D_max->control.H <= truth.H_max.value + truth.H_max.gap + 1e-9);
  RC_ASSERT(std::abs(truth.uniform.H - truth.uniform.D - truth.uniform.N) < 1e-9);
  const Bracket D = bracket_control(world);
  RC_ASSERT(D.low <= truth.D_max->value + truth.D_max->gap + 1e-9);
  RC_ASSERT(D.high >= truth.D_max->value - 1e-9);
  const Bracket C = bracket_open_loop(world, D.high, 1e8);
  RC_ASSERT(C.low <= truth.C_open->value + truth.C_open->gap + 1e-9);
  RC_ASSERT(C.high >= truth.C_open->value - 1e-9);
}

}  // namespace
}  // namespace vic
