#include "sim/survey.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sim/mujoco/physics_episode.h"
#include "sim/mujoco/physics_registry.h"

namespace vic {
namespace {

PhysicsWorld cheetah() {
  Overrides none;
  return load_physics_world("half-cheetah", none);
}

TEST(Survey, CountsWhatOptionsDid) {
  Survey survey;
  survey.add({.distance = 1, .height = 2, .cell = {2, 0}, .name = "crawls forward"});
  survey.add({.distance = -3, .height = 1, .cell = {-6, 1}, .name = "1 forward flip"});
  survey.add({.distance = -1, .height = 1, .cell = {-6, 1}, .name = "1 forward flip"});
  survey.add_failure("first");
  survey.add_failure("second");
  EXPECT_EQ(survey.options(), 3);
  EXPECT_EQ(survey.failures(), 2);
  EXPECT_EQ(survey.first_failure(), "first");
  EXPECT_NEAR(survey.distance_mean(), -1, 1e-12);
  EXPECT_NEAR(survey.distance_spread(), std::sqrt(8.0 / 3), 1e-12);
  EXPECT_EQ(survey.distance_min(), -3);
  EXPECT_EQ(survey.distance_max(), 1);
  EXPECT_EQ(survey.height_max(), 2);
  EXPECT_EQ(survey.cell_counts(), (std::vector<long>{2, 1}));
  EXPECT_EQ(survey.names().front(), (std::pair<std::string, long>{"1 forward flip", 2}));
}

TEST(Survey, CountsFlipsOfEitherDirection) {
  Survey survey;
  EXPECT_EQ(survey.forward_flips(), 0);
  Behaviour behaviour;
  for (int flips : {0, 1, 2, -1, -1, -3, 0, 0}) {
    behaviour.flips = flips;
    survey.add(behaviour);
  }
  EXPECT_EQ(survey.forward_flips(), 2.0 / 8);
  EXPECT_EQ(survey.backflips(), 3.0 / 8);
  EXPECT_EQ(survey.two_turns(), 2.0 / 8);
  EXPECT_EQ(survey.most_forward_flips(), 2);
  EXPECT_EQ(survey.most_backflips(), 3);
}

TEST(Survey, OfRandomOptionsIsTheSameOnAnyNumberOfThreads) {
  const PhysicsWorld world = cheetah();
  const Survey one = random_survey(world, 1, 230, 1), three = random_survey(world, 1, 230, 3);
  EXPECT_EQ(one.options(), 230);
  EXPECT_EQ(one.failures(), 0);
  EXPECT_EQ(one.cells(), three.cells());
  EXPECT_EQ(one.distance_mean(), three.distance_mean());
  EXPECT_EQ(one.names(), three.names());
  EXPECT_NE(random_survey(world, 2, 230, 1).distance_mean(), one.distance_mean());
  // option b is the same alone
  PhysicsBody body(world);
  Survey alone;
  for (int b = 0; b < 230; ++b) {
    alone.add(behaviour_of(world, body, random_option(world, 1, b)));
  }
  EXPECT_EQ(alone.cells(), one.cells());
}

TEST(Survey, CountsOptionsThatExplode) {
  const PhysicsWorld world = make_physics_world(
      "bomb",
      "<mujoco><worldbody><body><joint name='a' type='slide' axis='1 0 0'/><geom size='0.1' "
      "mass='1e-3'/></body></worldbody><actuator><motor joint='a' gear='1e12' ctrllimited='true' "
      "ctrlrange='-1 1'/></actuator></mujoco>",
      {.levels = 3, .T = 1});
  const Survey survey = random_survey(world, 1, 99, 2);
  EXPECT_EQ(survey.options() + survey.failures(), 99);
  // the motor is at rest in a third of them
  EXPECT_GT(survey.options(), 15);
  EXPECT_GT(survey.failures(), 45);
  EXPECT_NE(survey.first_failure().find("BADQACC"), std::string::npos);
}

}  // namespace
}  // namespace vic
