#include "eval/reach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "support/named_world.h"
#include "support/options.h"

namespace vic {
namespace {

TrainSettings reach_settings(const char* algorithm) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.warm_up = 100;
  settings.hidden = 16;
  return settings;
}

// P(an option that has come this far ends in the goal), one history at a time: no trees, no tables
double walk(const Agent& agent, const Histories& chain, int goal, double temperature) {
  const TabularWorld& world = agent.table();
  const int row = chain.rows() - 1, s = chain.state[row];
  const double here = s == goal ? 1 : 0;
  if (chain.levels() >= world.T_max || world.absorbing[s]) return here;
  HistoryInputs<float> inputs;
  inputs.append(chain, 0, agent.encoding, *agent.codes);
  const Actor policy = *goal_policy_of(agent);
  ActorWorkspace work;
  const QueryContext context{chain, inputs.view(), {chain.first, chain.parent}, *agent.codes};
  policy.encode(work, context);
  const auto p = policy.probabilities(work, {.row = {row}, .action = {}, .goal = {goal}}, context);
  std::vector<double> pi(world.A + 1);
  for (int a = 0; a <= world.A; ++a) pi[a] = std::pow(double(p(0, a)), 1 / temperature);
  double sum = 0;
  for (double x : pi) sum += x;
  double success = pi[world.A] / sum * here;
  for (int a = 0; a < world.A; ++a) {
    for (int e = world.first[s * world.A + a]; e < world.first[s * world.A + a + 1]; ++e) {
      Histories next = chain;
      next.add(row, a, world.next[e]);
      next.close_level();
      success += pi[a] / sum * world.p[e] * walk(agent, next, goal, temperature);
    }
  }
  return success;
}

TEST(Reach, ExactSuccessIsThatOfWalkingEveryHistory) {
  for (const char* name : {"line-noisy", "tree-noisy"}) {
    const TabularWorld world = world_named(name);
    Learner learner(make_agent(&world, reach_settings("implicit")));
    for (int i = 0; i < 300; ++i) learner.update();
    for (const double temperature : {1.0, 0.5}) {
      const Reach reach = reach_all(learner.agent(), {.temperature = temperature});
      ASSERT_TRUE(reach.exact);
      for (const std::size_t i : {std::size_t{0}, reach.goals.size() - 2}) {
        Histories start;
        start.begin(world.s_0);
        EXPECT_NEAR(reach.success[i], walk(learner.agent(), start, reach.goals[i], temperature),
                    1e-6);
        EXPECT_GT(reach.success[i], 0.001) << "a test of zeros shows nothing";
      }
    }
  }
}

TEST(Reach, WhatIsDrawnLiesInItsIntervalsAsOftenAsTheySay) {
  const TabularWorld world = world_named("grid-noisy");
  Learner learner(make_agent(&world, reach_settings("implicit")));
  for (int i = 0; i < 200; ++i) learner.update();
  const Reach exact = reach_all(learner.agent(), {});
  const Reach drawn = reach_all(learner.agent(), {.histories = 0, .options = 500});
  ASSERT_TRUE(exact.exact);
  ASSERT_FALSE(drawn.exact);
  int held = 0;
  for (std::size_t i = 0; i < exact.goals.size(); ++i) {
    held += drawn.low[i] <= exact.success[i] && exact.success[i] <= drawn.high[i];
    EXPECT_LE(drawn.low[i], drawn.success[i]);
    EXPECT_GE(drawn.high[i], drawn.success[i]);
  }
  // binomial with p = 0.95 for 41 goals: four standard deviations below its mean
  EXPECT_GE(held, 34);
  EXPECT_NEAR(drawn.mean(), exact.mean(), 0.02);
}

TEST(Reach, NoPolicyBeatsTheBest) {
  const TabularWorld world = world_named("tree-noisy");
  Learner learner(make_agent(&world, reach_settings("implicit")));
  for (int i = 0; i < 300; ++i) learner.update();
  for (const double temperature : {0.0, 0.3, 1.0}) {
    const Reach reach = reach_all(learner.agent(), {.temperature = temperature});
    for (std::size_t i = 0; i < reach.goals.size(); ++i) {
      EXPECT_LE(reach.success[i], reach.best[i] + 1e-12);
    }
  }
}

// after fine-tuning the likeliest actions are the best ones
TEST(Reach, FineTuningEndsAtTheDynamicProgramme) {
  const TabularWorld world = world_named("line-noisy");
  TrainSettings settings = reach_settings("implicit");
  settings.hidden = 64;
  settings.warm_up = 1000;
  Learner learner(make_agent(&world, settings));
  for (int i = 0; i < 3000; ++i) learner.update();
  const double before = reach_all(learner.agent(), {}).mean();
  fine_tune(learner, {.fine_tune = 1000});
  const Reach after = reach_all(learner.agent(), {}),
              greedy = reach_all(learner.agent(), {.temperature = 0});
  EXPECT_GT(after.mean(), before + 0.05);
  EXPECT_NEAR(greedy.mean(), greedy.best_mean(), 1e-9);
}

TEST(Reach, AnAttemptIsAWayThroughTheWorld) {
  const TabularWorld world = world_named("grid");
  Learner learner(make_agent(&world, reach_settings("implicit")));
  for (int i = 0; i < 300; ++i) learner.update();
  int reached = 0;
  for (int k = 0; k < 50; ++k) {
    const Attempt one = attempt(learner.agent(), world.s_0 + 1, {}, k);
    ASSERT_EQ(one.states.size(), one.actions.size() + 1);
    EXPECT_EQ(one.states[0], world.s_0);
    for (std::size_t i = 0; i < one.actions.size(); ++i) {
      EXPECT_EQ(one.states[i + 1],
                world.next[world.first[one.states[i] * world.A + one.actions[i]]]);
    }
    reached += one.reached;
    EXPECT_EQ(one.reached, one.states.back() == world.s_0 + 1);
  }
  EXPECT_GT(reached, 0);
  EXPECT_LT(reached, 50);
}

TEST(Reach, MeansAreOverItsGoals) {
  Reach reach;
  reach.success = {0.25, 0.5, 0};
  reach.best = {0.5, 1, 0.75};
  EXPECT_DOUBLE_EQ(reach.mean(), 0.25);
  EXPECT_DOUBLE_EQ(reach.best_mean(), 0.75);
}

std::string refusal(const TabularWorld& world, const char* goal) {
  try {
    find_goal(world, goal);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Reach, WrongGoalsHaveSentencesOfTheirOwn) {
  const TabularWorld world = started_at(world_named("four-rooms"), "4,4");
  EXPECT_EQ(refusal(world, "(5, 6)"), "accepted");
  EXPECT_EQ(refusal(world, "12,3"),
            "The goal 12,3 is a wall of four-rooms; a goal is a state of the world.");
  EXPECT_EQ(refusal(world, "25,3"),
            "The goal 25,3 is outside the map of four-rooms; a goal is a state of the world.");
  EXPECT_EQ(
      refusal(world, "24,24"),
      "The goal 24,24 is out of reach from 4,4 in four-rooms: it takes 40 moves at least, and "
      "an option has 24.");
  EXPECT_NE(refusal(world, "home").find("no state 'home'"), std::string::npos);
  // a map whose last state is its lowest
  WorldBuilder stairs("stairs", {"down"}, 3);
  stairs.add_state("top", {0, 1});
  stairs.add_state("foot", {1, -1});
  stairs.set_outcomes(0, 0, std::vector{Outcome{1, 1.0}});
  stairs.set_absorbing(1);
  EXPECT_EQ(refusal(stairs.build(0), "0.5,-1"),
            "The goal 0.5,-1 lies between the states of stairs; the closest is foot.");
  Learner learner(make_agent(&world, reach_settings("marginal")));
  EXPECT_THROW(require_goal_policy(learner.agent()), UsageError);
  Learner explicit_skills(make_agent(&world, reach_settings("explicit")));
  EXPECT_THROW(fine_tune(explicit_skills, {.fine_tune = 1}), UsageError);
}

}  // namespace
}  // namespace vic
