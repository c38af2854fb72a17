// The empowerment map against closed forms, symmetry and the optima of single starts.
#include "oracle/start_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/named_world.h"

namespace vic::start_map_test {
namespace {

ExactSettings to_gap(double gap) {
  ExactSettings settings;
  settings.gap = gap;
  return settings;
}

// without noise every reachable state can be reached for certain
TEST(StartMap, OfDeterministicWorldsIsTheLogarithmOfTheStatesReachable) {
  for (const char* name : {"line", "grid", "tree"}) {
    Overrides shorter({parse_assignment("world.T_max=4")});
    const TabularWorld world = load_world(name, shorter);
    const StartMap map = map_starts(world, to_gap(1e-6), 2);
    std::size_t starts = 0;
    for (int s = 0; s < world.S; ++s) starts += world.absorbing[s] ? 0 : 1;
    ASSERT_EQ(map.starts.size(), starts);
    for (const StartOptima& start : map.starts) {
      const double closed =
          std::log(static_cast<double>(started_at(world, start.s_0).final_states().size()));
      EXPECT_NEAR(*start.H_max, closed, 2e-6) << name << " " << world.state_names[start.s_0];
      EXPECT_NEAR(*start.D_max, closed, 2e-6) << name << " " << world.state_names[start.s_0];
      EXPECT_NEAR(*start.C_open, closed, 2e-6) << name << " " << world.state_names[start.s_0];
    }
  }
}

// on the line of 9 states with at most four moves, a start at distance k < 4 of the end has 5 + k
TEST(StartMap, OfTheLineCountsTheStatesBeforeTheWall) {
  const TabularWorld world = world_named("line");
  const StartMap map = map_starts(world, to_gap(1e-6), 1);
  for (const StartOptima& start : map.starts) {
    const int wall = std::min(start.s_0, world.S - 1 - start.s_0);
    EXPECT_EQ(start.states_reachable, 5 + std::min(wall, 4));
  }
}

// the noisy line read from right to left is the noisy line, and its middle is its registered start
TEST(StartMap, OfTheNoisyLineIsSymmetricAndAgreesWithTheTruth) {
  const TabularWorld world = world_named("line-noisy");
  const StartMap map = map_starts(world, to_gap(1e-6), 1);
  ASSERT_EQ(static_cast<int>(map.starts.size()), world.S);
  for (int s = 0; s < world.S; ++s) {
    const StartOptima& start = map.starts[s];
    const StartOptima& mirrored = map.starts[world.S - 1 - s];
    EXPECT_NEAR(*start.H_max, *mirrored.H_max, 2e-6);
    EXPECT_NEAR(*start.D_max, *mirrored.D_max, 2e-6);
    EXPECT_NEAR(*start.C_open, *mirrored.C_open, 2e-6);
    // actions chosen in advance control less, and chance adds to H what is not controlled
    EXPECT_LT(*start.C_open, *start.D_max);
    EXPECT_LT(*start.D_max, *start.H_max);
  }
  const StartOptima& middle = map.starts[world.s_0];
  EXPECT_NEAR(*middle.H_max, 2.193978, 2e-6);
  EXPECT_NEAR(*middle.D_max, 1.263621, 2e-6);
  EXPECT_NEAR(*middle.C_open, 1.097845, 2e-6);
}

TEST(StartMap, IsTheSameToTheBitOnAnyNumberOfThreads) {
  const TabularWorld world = world_named("line-noisy");
  const StartMap one = map_starts(world, to_gap(1e-4), 1),
                 three = map_starts(world, to_gap(1e-4), 3);
  for (std::size_t i = 0; i < one.starts.size(); ++i) {
    EXPECT_EQ(one.starts[i].H_max, three.starts[i].H_max);
    EXPECT_EQ(one.starts[i].D_max, three.starts[i].D_max);
    EXPECT_EQ(one.starts[i].C_open, three.starts[i].C_open);
  }
}

TEST(StartMap, SaysOnceWhatIsNotComputed) {
  const TabularWorld world = world_named("line-noisy");
  ExactSettings settings = to_gap(1e-3);
  settings.histories = 10;
  settings.sequences = 5;
  const StartMap map = map_starts(world, settings, 1);
  for (const StartOptima& start : map.starts) EXPECT_FALSE(start.D_max || start.C_open);
  ASSERT_EQ(map.notes.size(), 2u);
  EXPECT_TRUE(map.notes[0].starts_with("From every start: D_max")) << map.notes[0];
  EXPECT_TRUE(map.notes[1].starts_with("From every start: C_open")) << map.notes[1];
  for (const StartField& field : start_fields) {
    EXPECT_EQ(summarise(map, field).has_value(), std::string("H_max") == field.name);
  }
}

TEST(StartMap, SummaryNamesTheBestAndTheWorstStart) {
  const TabularWorld world = world_named("line");
  const StartMap map = map_starts(world, to_gap(1e-6), 1);
  const StartSummary H = *summarise(map, start_fields[0]);
  EXPECT_EQ(H.largest_at, world.s_0);
  EXPECT_EQ(H.least_at, 0);
  EXPECT_NEAR(H.least, std::log(5), 1e-6);
  EXPECT_NEAR(H.largest, std::log(9), 1e-6);
  // 5 6 7 8 9 8 7 6 5
  EXPECT_NEAR(H.mean, (2 * std::log(5 * 6 * 7 * 8) + std::log(9)) / 9, 1e-6);
  EXPECT_EQ(H.starts, 9);
}

}  // namespace
}  // namespace vic::start_map_test
