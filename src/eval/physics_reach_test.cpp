#include "eval/physics_reach.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "base/error.h"
#include "eval/evaluate.h"
#include "sim/mujoco/physics_registry.h"

namespace vic {
namespace {

// a learner with its world
struct Trained {
  std::unique_ptr<PhysicsWorld> physics;
  std::unique_ptr<Learner> learner;
};

Trained trained(const std::string& algorithm, int updates,
                HindsightForm hindsight = HindsightForm::residual,
                const std::string& goal = "cell") {
  Overrides overrides({{"world.T", "20", "test"},
                       {"world.pitch_bin", "0.25", "test"},
                       {"world.goal", goal, "test"}});
  Trained run;
  run.physics = std::make_unique<PhysicsWorld>(
      load_physics_world(std::string(VIC_SOURCE_DIR) + "/examples/pendulum.xml", overrides));
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.hindsight = hindsight;
  settings.sticky_action_logit = 2;
  settings.learning_rate = 5e-3;
  settings.batch = 64;
  settings.hidden = 16;
  settings.warm_up = 50;
  run.learner = std::make_unique<Learner>(make_agent(run.physics.get(), settings));
  for (int u = 0; u < updates; ++u) run.learner->update();
  return run;
}

Unconditioned sample_free(const Trained& run, const ReachSettings& settings = {}) {
  return sample_unconditioned(run.learner->agent(), settings, EvalSettings{}.survey);
}

std::string message(const std::string& goal) {
  try {
    parse_point_goal(goal);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(PointGoal, IsADistanceOrTurnsOrBoth) {
  EXPECT_EQ(parse_point_goal("distance=-2.5").distance, -2.5);
  EXPECT_FALSE(parse_point_goal("distance=-2.5").turns);
  EXPECT_EQ(parse_point_goal("turns=1").turns, 1.0);
  const PointGoal both = parse_point_goal("turns=-1,distance=3");
  EXPECT_EQ(both.distance, 3.0);
  EXPECT_EQ(both.turns, -1.0);
  for (const char* wrong : {"3", "x=3", "distance", "distance=", "distance=3m", "distance=nan",
                            "distance=3,", ",", "=", "distance=3,4"}) {
    EXPECT_NE(message(wrong).find("is not a point that an option can end at: say distance=3"),
              std::string::npos)
        << wrong;
  }
  EXPECT_EQ(message("turns=1,turns=2"), "The goal 'turns=1,turns=2' says turns twice.");
}

TEST(PointGoal, IsReachedWithinHalfABin) {
  PhysicsWorld world;
  world.bin = 0.5;
  world.turn = 0.9;
  EXPECT_TRUE(is_close(world, {.distance = 3.0, .turns = {}}, {3.25, 9}));
  EXPECT_FALSE(is_close(world, {.distance = 3.0, .turns = {}}, {3.26, 0}));
  world.pitch_bin = 0.25;
  EXPECT_TRUE(is_close(world, {.distance = {}, .turns = -1.0}, {7, -0.875}));
  EXPECT_FALSE(is_close(world, {.distance = {}, .turns = -1.0}, {7, -0.87}));
  EXPECT_FALSE(is_close(world, {.distance = 3.0, .turns = -1.0}, {3.3, -1}));
  // full turns are those of a cell: who lies on its back has made none
  world.pitch_bin = 0;
  EXPECT_FALSE(is_close(world, {.distance = {}, .turns = -1.0}, {7, -0.55}));
  EXPECT_TRUE(is_close(world, {.distance = {}, .turns = -1.0}, {7, -1.6}));
  EXPECT_TRUE(is_close(world, {.distance = {}, .turns = 0.0}, {7, -0.55}));
}

// the learned options of a pendulum end where they are told; chance alone is a third
TEST(PhysicsReach, OptionsGoWhereTheyAreTold) {
  const Trained run = trained("implicit", 120);
  const ReachSettings settings;
  const Unconditioned free = sample_free(run, settings);
  const CellReach cells = reach_cells(run.learner->agent(), free, settings);
  double chance = 0, own_success = 0, own_chance = 0;
  for (const CellReach::Goal& goal : cells.goals) {
    chance += goal.chance;
    own_success += goal.chance * goal.success.share;
    own_chance += goal.chance * goal.chance;
    EXPECT_LE(goal.success.in.low, goal.success.share);
    EXPECT_GE(goal.success.in.high, goal.success.share);
  }
  EXPECT_NEAR(chance, 1, 1e-9);
  ASSERT_GE(cells.goals.size(), 3U);
  EXPECT_GT(cells.mean(), 0.6);

  // told where its own options ended, it is sent to each cell as often as they end there
  const OwnReach own = reach_own(run.learner->agent(), free.options, settings);
  EXPECT_NEAR(own.success.share, own_success, 4 * std::sqrt(0.25 / 1024 + 0.25 / 128));
  EXPECT_NEAR(own.chance, own_chance, 0.002);

  // a point in a cell is as good as the cell
  const CellReach::Goal& last = cells.goals.back();
  const PointGoal point{run.physics->bin * last.cell.place,
                        run.physics->turn_bin() * last.cell.turns};
  const PointReach reach = reach_point(run.learner->agent(), free, point, settings);
  ASSERT_TRUE(reach.sent);
  EXPECT_EQ(reach.sent->ways.size(), 128U);
  EXPECT_NEAR(reach.success.share, last.success.share, 0.05);
  EXPECT_NEAR(reach.chance, last.chance, 0.05);
  EXPECT_LT(reach.distance_error, 0.25);
  EXPECT_TRUE(is_close(*run.physics, point, free.ways[reach.closest]));

  // the likeliest actions are always the same
  const PointReach greedy = reach_point(run.learner->agent(), free, point, {.temperature = 0});
  EXPECT_EQ(greedy.sent->ways.size(), 1U);
  EXPECT_EQ(greedy.success.in.low, greedy.success.in.high);
}

// fine-tuning sends options to the cells until more of them arrive, and pi_p stays as it is
TEST(PhysicsReach, FineTuningHelps) {
  for (const auto hindsight : {HindsightForm::separate, HindsightForm::residual}) {
    const Trained run = trained("implicit", 60, hindsight);
    const Unconditioned free = sample_free(run);
    const double before = reach_cells(run.learner->agent(), free, {}).mean();
    const auto pi_p = run.learner->agent().pi_p().net().parameters().values;
    fine_tune(*run.learner, free, {.fine_tune = 60, .fine_tune_rate = 5e-3});
    EXPECT_GT(reach_cells(run.learner->agent(), free, {}).mean(), before + 0.1)
        << name_of(hindsight);
    EXPECT_EQ(run.learner->agent().pi_p().net().parameters().values, pi_p) << name_of(hindsight);
  }
}

TEST(PhysicsReach, GoalsMayBeNumbersOfAStateAndPoliciesBlind) {
  for (const char* goal : {"all", "cell"}) {
    const Trained run = trained("open-loop", 2, HindsightForm::separate, goal);
    const OwnReach own = reach_own(run.learner->agent(), sample_free(run).options, {});
    EXPECT_GT(own.chance, 0);
    EXPECT_LE(own.success.share, 1);
  }
}

TEST(PhysicsReach, IsTheSameAgainAndWithoutAGoalPolicyTheClosest) {
  const Trained run = trained("marginal", 3);
  const Unconditioned free = sample_free(run), again = sample_free(run);
  EXPECT_EQ(free.options, again.options);
  const PointGoal far{.distance = 100.0, .turns = {}};
  const PointReach reach = reach_point(run.learner->agent(), free, far, {});
  EXPECT_FALSE(reach.sent);
  EXPECT_EQ(reach.chance, 0);
  for (const Way& way : free.ways) EXPECT_LE(way.distance, free.ways[reach.closest].distance);
  EXPECT_THROW(reach_cells(run.learner->agent(), free, {}), UsageError);
  EXPECT_THROW(fine_tune(*run.learner, free, {.fine_tune = 1}), UsageError);
}

}  // namespace
}  // namespace vic
