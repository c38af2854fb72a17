#include "sim/simulator.h"

#include <gtest/gtest.h>

#include <numbers>

#include "support/cheetah.h"

namespace vic {
namespace {

// an option by its root: x, z and pitch in turns at each step
struct Root {
  double x, z, turns;
};

Behaviour behaviour(const Simulator& world, const std::vector<Root>& path) {
  std::vector<double> states;
  for (const Root& root : path) {
    std::vector<double> state(static_cast<std::size_t>(world.spec().n()), 0);
    state[0] = root.x;
    state[1] = root.z;
    state[2] = 2 * std::numbers::pi * root.turns;
    states.insert(states.end(), state.begin(), state.end());
  }
  const auto viewer = world.make_viewer();
  const Behaviour result = behaviour_of(world, *viewer, states);
  // without bins of its own the method has the same cell
  EXPECT_EQ(method_cell_of(world.spec(), result.displacement), result.cell);
  return result;
}

TEST(Behaviour, TurnsHaveBinsOfTheirOwnInTheMethod) {
  const SimulatorPtr world = cheetah({{"world.pitch_bin", "0.25", "--set"}});
  const SimulatorSpec& spec = world->spec();
  EXPECT_EQ(method_cell_of(spec, Displacement{1.2, -0.6}), (StateCell{2, -2}));
  EXPECT_EQ(method_cell_of(spec, Displacement{1.2, 0.1}), (StateCell{2, 0}));
  EXPECT_EQ(cell_of(spec, Displacement{1.2, -0.6}), (StateCell{2, 0}));
}

TEST(Behaviour, IsMeasuredFromStartToEnd) {
  const SimulatorPtr world = cheetah();
  const Behaviour b = behaviour(*world, {{0, 0, 0}, {9, 0.8, -3}, {-1.3, -0.4, -1.95}});
  EXPECT_NEAR(b.displacement[0], -1.3, 1e-12);
  EXPECT_NEAR(b.height, 1.5, 1e-12);
  EXPECT_NEAR(b.displacement[1], -1.95, 1e-12);
  EXPECT_EQ(b.flips, -2);
  EXPECT_EQ(b.cell, (StateCell{-3, -2}));
  EXPECT_EQ(b.name, "2 backflips");
  EXPECT_EQ(b.kind, 0);
  EXPECT_EQ(b.kind_name, "2 or more backflips");
  EXPECT_EQ(b.caption, "−1.30 m forward, −1.95 turns, up to 1.50 m high");
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
  // a cell may need a smaller share: half a turn is the nearest
  EXPECT_EQ(full_turns(-0.49, 0.5), 0);
  EXPECT_EQ(full_turns(-0.51, 0.5), -1);
  const SimulatorPtr nearest = cheetah({{"world.turn", "0.5", "--set"}});
  const Behaviour b = behaviour(*nearest, {{0, 0, 0}, {0, 0, 1.6}});
  EXPECT_EQ(b.cell[1], 2);
  EXPECT_EQ(b.flips, 1);
}

TEST(Behaviour, PlacesAreCentredOnTheStart) {
  const SimulatorPtr world = cheetah(), coarse = cheetah({{"world.bin", "2", "--set"}});
  const auto place = [](const SimulatorPtr& w, double x) {
    return behaviour(*w, {{0, 0, 0}, {x, 0, 0}}).cell[0];
  };
  EXPECT_EQ(place(world, 0.24), 0);
  EXPECT_EQ(place(world, -0.24), 0);
  EXPECT_EQ(place(world, 0.26), 1);
  EXPECT_EQ(place(world, -17.1), -34);
  EXPECT_EQ(place(coarse, 0.9), 0);
  EXPECT_EQ(place(coarse, -1.1), -1);
  EXPECT_EQ(place(world, -1e10), -1000000000);
}

TEST(Behaviour, HasANameAndAKind) {
  const SimulatorPtr world = cheetah();
  const auto expect = [&](double x, double turns, const char* name, int kind,
                          const char* kind_name) {
    const Behaviour b = behaviour(*world, {{0, 0, 0}, {x, 0, turns}});
    EXPECT_EQ(b.name, name);
    EXPECT_EQ(b.kind, kind) << name;
    EXPECT_EQ(b.kind_name, kind_name);
  };
  const char* upended = "tilted forward or back";
  expect(0, 0, "stays", 6, "stays");
  expect(-0.4, 0.1, "stays", 6, "stays");
  expect(0.6, -0.1, "crawls forward", 5, "crawls");
  expect(-1.9, 0, "crawls backward", 5, "crawls");
  expect(2.1, 0, "runs forward", 4, "runs");
  expect(-7, 0, "runs backward", 4, "runs");
  expect(0, 0.5, "upside down", 8, "upside down");
  expect(5, -0.6, "upside down", 8, "upside down");
  expect(0, 0.25, "tilted forward", 7, upended);
  expect(0, -0.25, "tilted back", 7, upended);
  expect(0, -0.75, "tilted forward", 7, upended);
  expect(0, 0.95, "1 forward flip", 2, "1 forward flip");
  expect(0, -1, "1 backflip", 1, "1 backflip");
  expect(8, 3.2, "3 forward flips", 3, "2 or more forward flips");
  expect(8, -12, "12 backflips", 0, "2 or more backflips");
}

}  // namespace
}  // namespace vic
