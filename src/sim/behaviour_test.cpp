#include "sim/behaviour.h"

#include <gtest/gtest.h>

#include <numbers>

#include "sim/mujoco/physics_registry.h"

namespace vic {
namespace {

PhysicsWorld cheetah(std::vector<Assignment> settings = {}) {
  Overrides overrides(std::move(settings));
  return load_physics_world("half-cheetah", overrides);
}

// an option by its root: x, z and pitch in turns at each step
struct Root {
  double x, z, turns;
};

Behaviour behaviour(const PhysicsWorld& world, const std::vector<Root>& path) {
  std::vector<double> states;
  for (const Root& root : path) {
    std::vector<double> state(static_cast<std::size_t>(world.n), 0);
    state[0] = root.x;
    state[1] = root.z;
    state[2] = 2 * std::numbers::pi * root.turns;
    states.insert(states.end(), state.begin(), state.end());
  }
  PhysicsBody body(world);
  const Behaviour result = behaviour_of(world, body, states);
  // without bins of its own the method takes it for the same cell
  EXPECT_EQ(rewarded_cell(world, {result.distance, result.turns}), result.cell);
  return result;
}

TEST(Behaviour, TurnsOfRewardedCellsHaveBinsOfTheirOwn) {
  PhysicsWorld world = cheetah();
  world.pitch_bin = 0.25;
  EXPECT_EQ(rewarded_cell(world, {1.2, -0.6}), (BehaviourCell{2, -2}));
  EXPECT_EQ(rewarded_cell(world, {1.2, 0.1}), (BehaviourCell{2, 0}));
  EXPECT_EQ(cell_of(world, {1.2, -0.6}), (BehaviourCell{2, 0}));
}

TEST(Behaviour, IsMeasuredFromStartToEnd) {
  const PhysicsWorld world = cheetah();
  const Behaviour b = behaviour(world, {{0, 0, 0}, {9, 0.8, -3}, {-1.3, -0.4, -1.95}});
  EXPECT_NEAR(b.distance, -1.3, 1e-12);
  EXPECT_NEAR(b.height, 1.5, 1e-12);
  EXPECT_NEAR(b.turns, -1.95, 1e-12);
  EXPECT_EQ(b.flips, -2);
  EXPECT_NEAR(b.end.z, 0.3, 1e-12);
  EXPECT_EQ(b.cell, (BehaviourCell{-3, -2}));
  EXPECT_EQ(b.name, "2 backflips");
}

TEST(Behaviour, CountsATurnWhenItIsAlmostFull) {
  EXPECT_EQ(full_turns(0), 0);
  EXPECT_EQ(full_turns(0.5), 0);
  EXPECT_EQ(full_turns(0.89), 0);
  EXPECT_EQ(full_turns(0.9), 1);
  EXPECT_EQ(full_turns(1.89), 1);
  EXPECT_EQ(full_turns(1.9), 2);
  EXPECT_EQ(full_turns(-0.89), 0);
  EXPECT_EQ(full_turns(-0.9), -1);
  EXPECT_EQ(full_turns(-2.95), -3);
  // a cell may ask for less: half of a turn is the nearest
  EXPECT_EQ(full_turns(-0.49, 0.5), 0);
  EXPECT_EQ(full_turns(-0.51, 0.5), -1);
  const PhysicsWorld nearest = cheetah({{"world.turn", "0.5", "--set"}});
  const Behaviour b = behaviour(nearest, {{0, 0, 0}, {0, 0, 1.6}});
  EXPECT_EQ(b.cell.turns, 2);
  EXPECT_EQ(b.flips, 1);
}

TEST(Behaviour, PlacesAreCentredOnTheStart) {
  const PhysicsWorld world = cheetah(), coarse = cheetah({{"world.bin", "2", "--set"}});
  const auto place = [](const PhysicsWorld& w, double x) {
    return behaviour(w, {{0, 0, 0}, {x, 0, 0}}).cell.place;
  };
  EXPECT_EQ(place(world, 0.24), 0);
  EXPECT_EQ(place(world, -0.24), 0);
  EXPECT_EQ(place(world, 0.26), 1);
  EXPECT_EQ(place(world, -17.1), -34);
  EXPECT_EQ(place(coarse, 0.9), 0);
  EXPECT_EQ(place(coarse, -1.1), -1);
  EXPECT_EQ(place(world, -1e10), -1000000000);
}

TEST(Behaviour, HasAName) {
  const PhysicsWorld world = cheetah();
  const auto name = [&](double x, double turns) {
    return behaviour(world, {{0, 0, 0}, {x, 0, turns}}).name;
  };
  EXPECT_EQ(name(0, 0), "stays");
  EXPECT_EQ(name(-0.4, 0.1), "stays");
  EXPECT_EQ(name(0.6, -0.1), "crawls forward");
  EXPECT_EQ(name(-1.9, 0), "crawls backward");
  EXPECT_EQ(name(2.1, 0), "runs forward");
  EXPECT_EQ(name(-7, 0), "runs backward");
  EXPECT_EQ(name(0, 0.5), "lies on its back");
  EXPECT_EQ(name(5, -0.6), "lies on its back");
  EXPECT_EQ(name(0, 0.25), "stands on its nose");
  EXPECT_EQ(name(0, -0.25), "rears up");
  EXPECT_EQ(name(0, -0.75), "stands on its nose");
  EXPECT_EQ(name(0, 0.95), "1 forward flip");
  EXPECT_EQ(name(0, -1), "1 backflip");
  EXPECT_EQ(name(8, 3.2), "3 forward flips");
}

}  // namespace
}  // namespace vic
