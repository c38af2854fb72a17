// The brackets of D and N against the exact values.
#include "eval/bounds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "eval/evaluate.h"
#include "support/named_world.h"

namespace vic {
namespace {

TrainSettings bound_settings(const char* algorithm) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.warm_up = 50;
  return settings;
}

EvalSettings sampled(int options, int updates) {
  EvalSettings settings;
  settings.histories = 1;
  settings.options = options;
  settings.bound_updates = updates;
  return settings;
}

const Block<float>& weights_of(const Agent& agent, Role role) {
  return agent.find(role)->net().parameters().values;
}

void expect_in(double x, const Interval& in, double width) {
  EXPECT_GE(x, in.low);
  EXPECT_LE(x, in.high);
  EXPECT_LT(in.high - in.low, width) << "a bracket that says nothing";
}

TEST(Bounds, BracketsHoldTheExactParts) {
  for (const char* name : {"line-noisy", "tree-noisy"}) {
    for (const char* algorithm : {"implicit", "transition", "mixture", "marginal"}) {
      SCOPED_TRACE(fmt::format("{} on {}", algorithm, name));
      const TabularWorld world = world_named(name);
      Learner learner(make_agent(&world, bound_settings(algorithm)));
      for (int u = 0; u < 300; ++u) learner.update();
      const Evaluation exact = evaluate(learner, {});
      const Evaluation estimate = evaluate(learner, sampled(20000, 700));
      ASSERT_TRUE(exact.exact);
      ASSERT_FALSE(exact.D_in);
      expect_in(*exact.D, *estimate.D_in, 0.2);
      expect_in(*exact.N, *estimate.N_in, 0.2);
      EXPECT_NEAR(*estimate.D + *estimate.N, estimate.H, 1e-12);
      EXPECT_NEAR(*estimate.D, *exact.D, 0.1);
      // a lower bound of one is an upper bound of the other
      EXPECT_NEAR(estimate.D_in->high, estimate.H + estimate.ci95 - estimate.N_in->low, 1e-12);
      EXPECT_NEAR(estimate.N_in->high, estimate.H + estimate.ci95 - estimate.D_in->low, 1e-12);
      EXPECT_GT(estimate.D_in->low, 0.1) << "a bound that was cut off";
      EXPECT_GT(estimate.N_in->low, 0.1) << "a bound that was cut off";
    }
  }
}

TEST(Bounds, WithoutChanceAllOfHIsTheAgents) {
  const TabularWorld world = world_named("grid");
  Learner learner(make_agent(&world, bound_settings("marginal")));
  const Evaluation estimate = evaluate(learner, sampled(2000, 0));
  EXPECT_EQ(*estimate.D, estimate.H);
  EXPECT_EQ(*estimate.N, 0);
  EXPECT_EQ(estimate.N_in->high, 0);
  const Evaluation exact = evaluate(learner, {});
  EXPECT_GE(*exact.D, estimate.D_in->low);
  EXPECT_LE(*exact.D, estimate.D_in->high);
}

// The bounds' own intervals should cover their expectations in 95 of 100 samples, and the brackets
// should cover D and N no less often.
TEST(Bounds, IntervalsCoverAsOftenAsTheySay) {
  const TabularWorld world = world_named("tree-noisy");
  Learner learner(make_agent(&world, bound_settings("marginal")));
  for (int u = 0; u < 300; ++u) learner.update();
  const Evaluation exact = evaluate(learner, {});
  const auto models = train_bounds(learner.agent(), {.updates = 200, .seed = 3});
  constexpr int samples = 300, B = 1000;
  const auto sampler = make_sampler(models->agent());
  Batch batch;
  ActorWorkspace work;
  std::vector<Bounds> all(samples);
  Bounds together;
  BoundsWorkspace scored;
  for (int n = 0; n < samples; ++n) {
    sample_options(batch, models->agent(), *sampler, work, B,
                   {.seed = 77, .update = std::uint32_t(n)});
    add_bounds(all[n], scored, models->agent(), batch);
    add_bounds(together, scored, models->agent(), batch);
  }
  int D_mean = 0, N_mean = 0, D_below = 0, N_below = 0, D_high = 0;
  for (const Bounds& bounds : all) {
    D_mean += std::abs(bounds.D.mean() - together.D.mean()) <= bounds.D.ci95();
    N_mean += std::abs(bounds.N.mean() - together.N.mean()) <= bounds.N.ci95();
    D_below += bounds.D.mean() - bounds.D.ci95() <= *exact.D;
    N_below += bounds.N.mean() - bounds.N.ci95() <= *exact.N;
    D_high += exact.H - bounds.N.mean() + bounds.N.ci95() >= *exact.D;
  }
  // binomial with p = 0.95: three standard deviations of 300 are 11
  for (int covered : {D_mean, N_mean}) {
    EXPECT_GE(covered, 285 - 11);
    EXPECT_LE(covered, 285 + 11);
  }
  EXPECT_GE(D_below, 285);
  EXPECT_GE(N_below, 285);
  EXPECT_GE(D_high, 285);
  // and the bounds are no better than the truth, but close to it
  EXPECT_LT(together.D.mean() - together.D.ci95(), *exact.D);
  EXPECT_GT(together.D.mean(), *exact.D - 0.15);
  EXPECT_LT(together.N.mean() - together.N.ci95(), *exact.N);
  EXPECT_GT(together.N.mean(), *exact.N - 0.15);
}

TEST(Bounds, ThePolicyOfTheModelsIsThatOfTheAgentAndStays) {
  const TabularWorld world = world_named("line-noisy");
  Learner learner(make_agent(&world, bound_settings("mixture")));
  for (int u = 0; u < 60; ++u) learner.update();
  const auto models = train_bounds(learner.agent(), {.updates = 20, .seed = 1});
  EXPECT_EQ(weights_of(models->agent(), Role::pi_p), weights_of(learner.agent(), Role::pi_p));
  EXPECT_NE(weights_of(models->agent(), Role::pi_q), weights_of(learner.agent(), Role::pi_q));
}

// n (1 + d) = S: the nets of Algorithm 2 are as large as those of Algorithm 1, but predict
// something else
TEST(Bounds, DoNotBeginWithTheWeightsOfMixtures) {
  const TabularWorld world = world_named("grid-noisy");
  TrainSettings settings = bound_settings("mixture");
  const int d = make_agent(&world, settings).encoding.d;
  ASSERT_EQ(world.S % (1 + d), 0) << "no mixture has as many outputs as states";
  settings.n_gmm = world.S / (1 + d);
  Learner learner(make_agent(&world, settings));
  for (int u = 0; u < 3; ++u) learner.update();
  const auto models = train_bounds(learner.agent(), {.updates = 0, .seed = 4});
  settings.algorithm = "transition";
  settings.seed = 4;
  const Agent fresh = make_agent(&world, settings);
  for (const Role role : {Role::rho_p, Role::rho_q}) {
    ASSERT_EQ(weights_of(fresh, role).size(), weights_of(learner.agent(), role).size());
    EXPECT_EQ(weights_of(models->agent(), role), weights_of(fresh, role));
  }
  for (const Role role : {Role::pi_p, Role::pi_q}) {
    EXPECT_EQ(weights_of(models->agent(), role), weights_of(learner.agent(), role));
    EXPECT_NE(weights_of(models->agent(), role), weights_of(fresh, role));
  }
}

}  // namespace
}  // namespace vic
