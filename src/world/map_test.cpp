#include "world/map.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace vic {
namespace {

MapWorld corner() {
  return {.name = "corner",
          .T_max = 4,
          .lines = {"S.#", "#.G"},
          .kinds = {{'S', {}},
                    {'.', {}},
                    {'#', {.wall = true}},
                    {'G', {.absorbing = true, .reward = 7}}},
          .moves = sticky_directions({"right", "down"}, 0.25),
          .starts = {Cell{.row = 0, .column = 0}}};
}

TEST(Map, NumbersCellsInReadingOrderAndNamesThemByCoordinates) {
  const TabularWorld world = build(corner());
  EXPECT_EQ(world.state_names, (std::vector<std::string>{"0,0", "1,0", "1,1", "2,1"}));
  EXPECT_EQ(world.coordinates, (std::vector<double>{0, 0, 1, 0, 1, 1, 2, 1}));
  EXPECT_EQ(world.s_0, 0);
  EXPECT_EQ(world.d, 2);
}

TEST(Map, WallsAndBordersStopAMove) {
  const TabularWorld world = build(corner());
  // from (1,0): right is a wall, so that moving and sticking are the same
  EXPECT_EQ(world.first[1 * 2 + 1] - world.first[1 * 2], 1);
  EXPECT_EQ(world.next[world.first[1 * 2]], 1);
  EXPECT_EQ(world.p[world.first[1 * 2]], 1);
  // from (1,0): down works with 0.75
  EXPECT_EQ(world.next[world.first[1 * 2 + 1] + 1], 2);
  EXPECT_EQ(world.p[world.first[1 * 2 + 1] + 1], 0.75);
}

TEST(Map, KnowsAbsorbingCellsAndRewards) {
  const TabularWorld world = build(corner());
  EXPECT_TRUE(world.absorbing[3]);
  EXPECT_EQ(world.reward(2, 3), 7);
  EXPECT_TRUE(world.has_reward);
}

TEST(Map, OfOneLineHasOneCoordinate) {
  MapWorld map = corner();
  map.lines = {"S..G"};
  map.origin_x = 1;
  const TabularWorld world = build(map);
  EXPECT_EQ(world.d, 1);
  EXPECT_EQ(world.state_names.front(), "-1");
}

TEST(Directions, ShareTheNoise) {
  const auto moves = noisy_directions({"left", "up", "right", "down"}, 0.3);
  ASSERT_EQ(moves.size(), 4u);
  for (const Move& move : moves) {
    ASSERT_EQ(move.shifts.size(), 4u);
    double sum = 0;
    for (const Shift& shift : move.shifts) sum += shift.p;
    EXPECT_NEAR(sum, 1, 1e-15);
  }
  EXPECT_EQ(moves[1].shifts[1].dy, -1);
  EXPECT_EQ(moves[1].shifts[1].p, 0.7);
  EXPECT_NEAR(moves[1].shifts[0].p, 0.1, 1e-15);
  EXPECT_THROW(sticky_directions({"sideways"}, 0), UsageError);
}

}  // namespace
}  // namespace vic
