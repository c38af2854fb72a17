// Cells, films and names of models that are not planar runners.
#include "sim/mujoco/mujoco_place.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <numbers>

#include "sim/mujoco/mujoco_world.h"
#include "support/message_of.h"

namespace vic {
namespace {

MujocoWorld world_of(const std::string& inside, const std::string& joint,
                     const MujocoSettings& settings = {}) {
  return MujocoWorld(
      make_mujoco_model("mine",
                        "<mujoco><compiler angle='radian'/><worldbody>" + inside +
                            "</worldbody><actuator><motor joint='" + joint +
                            "' ctrllimited='true' ctrlrange='-1 1'/></actuator></mujoco>",
                        settings));
}

std::string joint(const std::string& name, const std::string& type, const std::string& axis,
                  const std::string& more = "") {
  return "<joint name='" + name + "' type='" + type + "' axis='" + axis + "' " + more + "/>";
}

const std::string ball = "<geom size='0.1'/>";

// a box that floats, with an arm on it
const std::string floating = "<body name='trunk' pos='0 0 1'><freejoint name='root'/>" + ball +
                             "<body name='hand' pos='0.5 0 0'>" + joint("arm", "hinge", "0 0 1") +
                             ball + "<site name='tip' pos='0.2 0 0'/></body></body>";

// an arm of two links on a table, and behind it in the file something that no motor moves
const std::string reacher = "<body name='upper'>" + joint("shoulder", "hinge", "0 0 1") + ball +
                            "<body name='lower' pos='0.1 0 0'>" + joint("elbow", "hinge", "0 0 1") +
                            "<geom size='0.01' pos='0.1 0 0'/></body></body>"
                            "<body name='target' pos='1 1 0'>" +
                            joint("target_x", "slide", "1 0 0") + ball + "</body>";

// a runner in the plane of x and z, whose pitch counts the other way
const std::string hopper = "<body name='trunk' pos='0 0 1'>" + joint("rootx", "slide", "1 0 0") +
                           joint("rootz", "slide", "0 0 1") + joint("rooty", "hinge", "0 -1 0") +
                           ball + "</body>";

std::vector<std::string> names(const MujocoWorld& world) {
  std::vector<std::string> list;
  for (const Coordinate& one : world.spec().coordinates) list.push_back(one.name);
  return list;
}

using Names = std::vector<std::string>;

// the behaviour of an option that ended in these positions
Behaviour moved_to(const MujocoWorld& world, const std::vector<double>& positions) {
  std::vector<double> states = world.spec().start, end = states;
  std::copy(positions.begin(), positions.end(), end.begin());
  states.insert(states.end(), end.begin(), end.end());
  const auto viewer = world.make_viewer();
  return behaviour_of(world, *viewer, states);
}

TEST(MujocoPlace, IsWhereTheBodyMoves) {
  const MujocoWorld ant = world_of(floating, "arm");
  EXPECT_EQ(names(ant), (Names{"x", "y"}));
  EXPECT_EQ(ant.spec().view, FilmView::slanted);
  EXPECT_TRUE(ant.spec().ground);
  const MujocoWorld arm = world_of(reacher, "elbow");
  EXPECT_EQ(names(arm), (Names{"x", "y"}));
  EXPECT_EQ(arm.spec().view, FilmView::top);
  // a tenth of 0.2 m; the body that slides without a motor is ignored
  EXPECT_NEAR(arm.spec().coordinates[0].bins.width, 0.02, 1e-12);
  EXPECT_STREQ(mj_id2name(arm.model().model.get(), mjOBJ_BODY, arm.model().main.id), "lower");
  const MujocoWorld runner = world_of(hopper, "rootx");
  EXPECT_EQ(names(runner), (Names{"distance", "turns"}));
  EXPECT_EQ(runner.spec().view, FilmView::side);
  EXPECT_EQ(runner.spec().coordinates[0].cell_name, "place");
}

TEST(MujocoPlace, IsWhatTheUserNames) {
  const MujocoWorld world =
      world_of(floating, "arm", {.bin = 0.25, .place = "tip.y:0.1 up arm root.z"});
  EXPECT_EQ(names(world), (Names{"tip.y", "up", "arm", "root.z"}));
  const auto& list = world.spec().coordinates;
  EXPECT_EQ(list[0].bins.width, 0.1);
  EXPECT_EQ(list[1].bins.width, 1);
  EXPECT_EQ(list[2].bins.width, 0.25);
  EXPECT_EQ(list[2].unit, "rad");
  EXPECT_EQ(list[3].unit, "m");
  // a quarter turn of the arm takes the tip, 0.2 m out, from the side to the front
  const double quarter = std::numbers::pi / 2;
  const Behaviour b = moved_to(world, {0, 0, 1.5, 1, 0, 0, 0, quarter});
  EXPECT_NEAR(b.displacement[0], 0.2, 1e-12);
  EXPECT_NEAR(b.displacement[1], 0, 1e-12);
  EXPECT_NEAR(b.displacement[2], quarter, 1e-12);
  EXPECT_NEAR(b.displacement[3], 0.5, 1e-12);
  EXPECT_EQ(b.cell, (StateCell{2, 0, 6, 2}));
}

TEST(MujocoPlace, WrongWordsAreNamedWithWhatThereIs) {
  const auto message = [](const MujocoSettings& settings) {
    return message_of([&] { world_of(hopper, "rootx", settings); });
  };
  const std::string has =
      "it has x, y, z, up, distance, turns, rootx, rootz, rooty, v(rootx), "
      "v(rootz), v(rooty), trunk.x (.y and .z likewise).";
  EXPECT_EQ(message({.place = "x knee"}),
            "world.place names 'knee', which mine does not have; " + has);
  EXPECT_EQ(message({.healthy = "trunk > 1"}),
            "world.healthy names 'trunk', which mine does not have; " + has);
  EXPECT_EQ(message({.place = "x:wide"}),
            "world.place has 'x:wide', whose bin is no width; write NAME:BIN, as in x:0.5.");
  EXPECT_EQ(message({.place = "x x"}), "world.place names x twice; a coordinate is named once.");
  EXPECT_EQ(message({.place = " "}),
            "world.place = ' ' has 0 words; give one to 4, as in \"x y\".");
  EXPECT_EQ(message({.healthy = "z > 1.5"}),
            "world.healthy has z > 1.5, but at the start of mine it is 1: all options would end at "
            "once.");
  EXPECT_EQ(message({.behaviours = "jumps: hight > 1"}),
            "world.behaviours names 'hight', which is not known of an option in mine; known are "
            "distance, turns, x, y, up, height and flips.");
}

TEST(MujocoPlace, NamesFitAnyBody) {
  const MujocoWorld ant = world_of(floating, "arm");
  const auto name = [](const MujocoWorld& world, const std::vector<double>& positions) {
    return moved_to(world, positions).name;
  };
  EXPECT_EQ(name(ant, {0.1, 0.2, 1, 1, 0, 0, 0}), "stays");
  EXPECT_EQ(name(ant, {0.1, 3, 1, 1, 0, 0, 0}), "runs left");
  EXPECT_EQ(name(ant, {0.1, -1, 1, 1, 0, 0, 0}), "crawls right");
  EXPECT_EQ(name(ant, {-3, -1, 1, 1, 0, 0, 0}), "runs backward");
  // half a turn about x, and a quarter
  EXPECT_EQ(name(ant, {3, 0, 1, 0, 1, 0, 0}), "upside down");
  EXPECT_EQ(name(ant, {3, 0, 1, std::sqrt(0.5), std::sqrt(0.5), 0, 0}), "on its side");
  // about z it turns without falling
  EXPECT_EQ(name(ant, {3, 0, 1, 0, 0, 0, 1}), "runs forward");
  // 27 turns of an arm are no flips
  const MujocoWorld arm = world_of(reacher, "elbow");
  const Behaviour turned = moved_to(arm, {54 * std::numbers::pi, 0});
  EXPECT_EQ(turned.flips, 0);
  EXPECT_EQ(turned.name, "stays");
  EXPECT_EQ(name(arm, {std::numbers::pi, 0}), "moves along -x");
  // nose down is forward, whichever way the hinge counts
  EXPECT_EQ(name(world_of(hopper, "rootx"), {0, 0, -2 * std::numbers::pi}), "1 forward flip");
  const MujocoWorld own = world_of(hopper, "rootx", {.behaviours = "jumps: height > 1.5"});
  EXPECT_EQ(name(own, {0, 1, -2 * std::numbers::pi}), "jumps");
  EXPECT_EQ(name(own, {1, 0, 0}), "crawls forward");
}

TEST(MujocoPlace, WhatIsNotObservedIsHidden) {
  const MujocoWorld world = world_of(floating, "arm", {.observe = "-root.y"});
  EXPECT_FALSE(world.spec().coordinates[0].hidden);
  EXPECT_TRUE(world.spec().coordinates[1].hidden);
  // sine and cosine of the arm's angle, which has no limits
  EXPECT_EQ(world.spec().observations, 2);
  EXPECT_EQ(world_of(floating, "arm", {.observe = "-arm"}).spec().observations, 0);
}

TEST(MujocoPlace, WhatFellStaysWhereItIsInOneCell) {
  // it falls freely from 1 m: 0.1 s later it is 5 cm lower
  const MujocoWorld world = world_of(hopper, "rootx", {.T = 40, .healthy = "z > 0.8"});
  EXPECT_EQ(names(world), (Names{"distance", "turns", "fallen"}));
  const auto episode = world.make_episodes(/*B=*/1, /*threads=*/1);
  const auto viewer = world.make_viewer();
  std::vector<double> states(world.spec().start), fallen;
  int falls_at = 0;
  for (int t = 1; t <= 40; ++t) {
    episode->step(std::vector<int>{4});
    const std::span<const double> state = episode->state(0);
    states.insert(states.end(), state.begin(), state.end());
    viewer->put(state);
    if (!viewer->posture().fallen) continue;
    if (fallen.empty()) fallen.assign(state.begin(), state.end()), falls_at = t;
    EXPECT_EQ(fallen, std::vector<double>(state.begin(), state.end()));
  }
  // sqrt(2 * 0.2 / 9.81) = 0.202 s, in actions of 0.01 s
  EXPECT_EQ(falls_at, 21);
  EXPECT_LT(1 + fallen[1], 0.8);
  const Behaviour b = behaviour_of(world, *viewer, states);
  EXPECT_EQ(b.name, "falls");
  EXPECT_GT(b.end.x, 0);
  EXPECT_EQ(b.cell, (StateCell{0, 0, 1}));
}

}  // namespace
}  // namespace vic
