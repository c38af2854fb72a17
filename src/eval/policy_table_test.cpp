#include "eval/policy_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "eval/evaluate.h"
#include "info/entropy.h"
#include "oracle/open_loop.h"
#include "support/named_world.h"

namespace vic {
namespace {

TrainSettings table_settings(const char* algorithm) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.skills = 5;
  settings.warm_up = 50;
  settings.hidden = 16;
  return settings;
}

EvalSettings exactly() {
  EvalSettings settings;
  settings.options = 1000;
  settings.reach = 0;
  return settings;
}

// p(s_f) of an option that has come this far, one history at a time
void walk(std::vector<double>& p_f, const Agent& agent, const Histories& chain, int skill,
          double p) {
  const TabularWorld& world = agent.table();
  const int row = chain.rows() - 1, s = chain.state[row];
  if (chain.levels() >= world.T_max || world.absorbing[s]) {
    p_f[s] += p;
    return;
  }
  HistoryInputs<float> inputs;
  inputs.append(chain, 0, agent.encoding, *agent.codes);
  ModelWorkspace work;
  agent.pi_p().net().encode(work.net, {chain.first, chain.parent}, inputs.view());
  const auto answer =
      agent.pi_p().probabilities(work, {.row = {row}, .action = {}, .goal = {skill}}, *agent.codes);
  std::vector<double> pi(world.A + 1);
  for (int a = 0; a <= world.A; ++a) pi[a] = double(answer(0, a));
  p_f[s] += p * pi[world.A];
  for (int a = 0; a < world.A; ++a) {
    for (int e = world.first[s * world.A + a]; e < world.first[s * world.A + a + 1]; ++e) {
      Histories next = chain;
      next.add(row, a, world.next[e]);
      next.close_level();
      walk(p_f, agent, next, skill, p * pi[a] * world.p[e]);
    }
  }
}

TEST(PolicyTable, TheInformationOfExplicitSkillsIsThatOfTheirFinalStates) {
  const TabularWorld world = world_named("line-noisy");
  Learner learner(make_agent(&world, table_settings("explicit")));
  for (int i = 0; i < 400; ++i) learner.update();
  std::vector<double> all(world.S, 0);
  double conditional = 0;
  for (int skill = 0; skill < 5; ++skill) {
    std::vector<double> p_f(world.S, 0);
    Histories start;
    start.begin(world.s_0);
    walk(p_f, learner.agent(), start, skill, 1);
    conditional += entropy(p_f) / 5;
    for (int s = 0; s < world.S; ++s) all[s] += p_f[s] / 5;
  }
  const Evaluation evaluation = evaluate(learner, exactly());
  ASSERT_TRUE(evaluation.exact);
  EXPECT_NEAR(evaluation.H, entropy(all), 1e-6);
  EXPECT_NEAR(*evaluation.I, entropy(all) - conditional, 1e-6);
  EXPECT_GT(*evaluation.I, 0.05) << "skills that do nothing show nothing";
  // the skill cannot control more than the decisions that carry it out
  EXPECT_LE(*evaluation.I, *evaluation.D + 1e-9);
  EXPECT_NEAR(*evaluation.D + *evaluation.N, evaluation.H, 1e-9);
}

TEST(PolicyTable, AnOpenLoopKnowsNoMoreThanItsCapacity) {
  for (const char* name : {"line-noisy", "tree-noisy"}) {
    const TabularWorld world = world_named(name);
    Learner learner(make_agent(&world, table_settings("open-loop")));
    for (int i = 0; i < 1500; ++i) learner.update();
    const Evaluation evaluation = evaluate(learner, exactly());
    const double capacity =
        open_loop_capacity(world, {.gap = 1e-6, .work = 1e9, .sequences = 1e5})->value;
    EXPECT_LE(*evaluation.I, capacity + 1e-6) << name;
    EXPECT_GT(*evaluation.I, 0.8 * capacity) << name;
    EXPECT_LT(*evaluation.I, evaluation.H) << "chance is not chosen in advance";
  }
}

TEST(PolicyTable, WithoutChanceTheSequenceOfActionsIsTheOption) {
  const TabularWorld world = world_named("tree");
  Learner learner(make_agent(&world, table_settings("open-loop")));
  for (int i = 0; i < 200; ++i) learner.update();
  const Evaluation evaluation = evaluate(learner, exactly());
  EXPECT_NEAR(*evaluation.I, evaluation.H, 1e-9);
}

// the actions of an open loop cannot depend on where it is
TEST(PolicyTable, AnOpenLoopIsBlind) {
  const TabularWorld world = world_named("line-noisy");
  Learner learner(make_agent(&world, table_settings("open-loop")));
  for (int i = 0; i < 200; ++i) learner.update();
  const HistoryTree tree = *enumerate_tree(world, 100000);
  const Histories& histories = tree.histories;
  const Policy policy = tabulate(learner.agent(), tree).policy;
  const int begin = histories.first[1], end = histories.first[2];
  int compared = 0;
  for (int r = begin + 1; r < end; ++r) {
    if (histories.action[r] != histories.action[r - 1]) continue;
    ASSERT_NE(histories.state[r], histories.state[r - 1]);
    for (int a = 0; a <= world.A; ++a) {
      EXPECT_EQ(policy[1][(r - begin) * (world.A + 1) + a],
                policy[1][(r - 1 - begin) * (world.A + 1) + a]);
    }
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace vic
