// The brackets of D and N against the exact values.
#include "eval/audit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "eval/evaluate.h"
#include "support/named_world.h"

namespace vic {
namespace {

TrainSettings settings_for(const char* algorithm) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.warm_up = 50;
  return settings;
}

EvalSettings sampled(int options, int audit) {
  EvalSettings settings;
  settings.histories = 1;
  settings.options = options;
  settings.audit = audit;
  return settings;
}

void expect_in(double x, const Interval& in, double width) {
  EXPECT_GE(x, in.low);
  EXPECT_LE(x, in.high);
  EXPECT_LT(in.high - in.low, width) << "a bracket that says nothing";
}

TEST(Audit, BracketsHoldTheExactParts) {
  for (const char* name : {"line-noisy", "tree-noisy"}) {
    for (const char* algorithm : {"implicit", "transition", "mixture", "marginal"}) {
      SCOPED_TRACE(fmt::format("{} on {}", algorithm, name));
      const TabularWorld world = world_named(name);
      Learner learner(world, settings_for(algorithm));
      for (int u = 0; u < 300; ++u) learner.update();
      const Evaluation exact = evaluate(learner, {});
      const Evaluation estimate = evaluate(learner, sampled(20000, 700));
      ASSERT_TRUE(exact.exact);
      ASSERT_FALSE(exact.D_in);
      expect_in(*exact.D, *estimate.D_in, 0.2);
      expect_in(*exact.N, *estimate.N_in, 0.2);
      EXPECT_NEAR(*estimate.D + *estimate.N, estimate.H, 1e-12);
      EXPECT_NEAR(*estimate.D, *exact.D, 0.1);
    }
  }
}

TEST(Audit, WithoutChanceAllOfHIsTheAgents) {
  const TabularWorld world = world_named("grid");
  Learner learner(world, settings_for("marginal"));
  const Evaluation estimate = evaluate(learner, sampled(2000, 0));
  EXPECT_EQ(*estimate.D, estimate.H);
  EXPECT_EQ(*estimate.N, 0);
  EXPECT_EQ(estimate.N_in->high, 0);
  const Evaluation exact = evaluate(learner, {});
  EXPECT_GE(*exact.D, estimate.D_in->low);
  EXPECT_LE(*exact.D, estimate.D_in->high);
}

// Two things are to be covered: the expectations of the bounds, by their own intervals, in 95 of
// 100 samples; and D and N, by the brackets, in no fewer.
TEST(Audit, IntervalsCoverAsOftenAsTheySay) {
  const TabularWorld world = world_named("tree-noisy");
  Learner learner(world, settings_for("marginal"));
  for (int u = 0; u < 300; ++u) learner.update();
  const Evaluation exact = evaluate(learner, {});
  const auto auditor = make_auditor(learner, {.updates = 200, .seed = 3});
  constexpr int samples = 300, B = 1000;
  Rollout rollout(world, auditor->encoding());
  Batch batch;
  HistoryInputs<float> inputs;
  std::vector<Bounds> all(samples);
  Bounds together;
  for (int n = 0; n < samples; ++n) {
    rollout.draw(batch, inputs, auditor->pi_p(), B, {.seed = 77, .update = std::uint32_t(n)});
    add_bounds(all[n], *auditor, batch, inputs);
    add_bounds(together, *auditor, batch, inputs);
  }
  int D_mean = 0, N_mean = 0, D_below = 0, N_below = 0;
  for (const Bounds& bounds : all) {
    D_mean += std::abs(bounds.D.mean() - together.D.mean()) <= bounds.D.ci95();
    N_mean += std::abs(bounds.N.mean() - together.N.mean()) <= bounds.N.ci95();
    D_below += bounds.D.mean() - bounds.D.ci95() <= *exact.D;
    N_below += bounds.N.mean() - bounds.N.ci95() <= *exact.N;
  }
  // binomial with p = 0.95: three standard deviations of 300 are 11
  for (int covered : {D_mean, N_mean}) {
    EXPECT_GE(covered, 285 - 11);
    EXPECT_LE(covered, 285 + 11);
  }
  EXPECT_GE(D_below, 285);
  EXPECT_GE(N_below, 285);
  // and the bounds are no better than the truth, but close to it
  EXPECT_LT(together.D.mean() - together.D.ci95(), *exact.D);
  EXPECT_GT(together.D.mean(), *exact.D - 0.15);
  EXPECT_LT(together.N.mean() - together.N.ci95(), *exact.N);
  EXPECT_GT(together.N.mean(), *exact.N - 0.15);
}

TEST(Audit, ThePolicyOfTheAuditorIsThatOfTheLearnerAndStays) {
  const TabularWorld world = world_named("line-noisy");
  Learner learner(world, settings_for("mixture"));
  for (int u = 0; u < 60; ++u) learner.update();
  const auto auditor = make_auditor(learner, {.updates = 20, .seed = 1});
  EXPECT_EQ(auditor->pi_p().model().parameters().values,
            learner.pi_p().model().parameters().values);
  EXPECT_NE(auditor->predictors()[1]->model().parameters().values,
            learner.predictors()[1]->model().parameters().values);
}

}  // namespace
}  // namespace vic
