// The invariants of every registered world. A new world is tested as soon as it is in the registry.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "base/file.h"
#include "base/random.h"
#include "world/episode.h"
#include "world/registry.h"

namespace vic {

// names the test case after the world
void PrintTo(const WorldEntry& entry, std::ostream* out) {
  *out << entry.name;
}

namespace {

class Conformance : public testing::TestWithParam<WorldEntry> {
 protected:
  TabularWorld make() const {
    Overrides none;
    return GetParam().make(none);
  }
};

TEST_P(Conformance, TableIsADistributionOverDistinctSuccessors) {
  const TabularWorld world = make();
  ASSERT_EQ(world.first.size(), std::size_t(world.S) * world.A + 1);
  for (int row = 0; row < world.S * world.A; ++row) {
    const int begin = world.first[row], end = world.first[row + 1];
    if (world.absorbing[row / world.A]) {
      EXPECT_EQ(begin, end);
      continue;
    }
    EXPECT_NEAR(std::accumulate(&world.p[begin], &world.p[end], 0.0), 1, 1e-14);
    for (int e = begin; e < end; ++e) {
      EXPECT_GT(world.p[e], 0);
      EXPECT_GE(world.next[e], 0);
      EXPECT_LT(world.next[e], world.S);
      EXPECT_TRUE(e == begin || world.next[e] > world.next[e - 1]);
    }
  }
}

TEST_P(Conformance, NamesCoordinatesAndCellsAreOnePerState) {
  const TabularWorld world = make();
  EXPECT_EQ(std::set(world.state_names.begin(), world.state_names.end()).size(), world.S);
  ASSERT_EQ(world.coordinates.size(), std::size_t(world.S) * world.d);
  for (int s = 0; s < world.S; ++s) EXPECT_EQ(world.find_state(world.state_names[s]), s);
  ASSERT_FALSE(world.picture.empty());
  std::set<std::pair<int, int>> cells;
  for (const Cell& cell : world.picture.cells) {
    ASSERT_LT(cell.row, static_cast<int>(world.picture.lines.size()));
    ASSERT_LT(cell.column, static_cast<int>(world.picture.lines[cell.row].size()));
    cells.insert({cell.row, cell.column});
  }
  EXPECT_EQ(cells.size(), world.S);
}

// Algorithm 2 smooths states with sigma = 0.25 and needs them to stay apart
TEST_P(Conformance, StatesAreAtLeastOneApart) {
  const TabularWorld world = make();
  for (int a = 0; a < world.S; ++a) {
    for (int b = 0; b < a; ++b) {
      double square = 0;
      for (int i = 0; i < world.d; ++i) {
        const double difference =
            world.coordinates[a * world.d + i] - world.coordinates[b * world.d + i];
        square += difference * difference;
      }
      ASSERT_GE(square, 1) << world.state_names[a] << " and " << world.state_names[b];
    }
  }
}

TEST_P(Conformance, SampledFrequenciesMatchTheTable) {
  const TabularWorld world = make();
  constexpr std::uint32_t episodes = 4000;
  std::map<int, double> moves, outcomes;  // by row of the table, and by entry
  for (std::uint32_t row = 0; row < episodes; ++row) {
    Episode episode(world);
    while (!episode.forced()) {
      RandomAddress address{.seed = 11, .row = row};
      address.step = static_cast<std::uint32_t>(episode.actions_taken());
      const int s = episode.state(), move = static_cast<int>(world.A * uniform(address));
      address.draw = 1;
      episode.step(move, uniform(address));
      const int at = s * world.A + move;
      const auto begin = world.next.begin();
      const auto found =
          std::find(begin + world.first[at], begin + world.first[at + 1], episode.state());
      ASSERT_NE(found, begin + world.first[at + 1]) << "an outcome that the table does not have";
      moves[at] += 1;
      outcomes[static_cast<int>(found - begin)] += 1;
    }
    episode.step(world.A, 0);
    EXPECT_TRUE(episode.done());
    EXPECT_LE(episode.actions_taken(), world.T_max);
  }
  // five standard deviations, over a few hundred comparisons
  for (const auto& [at, n] : moves) {
    for (int e = world.first[at]; e < world.first[at + 1]; ++e) {
      const double p = world.p[e];
      EXPECT_NEAR(outcomes[e], n * p, 5 * std::sqrt(n * p * (1 - p)) + 1e-9)
          << "row " << at << ", entry " << e;
    }
  }
}

TEST_P(Conformance, TakesItsSettingsAndRefusesOthers) {
  Overrides shorter({parse_assignment("world.T_max=3")});
  EXPECT_EQ(GetParam().make(shorter).T_max, 3);
  shorter.finish();
  Overrides wrong({parse_assignment("world.no_such_setting=3")});
  GetParam().make(wrong);
  EXPECT_THROW(wrong.finish(), UsageError);
  Overrides nowhere({parse_assignment("world.start=no_such_state")});
  EXPECT_THROW(GetParam().make(nowhere), UsageError);
  for (const SettingInfo& info : GetParam().settings()) {
    EXPECT_FALSE(info.help.empty()) << info.key;
    // every default is a value that the setting itself allows
    Overrides same({{info.key, info.value, "default"}});
    EXPECT_NO_THROW(GetParam().make(same)) << info.key;
  }
}

// `vic worlds NAME --play` writes these files anew
TEST_P(Conformance, PlaythroughIsTheGoldenOne) {
  const std::string path =
      std::string(VIC_SOURCE_DIR) + "/tests/playthroughs/" + GetParam().name + ".txt";
  EXPECT_EQ(playthrough(make(), /*seed=*/1), read_file(path));
}

INSTANTIATE_TEST_SUITE_P(Registry, Conformance, testing::ValuesIn(registry()),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// the facts of the paper, to the digit
TEST(Registry, HoldsTheWorldsOfThePaper) {
  struct Fact {
    const char* name;
    int reachable, moves, T_max;
  };
  const Fact facts[] = {{"line", 9, 2, 5},          {"line-noisy", 9, 2, 5},
                        {"grid", 41, 4, 5},         {"grid-noisy", 41, 4, 5},
                        {"tree", 15, 2, 4},         {"tree-noisy", 15, 2, 4},
                        {"four-rooms", 412, 4, 25}, {"rooms-35", 190, 3, 25}};
  for (const Fact& fact : facts) {
    Overrides none;
    const TabularWorld world = load_world(fact.name, none);
    const auto reachable = world.reachable_in(world.T_max - 1);
    EXPECT_EQ(std::count(reachable.begin(), reachable.end(), 1), fact.reachable) << fact.name;
    EXPECT_EQ(world.A, fact.moves) << fact.name;
    EXPECT_EQ(world.T_max, fact.T_max) << fact.name;
  }
}

double transition(const TabularWorld& world, const char* from, int move, const char* to) {
  const int row = world.find_state(from) * world.A + move;
  for (int e = world.first[row]; e < world.first[row + 1]; ++e) {
    if (world.next[e] == world.find_state(to)) return world.p[e];
  }
  return 0;
}

TEST(Registry, HasTheTransitionTablesOfThePaper) {
  Overrides none;
  const TabularWorld line = load_world("line-noisy", none);
  EXPECT_NEAR(transition(line, "0", 0, "-1"), 0.7, 1e-15);
  EXPECT_NEAR(transition(line, "0", 0, "1"), 0.3, 1e-15);
  const TabularWorld grid = load_world("grid-noisy", none);
  EXPECT_NEAR(transition(grid, "0,0", 3, "0,1"), 0.7, 1e-15);
  EXPECT_NEAR(transition(grid, "0,0", 3, "0,-1"), 0.1, 1e-15);
  EXPECT_NEAR(transition(grid, "0,0", 3, "1,0"), 0.1, 1e-15);
  const TabularWorld tree = load_world("tree-noisy", none);
  EXPECT_NEAR(transition(tree, "root", 0, "L"), 0.8, 1e-15);
  EXPECT_NEAR(transition(tree, "root", 0, "root"), 0.2, 1e-15);
  EXPECT_NEAR(transition(tree, "root", 1, "L"), 0.6, 1e-15);
  EXPECT_NEAR(transition(tree, "root", 1, "R"), 0.2, 1e-15);
  EXPECT_NEAR(transition(tree, "LLL", 1, "LLL"), 1, 1e-15);
  const TabularWorld rooms = load_world("rooms-35", none);
  EXPECT_NEAR(transition(rooms, "0,6", 2, "1,6"), 0.7, 1e-15);
  EXPECT_NEAR(transition(rooms, "0,6", 2, "0,6"), 0.3, 1e-15);
  EXPECT_NEAR(transition(rooms, "0,7", 2, "0,7"), 1, 1e-15);
  EXPECT_EQ(rooms.enter_reward[rooms.find_state("14,3")], 100);
  EXPECT_EQ(std::count(rooms.absorbing.begin(), rooms.absorbing.end(), 1), 35);
}

TEST(Registry, FindsTheClosestName) {
  Overrides none;
  try {
    load_world("line-nosy", none);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "There is no world 'line-nosy'; did you mean line-noisy? A world of your own is a "
                 "file that ends in .toml or .xml.");
  }
}

}  // namespace
}  // namespace vic
