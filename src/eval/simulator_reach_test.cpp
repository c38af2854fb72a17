#include "eval/simulator_reach.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <span>

#include "base/error.h"
#include "eval/evaluate.h"
#include "sim/world.h"

namespace vic {
namespace {

// a learner, and the world that must outlive it
struct Trained {
  SimulatorPtr world;
  std::unique_ptr<Learner> learner;

  const SimulatorSpec& spec() const { return world->spec(); }
};

Trained trained(const std::string& algorithm, int updates,
                const std::string& hindsight = "residual", const std::string& goal = "cell",
                const std::string& batch = "32") {
  Overrides overrides({{"world.T", "20", "test"},
                       {"world.pitch_bin", "0.25", "test"},
                       {"world.goal", goal, "test"},
                       {"train.algorithm", algorithm, "test"},
                       {"train.hindsight", hindsight, "test"},
                       {"train.sticky_action_logit", "2", "test"},
                       {"train.learning_rate", "5e-3", "test"},
                       {"train.batch", batch, "test"},
                       {"train.hidden", "16", "test"},
                       {"train.warm_up", "50", "test"}});
  TrainSettings settings;
  overrides.apply("train", settings);
  Trained run;
  run.world = load_simulator(std::string(VIC_SOURCE_DIR) + "/examples/pendulum.xml", overrides);
  run.learner = std::make_unique<Learner>(make_agent(run.world.get(), settings));
  for (int u = 0; u < updates; ++u) run.learner->update();
  return run;
}

SimulatorSpec cheetah(const std::string& pitch_bin = "0") {
  Overrides overrides({{"world.pitch_bin", pitch_bin, "test"}});
  return load_simulator("half-cheetah", overrides)->spec();
}

std::string message(const std::string& goal) {
  try {
    parse_point_goal(cheetah(), goal);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(PointGoal, IsANumberForEachCoordinateOrForSome) {
  const SimulatorSpec spec = cheetah();
  EXPECT_EQ(parse_point_goal(spec, "distance=-2.5"), (PointGoal{-2.5, std::nullopt}));
  EXPECT_EQ(parse_point_goal(spec, "turns=1"), (PointGoal{std::nullopt, 1.0}));
  EXPECT_EQ(parse_point_goal(spec, "turns=-1,distance=3"), (PointGoal{3.0, -1.0}));
  for (const char* wrong : {"3", "x=3", "distance", "distance=", "distance=3m", "distance=nan",
                            "distance=3,", ",", "=", "distance=3,4"}) {
    EXPECT_NE(message(wrong).find("is not a point of half-cheetah: give one or more of its "
                                  "coordinates, measured from the start, as in distance=3; they "
                                  "are distance (m), turns."),
              std::string::npos)
        << wrong;
  }
  EXPECT_EQ(message("turns=1,turns=2"), "The goal 'turns=1,turns=2' gives turns twice.");
}

TEST(PointGoal, IsReachedWithinHalfABin) {
  const auto none = std::nullopt;
  const SimulatorSpec spec = cheetah(), quarters = cheetah("0.25");
  EXPECT_TRUE(is_close(spec, {3.0, none}, {3.25, 9}));
  EXPECT_FALSE(is_close(spec, {3.0, none}, {3.26, 0}));
  EXPECT_TRUE(is_close(quarters, {none, -1.0}, {7, -0.875}));
  EXPECT_FALSE(is_close(quarters, {none, -1.0}, {7, -0.87}));
  EXPECT_FALSE(is_close(quarters, {3.0, -1.0}, {3.3, -1}));
  // full turns are those of a cell: lying on the back counts as none
  EXPECT_FALSE(is_close(spec, {none, -1.0}, {7, -0.55}));
  EXPECT_TRUE(is_close(spec, {none, -1.0}, {7, -1.6}));
  EXPECT_TRUE(is_close(spec, {none, 0.0}, {7, -0.55}));
}

// learned options of a pendulum reach their goals; by chance a third would
TEST(SimulatorReach, OptionsEndWhereTheyAreSent) {
  const Trained run = trained("implicit", 120);
  const ReachSettings settings;
  const Unconditioned free = sample_unconditioned(run.learner->agent(), settings);
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

  // conditioned on the ends of the agent's own options, each cell is a goal as often as they end
  // there
  const OwnReach own = reach_own(run.learner->agent(), free.options, settings);
  EXPECT_NEAR(own.success.share, own_success, 4 * std::sqrt(0.25 / 1024 + 0.25 / 128));
  EXPECT_NEAR(own.chance, own_chance, 0.002);

  // where actions are not drawn, each of them ends as it does alone
  const std::span few(free.options.data(), 12);
  double alone = 0;
  for (const auto& option : few) {
    alone += reach_own(run.learner->agent(), {option}, {.temperature = 0}).success.share;
  }
  EXPECT_GT(alone, 0);
  EXPECT_DOUBLE_EQ(
      reach_own(run.learner->agent(), {few.begin(), few.end()}, {.temperature = 0}).success.share,
      alone / 12);

  // a point in a cell is as good as the cell
  const CellReach::Goal& last = cells.goals.back();
  const auto& coordinates = run.spec().coordinates;
  const PointGoal point{coordinates[0].method_bins().centre(last.cell[0]),
                        coordinates[1].method_bins().centre(last.cell[1])};
  const PointReach reach = reach_point(run.learner->agent(), free, point, settings);
  ASSERT_TRUE(reach.conditioned);
  EXPECT_EQ(reach.conditioned->ends.size(), 128U);
  EXPECT_NEAR(reach.success.share, last.success.share, 0.05);
  EXPECT_NEAR(reach.chance, last.chance, 0.05);
  EXPECT_LT(reach.error[0], 0.25);
  EXPECT_TRUE(is_close(run.spec(), point, free.ends[reach.closest]));

  // the likeliest actions are always the same
  const PointReach greedy = reach_point(run.learner->agent(), free, point, {.temperature = 0});
  EXPECT_EQ(greedy.conditioned->ends.size(), 1U);
  EXPECT_EQ(greedy.success.in.low, greedy.success.in.high);
}

// with its likeliest actions a skill always does the same: what it did once can be commanded
TEST(SimulatorReach, SkillsThatRepeatThemselvesAreSentToWhereTheyEnded) {
  const Trained run = trained("explicit", 20, "residual", "cell", "64");
  const Agent& agent = run.learner->agent();
  const ReachSettings likeliest{.temperature = 0};
  const Unconditioned skills = sample_unconditioned(agent, likeliest);
  ASSERT_TRUE(skills.of_skills);
  ASSERT_EQ(skills.ends.size(), 16U);
  const CellReach cells = reach_cells(agent, skills, likeliest);
  ASSERT_GE(cells.goals.size(), 3U);
  EXPECT_EQ(cells.mean(), 1);
  for (const Displacement& end : skills.ends) {
    const PointGoal point(end.begin(), end.end());
    const PointReach reach = reach_point(agent, skills, point, likeliest);
    EXPECT_EQ(reach.success.share, 1);
  }
  // drawn actions differ each time, and q must choose
  const Unconditioned drawn = sample_unconditioned(agent, {.survey = 200});
  EXPECT_FALSE(drawn.of_skills);
  EXPECT_EQ(drawn.ends.size(), 200U);
  EXPECT_LT(reach_cells(agent, drawn, {.simulated_options = 16}).mean(), 0.9);
}

// a goal is assigned to the skill that q finds likeliest to end there
TEST(SimulatorReach, SkillsAreSentToo) {
  const Trained run = trained("explicit", 120, "residual", "cell", "64");
  const Agent& agent = run.learner->agent();
  const Unconditioned free = sample_unconditioned(agent, {});
  const OwnReach own = reach_own(agent, free.options, {});
  EXPECT_GT(own.success.share, own.chance + 0.1);
  EXPECT_THROW(fine_tune(*run.learner, free, {.fine_tune = 1}), UsageError);
}

// actions decide everything in a world without chance, whatever the policy is conditioned on
TEST(SimulatorReach, ReplayedActionsEndWhereTheyDidBefore) {
  for (const char* algorithm : {"marginal", "implicit", "explicit", "diayn", "counted-skills"}) {
    const Trained run = trained(algorithm, 1, "residual", "cell");
    const ReachSettings settings{.simulated_options = 2, .survey = 40, .replay = true};
    const Unconditioned free = sample_unconditioned(run.learner->agent(), settings);
    EXPECT_EQ(reach_cells(run.learner->agent(), free, settings).mean(), 1) << algorithm;
  }
}

// where the world draws too, the likeliest actions do not always lead to the same end
TEST(SimulatorReach, LikeliestActionsAreMeasuredByManyOptionsWhereTheWorldDraws) {
  Overrides overrides({{"world.T", "20", "test"}, {"world.reset_noise", "0.1", "test"}});
  const SimulatorPtr world =
      load_simulator(std::string(VIC_SOURCE_DIR) + "/examples/pendulum.xml", overrides);
  TrainSettings small;
  small.algorithm = "implicit";
  small.hidden = 8;
  const Agent agent = make_agent(world.get(), small);
  const ReachSettings settings{.temperature = 0, .simulated_options = 40, .survey = 40};
  const Unconditioned free = sample_unconditioned(agent, settings);
  const PointReach reach =
      reach_point(agent, free, parse_point_goal(world->spec(), "turns=0"), settings);
  const std::vector<Displacement>& ends = reach.conditioned->ends;
  ASSERT_EQ(ends.size(), 40U);
  EXPECT_NE(ends[0], ends[1]);
  EXPECT_LT(reach.success.in.low, reach.success.in.high);
}

// fine-tuning raises the share of options that reach the cells, and pi_p stays as it is
TEST(SimulatorReach, FineTuningHelps) {
  for (const char* hindsight : {"separate", "residual"}) {
    const Trained run = trained("implicit", 60, hindsight);
    const Unconditioned free = sample_unconditioned(run.learner->agent(), {.survey = 256});
    const double before = reach_cells(run.learner->agent(), free, {}).mean();
    const auto pi_p = run.learner->agent().pi_p().net().parameters().values;
    fine_tune(*run.learner, free, {.fine_tune = 60, .fine_tune_rate = 5e-3});
    EXPECT_GT(reach_cells(run.learner->agent(), free, {}).mean(), before + 0.1) << hindsight;
    EXPECT_EQ(run.learner->agent().pi_p().net().parameters().values, pi_p) << hindsight;
  }
}

TEST(SimulatorReach, RingsAreMeansByDistance) {
  SimulatorSpec spec;
  spec.falls = true;
  spec.coordinates = {{.name = "x", .unit = "m", .bins = {.width = 0.5}},
                      {.name = "y", .unit = "m", .bins = {.width = 0.5}},
                      {.name = "fallen", .unit = "", .limit = 1}};
  // 0 m, 5 m (3, 4), 6 m, and a fall, which is nowhere
  const CellReach reach{{{{0, 0, 0}, 0.5, {1, {}}},
                         {{6, 8, 0}, 0.1, {0.5, {}}},
                         {{0, -12, 0}, 0.2, {0.25, {}}},
                         {{0, 0, 1}, 0.2, {1, {}}}}};
  const std::vector<RingReach> rings = rings_of(spec, reach);
  ASSERT_EQ(rings.size(), 3U);
  const double from[] = {0, 5, 6}, success[] = {1, 0.5, 0.25}, chance[] = {0.5, 0.1, 0.2};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(rings[i].from, from[i]);
    EXPECT_DOUBLE_EQ(rings[i].to, from[i] + 1);
    EXPECT_EQ(rings[i].goals, 1);
    EXPECT_EQ(rings[i].success, success[i]);
    EXPECT_EQ(rings[i].chance, chance[i]);
  }
}

TEST(SimulatorReach, GoalsMayBeNumbersOfAStateAndPoliciesBlind) {
  for (const char* goal : {"all", "cell"}) {
    const Trained run = trained("open-loop", 2, "separate", goal);
    const Unconditioned free = sample_unconditioned(run.learner->agent(), {});
    const OwnReach own = reach_own(run.learner->agent(), free.options, {});
    // a cell is a goal as often as options end there, and by chance it is reached as often
    double chance = 0, success = 0;
    for (const CellReach::Goal& cell : reach_cells(run.learner->agent(), free, {}).goals) {
      chance += cell.chance * cell.chance;
      success += cell.chance * cell.success.share;
    }
    EXPECT_NEAR(own.chance, chance, 0.002) << goal;
    EXPECT_NEAR(own.success.share, success, 4 * std::sqrt(0.25 / 1024 + 0.25 / 128)) << goal;
  }
}

// where ends of several cells are close enough: replayed, the option that is meant ends where it
// did
TEST(SimulatorReach, APointMeansTheCellOfMostOptionsThatEndCloseToIt) {
  const Trained run = trained("marginal", 1);
  const ReachSettings settings{.temperature = 0, .survey = 200, .replay = true};
  const Unconditioned free = sample_unconditioned(run.learner->agent(), settings);
  const auto cell_of = [&](const Displacement& end) { return method_cell_of(run.spec(), end); };
  int elsewhere = 0;  // goals whose closest end is in another cell
  for (double turns = -0.4; turns < 0.4; turns += 0.03) {
    const PointGoal goal{std::nullopt, turns};
    std::map<StateCell, int> close;
    for (const Displacement& end : free.ends) {
      if (is_close(run.spec(), goal, end)) ++close[cell_of(end)];
    }
    if (close.empty()) continue;
    auto most = close.begin();
    for (auto cell = close.begin(); cell != close.end(); ++cell) {
      if (cell->second > most->second) most = cell;
    }
    // of this cell the closest end
    double meant = 100;
    for (const Displacement& end : free.ends) {
      if (cell_of(end) == most->first && std::abs(end[1] - turns) < std::abs(meant - turns)) {
        meant = end[1];
      }
    }
    const PointReach reach = reach_point(run.learner->agent(), free, goal, settings);
    ASSERT_EQ(reach.conditioned->ends.size(), 1U);
    EXPECT_NEAR(reach.conditioned->ends[0][1], meant, 1e-12) << turns;
    elsewhere += cell_of(free.ends[reach.closest]) != most->first;
  }
  EXPECT_GT(elsewhere, 0);
}

TEST(SimulatorReach, IsTheSameAgainAndWithoutAGoalPolicyTheClosest) {
  const Trained run = trained("marginal", 3);
  const Unconditioned free = sample_unconditioned(run.learner->agent(), {});
  const Unconditioned again = sample_unconditioned(run.learner->agent(), {});
  EXPECT_EQ(free.options, again.options);
  const PointGoal far{100.0, std::nullopt};
  const PointReach reach = reach_point(run.learner->agent(), free, far, {});
  EXPECT_FALSE(reach.conditioned);
  EXPECT_EQ(reach.chance, 0);
  for (const Displacement& end : free.ends) EXPECT_LE(end[0], free.ends[reach.closest][0]);
  EXPECT_THROW(reach_cells(run.learner->agent(), free, {}), UsageError);
  EXPECT_THROW(fine_tune(*run.learner, free, {.fine_tune = 1}), UsageError);
}

}  // namespace
}  // namespace vic
