#include "sim/survey.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/cheetah.h"

namespace vic {
namespace {

TEST(Survey, CountsWhatOptionsDid) {
  Survey survey;
  Behaviour one{.displacement = {1, 0}, .height = 2, .cell = {2, 0}, .name = "crawls forward"};
  Behaviour other{
      .displacement = {-3, 1.25}, .height = 1, .cell = {-6, 1}, .name = "1 forward flip"};
  other.kind = 2;
  other.kind_name = "1 forward flip";
  survey.add(one);
  survey.add(other);
  other.displacement[0] = -1;
  survey.add(other);
  survey.add_failure("first");
  survey.add_failure("second");
  EXPECT_EQ(survey.options(), 3);
  EXPECT_EQ(survey.failures(), 2);
  EXPECT_EQ(survey.first_failure(), "first");
  const CoordinateSummary distance = survey.coordinate(0), turns = survey.coordinate(1);
  EXPECT_NEAR(distance.mean, -1, 1e-12);
  EXPECT_NEAR(distance.spread, std::sqrt(8.0 / 3), 1e-12);
  EXPECT_EQ(distance.min, -3);
  EXPECT_EQ(distance.max, 1);
  EXPECT_NEAR(turns.mean, 2.5 / 3, 1e-12);
  EXPECT_EQ(turns.max, 1.25);
  EXPECT_EQ(survey.height_max(), 2);
  EXPECT_EQ(survey.cell_counts(), (std::vector<long>{2, 1}));
  EXPECT_EQ(survey.behaviours().front(),
            (BehaviourCount{"1 forward flip", 2, "1 forward flip", 2}));
}

TEST(Survey, StopsOnRequest) {
  StopRequest request;
  request.wanted = true;
  for (int threads : {1, 2}) {
    EXPECT_THROW(random_survey(*cheetah(), 1, 1000, threads, Stop(request)), Interrupted);
  }
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
  const SimulatorPtr world = cheetah();
  const Survey one = random_survey(*world, 1, 130, 1), three = random_survey(*world, 1, 130, 3);
  EXPECT_EQ(one.options(), 130);
  EXPECT_EQ(one.failures(), 0);
  EXPECT_EQ(one.cells(), three.cells());
  EXPECT_EQ(one.coordinate(0).mean, three.coordinate(0).mean);
  EXPECT_EQ(one.behaviours(), three.behaviours());
  EXPECT_NE(random_survey(*world, 2, 130, 1).coordinate(0).mean, one.coordinate(0).mean);
  // option b is the same alone
  const auto viewer = world->make_viewer();
  Survey alone;
  for (int b = 0; b < 130; ++b) {
    alone.add(behaviour_of(*world, *viewer, random_option(*world, 1, b)));
  }
  EXPECT_EQ(alone.cells(), one.cells());
}

TEST(Survey, CountsOptionsThatExplode) {
  const MujocoWorld world(make_mujoco_model(
      "bomb",
      "<mujoco><worldbody><body><joint name='a' type='slide' axis='1 0 0'/><geom size='0.1' "
      "mass='1e-3'/></body></worldbody><actuator><motor joint='a' gear='1e12' ctrllimited='true' "
      "ctrlrange='-1 1'/></actuator></mujoco>",
      {.levels = 3, .T = 1}));
  const Survey survey = random_survey(world, 1, 99, 2);
  EXPECT_EQ(survey.options() + survey.failures(), 99);
  // the actuator is at rest in a third of them
  EXPECT_GT(survey.options(), 15);
  EXPECT_GT(survey.failures(), 45);
  EXPECT_NE(survey.first_failure().find("BADQACC"), std::string::npos);
}

}  // namespace
}  // namespace vic
