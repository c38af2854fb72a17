// The registered ant and maze, against the facts that they are made from.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <numbers>
#include <set>

#include "sim/mujoco/mujoco_world.h"
#include "sim/survey.h"

namespace vic {
namespace {

std::shared_ptr<const MujocoWorld> load_body(const std::string& name,
                                             std::vector<Assignment> settings = {}) {
  Overrides overrides(std::move(settings));
  return load_mujoco_world(name, overrides);
}

TEST(Ant, HasTheMeasuresOfTheFacts) {
  const auto world = load_body("ant");
  const mjModel& m = *world->model().model;
  EXPECT_EQ(world->spec().n(), 15 + 14);
  EXPECT_EQ(world->spec().F(), 8);
  // a ball and four legs of three capsules, 5 kg per cubic metre
  const auto capsule = [](double length) {
    constexpr double r = 0.08;
    return std::numbers::pi * r * r * (length + 4 * r / 3);
  };
  const double volume =
      4 * std::numbers::pi / 3 * std::pow(0.25, 3) + 4 * (2 * capsule(0.283) + capsule(0.566));
  EXPECT_NEAR(m.body_subtreemass[1], 5 * volume, 1e-9);
  for (int i = 0; i < m.nu; ++i) EXPECT_EQ(m.actuator_gear[6 * i], 150);
}

TEST(Ant, StandsAtTheStartAndIsTheSameFromAllSides) {
  const auto world = load_body("ant");
  const auto viewer = world->make_viewer();
  double lowest = 1;
  for (const Capsule& part : viewer->parts()) {
    lowest = std::min(lowest, std::min(part.z1, part.z2) - part.r);
  }
  EXPECT_NEAR(lowest, 0, 1e-3);
  // without torque it stays where it is
  const auto episode = world->make_episodes(/*B=*/1, /*threads=*/1);
  for (int t = 0; t < 100; ++t) episode->step(std::vector<int>(8, 2));
  const Displacement at = displacement_of(*world, *viewer, episode->state(0));
  EXPECT_NEAR(at[0], 0, 0.01);
  EXPECT_NEAR(at[1], 0, 0.01);
  EXPECT_GT(viewer->posture().z, 0.5);
  EXPECT_GT(viewer->posture().up, 0.999);
}

TEST(Ant, ThatGoesSidewaysDoesNotStay) {
  const auto world = load_body("ant");
  const Survey survey = random_survey(*world, 1, 40, 2);
  EXPECT_GT(survey.coordinate(1).spread, 0.5);
  for (const BehaviourCount& one : survey.behaviours()) EXPECT_NE(one.name, "stays");
}

// the map of the file's comment
const std::vector<std::string> maze_map = {
    "#############", "#.....#.....#", "#.....#.....#", "#...........#", "#.....#.....#",
    "#.....#.....#", "###.#####.###", "#.....#.....#", "#.....#.....#", "#..S........#",
    "#.....#.....#", "#.....#.....#", "#############"};

bool is_free(int x, int y) {
  return maze_map[static_cast<std::size_t>(9 - y)][static_cast<std::size_t>(x + 3)] != '#';
}

TEST(PointMaze, HasWallsWhereTheMapHasThem) {
  const auto world = load_body("point-maze");
  const mjModel& m = *world->model().model;
  for (int y = -3; y <= 9; ++y) {
    for (int x = -3; x <= 9; ++x) {
      bool wall = false;
      for (int geom = 0; geom < m.ngeom; ++geom) {
        const mjtNum *at = m.geom_pos + 3 * geom, *half = m.geom_size + 3 * geom;
        wall = wall || (m.geom_type[geom] == mjGEOM_BOX && std::abs(x - at[0]) <= half[0] &&
                        std::abs(y - at[1]) <= half[1]);
      }
      EXPECT_EQ(wall, !is_free(x, y)) << x << " " << y;
    }
  }
}

// straight moves are those of the table: a square per action, and none through a wall
TEST(PointMaze, MovesAsItsTable) {
  const auto world = load_body("point-maze", {{"world.T", "60", "test"}});
  const auto episode = world->make_episodes(/*B=*/1, /*threads=*/1);
  const auto viewer = world->make_viewer();
  int x = 0, y = 0, walls = 0;
  for (int t = 0; t < 30; ++t) {
    // a push and a pause, in which it comes to rest; the way is random
    const int way =
        static_cast<int>(4 * uniform({.seed = 7, .step = static_cast<std::uint32_t>(t)}));
    const int dx = way == 0 ? 1 : way == 1 ? -1 : 0, dy = way == 2 ? 1 : way == 3 ? -1 : 0;
    episode->step(std::vector<int>{1 + dx, 1 + dy});
    episode->step(std::vector<int>{1, 1});
    const bool open = is_free(x + dx, y + dy);
    walls += !open;
    if (open) x += dx, y += dy;
    const Displacement at = displacement_of(*world, *viewer, episode->state(0));
    EXPECT_EQ(cell_of(world->spec(), at), (StateCell{x, y})) << t;
  }
  EXPECT_GT(walls, 3);
}

// all 729 sequences of three actions end in the squares that three moves of a king lead to
TEST(PointMaze, EndsInTheSquaresOfItsTable) {
  std::set<StateCell> squares = {{0, 0}}, ends;
  for (int move = 0; move < 3; ++move) {
    for (const StateCell& from : std::set(squares)) {
      for (int way = 0; way < 9; ++way) {
        const StateCell to = {from[0] + way % 3 - 1, from[1] + way / 3 - 1};
        if (is_free(to[0], to[1])) squares.insert(to);
      }
    }
  }
  const auto world = load_body("point-maze", {{"world.T", "3", "test"}});
  std::vector<int> levels(6);
  for (int sequence = 0; sequence < 729; ++sequence) {
    for (int i = 0, rest = sequence; i < 6; ++i, rest /= 3) levels[i] = rest % 3;
    ends.insert(world->final_cells(levels)[0].cell);
  }
  EXPECT_EQ(squares.size(), 27u);
  EXPECT_EQ(ends, squares);
}

TEST(PointMaze, ReachesNoSquareThatItsMapDoesNotHave) {
  const auto world = load_body("point-maze");
  const Survey survey = random_survey(*world, 1, 300, 2);
  EXPECT_GT(survey.cells().size(), 40u);
  for (const auto& [cell, options] : survey.cells()) EXPECT_TRUE(is_free(cell[0], cell[1]));
}

}  // namespace
}  // namespace vic
