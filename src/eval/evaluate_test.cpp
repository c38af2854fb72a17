// The evaluation against independent computations.
#include "eval/evaluate.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>

#include "eval/evaluation_numbers.h"
#include "eval/posterior.h"
#include "eval/record.h"
#include "oracle/control.h"
#include "oracle/unrolled.h"
#include "support/named_world.h"
#include "support/random_world.h"

namespace vic {
namespace {

TrainSettings unwarmed_settings(const char* algorithm) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.warm_up = 0;
  return settings;
}

// the exact and the sampled evaluation measure the same policy
TEST(Evaluate, SampledIntervalHoldsTheExactEntropy) {
  for (const char* name : {"line-noisy", "tree-noisy", "grid"}) {
    const TabularWorld world = world_named(name);
    Learner learner(make_agent(&world, unwarmed_settings("marginal")));
    for (int i = 0; i < 100; ++i) learner.update();
    EvalSettings settings;
    settings.options = 40000;
    settings.bound_updates = 0;
    const Evaluation exact = evaluate(learner, settings);
    settings.histories = 1;
    const Evaluation sampled = evaluate(learner, settings);
    ASSERT_TRUE(exact.exact);
    ASSERT_FALSE(sampled.exact);
    // twice the interval: about four standard errors
    EXPECT_NEAR(sampled.H, exact.H, 2 * sampled.ci95) << name;
    EXPECT_NEAR(*exact.D + *exact.N, exact.H, 1e-9) << name;
    EXPECT_EQ(exact.external_ci95, 0);
    for (std::size_t s = 0; s < exact.p_f.size(); ++s) {
      const double p = exact.p_f[s];
      EXPECT_NEAR(sampled.p_f[s], p, 5 * std::sqrt(p * (1 - p) / settings.options) + 1e-6) << name;
    }
  }
}

// an interrupted evaluation goes on from its numbers
TEST(Evaluate, ItsNumbersHoldAllThatWasMeasured) {
  const TabularWorld world = world_named("line-noisy");
  Learner learner(make_agent(&world, unwarmed_settings("implicit")));
  const Evaluation evaluation = evaluate(learner, {});
  ASSERT_TRUE(evaluation.exact && evaluation.D && evaluation.reach && evaluation.posterior);
  std::vector<double> numbers = numbers_of(evaluation);
  const Evaluation again = evaluation_of(numbers);
  EXPECT_EQ(numbers_of(again), numbers);
  EXPECT_EQ(again.D, evaluation.D);
  EXPECT_EQ(again.D_in.has_value(), evaluation.D_in.has_value());
  EXPECT_EQ(again.p_f, evaluation.p_f);
  EXPECT_EQ(again.reach->best_mean, evaluation.reach->best_mean);
  EXPECT_EQ(again.posterior->pi_q, evaluation.posterior->pi_q);

  numbers.push_back(0);
  EXPECT_THROW(evaluation_of(numbers), Error);
  numbers.resize(numbers.size() - 2);
  EXPECT_THROW(evaluation_of(numbers), Error);
  numbers = numbers_of(evaluation);
  numbers[1] = 2;  // neither exact nor not
  EXPECT_THROW(evaluation_of(numbers), Error);
}

// The interval is right if about 95 of 100 such intervals contain the truth.
TEST(Evaluate, IntervalsCoverTheTruthAsOftenAsTheySay) {
  const TabularWorld world = world_named("line-noisy");
  Learner learner(make_agent(&world, unwarmed_settings("marginal")));
  EvalSettings settings;
  settings.bound_updates = 0;
  const double truth = evaluate(learner, settings).H;
  settings.histories = 1;
  settings.options = 2000;
  int covered = 0;
  for (settings.seed = 0; settings.seed < 200; ++settings.seed) {
    const Evaluation sampled = evaluate(learner, settings);
    covered += std::abs(sampled.H - truth) <= sampled.ci95;
  }
  // binomial with p = 0.95: three standard deviations are 9
  EXPECT_GE(covered, 181);
  EXPECT_LE(covered, 199);
}

// the mean external reward is exact where H is, and else its interval is right
TEST(Evaluate, ExternalRewardIsExactOrHasAnIntervalThatCovers) {
  Overrides shorter({{.key = "world.T_max", .value = "5", .origin = "test"}});
  const TabularWorld world = load_world("rooms-35", shorter);
  Learner learner(make_agent(&world, unwarmed_settings("marginal")));
  EvalSettings settings;
  settings.bound_updates = 0;
  settings.options = 2000;
  const Evaluation exact = evaluate(learner, settings);
  ASSERT_TRUE(exact.exact);
  settings.histories = 1;
  int covered = 0;
  for (settings.seed = 0; settings.seed < 200; ++settings.seed) {
    const Evaluation sampled = evaluate(learner, settings);
    covered += std::abs(sampled.external - exact.external) <= sampled.external_ci95;
    EXPECT_FALSE(sampled.D) << "no bounds were requested";
  }
  EXPECT_GE(covered, 181);
  EXPECT_LE(covered, 199);
  EXPECT_LT(exact.external, -0.1);
}

// nothing that measures a learner writes to it
TEST(Evaluate, ThreadsMayMeasureOneLearner) {
  const auto world = std::make_shared<const TabularWorld>(world_named("line-noisy"));
  Learner trained(make_agent(world.get(), unwarmed_settings("transition")));
  for (int i = 0; i < 20; ++i) trained.update();
  const Learner& learner = trained;
  const Reference reference = find_reference(world);
  const auto measure = [&](int histories) {
    EvalSettings settings;
    settings.histories = histories;
    settings.options = 5000;
    settings.bound_updates = 20;
    return evaluation_json(learner, evaluate(learner, settings), reference).dump();
  };
  // exact and sampled: once alone, and then both twice at once
  const std::string exact = measure(300000), sampled = measure(1);
  EXPECT_NE(exact, sampled);
  std::array<std::string, 2> exact_again, sampled_again;
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < 2; ++k) {
      threads.emplace_back([&, k] {
        exact_again[k] = measure(300000);
        sampled_again[k] = measure(1);
      });
    }
  }
  for (const std::string& again : exact_again) EXPECT_EQ(again, exact);
  for (const std::string& again : sampled_again) EXPECT_EQ(again, sampled);
}

// a policy trained on one route takes it; rooms are the absorbing states that were reached
TEST(Evaluate, TheRouteIsTheWayThatTheAgentLearned) {
  Overrides shorter({{.key = "world.T_max", .value = "5", .origin = "test"},
                     {.key = "world.noise", .value = "0.1", .origin = "test"}});
  const TabularWorld world = load_world("rooms-35", shorter);
  TrainSettings train = unwarmed_settings("reward");
  train.alpha = 10;
  Learner learner(make_agent(&world, train));
  for (int u = 0; u < 300; ++u) learner.update();
  EvalSettings settings;
  settings.options = 1000;
  const Evaluation evaluation = evaluate(learner, settings);
  std::vector<std::string> route;
  for (int s : evaluation.route) route.push_back(world.state_names[s]);
  ASSERT_EQ(route.size(), 4u);
  EXPECT_EQ(route[2], "2,6");
  EXPECT_TRUE(route[3] == "2,5" || route[3] == "2,7");
  EXPECT_TRUE(world.absorbing[evaluation.route[3]]);
  EXPECT_GE(evaluation.rooms, 1);
  EXPECT_LE(evaluation.rooms, 2);
  EXPECT_GE(evaluation.states, evaluation.rooms);
}

// an untrained pi_q knows nothing about s_f: its error is about the information between s_f and a_t
TEST(Posterior, ErrorIsLargeBeforeTrainingAndSmallAfter) {
  const TabularWorld world = world_named("line-noisy");
  TrainSettings settings = unwarmed_settings("transition");
  settings.warm_up = 1500;
  Learner learner(make_agent(&world, settings));
  learner.update();
  const Evaluation before = evaluate(learner, {});
  for (int i = 1; i < 1500; ++i) learner.update();
  const Evaluation after = evaluate(learner, {});
  EXPECT_GT(before.posterior->pi_q, 0.2);
  EXPECT_GT(*before.posterior->rho_q, 0.2);
  EXPECT_LT(after.posterior->pi_q, 0.05);
  EXPECT_LT(*after.posterior->rho_q, 0.05);
  // and the reward of an option has become -log p(s_f)
  EXPECT_GT(std::abs(before.calibration->bias), 0.2);
  EXPECT_LT(std::abs(after.calibration->bias), 0.05);
  EXPECT_GT(after.calibration->correlation, 0.95);
}

// b is learned, and pi_q follows from it by Bayes' rule
TEST(Posterior, OfABeliefIsLargeBeforeTrainingAndSmallAfter) {
  const TabularWorld world = world_named("line-noisy");
  TrainSettings settings = unwarmed_settings("belief");
  settings.warm_up = 1500;
  Learner learner(make_agent(&world, settings));
  learner.update();
  const PosteriorError before = *evaluate(learner, {}).posterior;
  for (int i = 1; i < 1500; ++i) learner.update();
  const PosteriorError after = *evaluate(learner, {}).posterior;
  EXPECT_GT(before.pi_q, 0.05);
  EXPECT_GT(*before.b, 0.2);
  EXPECT_LT(after.pi_q, 0.02);
  EXPECT_LT(*after.b, 0.02);
  EXPECT_GE(after.pi_q, 0);
}

// What s_f says about the actions of an option is D, by the chain rule: a model of the actions that
// does not see s_f is wrong by D, divided by the number of decisions.
TEST(Posterior, AModelThatDoesNotSeeTheFinalStateIsWrongByD) {
  for (const char* name : {"line-noisy", "tree-noisy", "grid"}) {
    const TabularWorld world = world_named(name);
    const Agent agent = make_agent(&world, unwarmed_settings("implicit"));
    const HistoryTree tree = *enumerate_tree(world, 1000000);
    const Policy policy = tabulate(agent, tree).policy;
    const Flow visited = flow(tree.unrolled, policy);
    double decisions = 0;
    for (int t = 0; t + 1 < world.T_max; ++t) {
      const Level& level = tree.unrolled.levels[t];
      for (int i = 0; i < level.rows(); ++i) {
        if (!level.forced(i)) decisions += visited.visits[t][i];
      }
    }
    EXPECT_NEAR(posterior_error(agent, tree, policy).pi_q_blind * decisions,
                measure(tree.unrolled, policy).D, 1e-9)
        << name;
  }
}

// What s_f says about the outcomes of an option's moves is N. After a single move s_f is certain,
// and all that it says counts as wrong of a model that does not see it.
TEST(Posterior, AModelThatDoesNotSeeTheFinalStateIsWrongByNAboutASingleMove) {
  int worlds = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const TabularWorld world = random_world(seed);
    if (world.T_max != 2) continue;
    const Agent agent = make_agent(&world, unwarmed_settings("transition"));
    const HistoryTree tree = *enumerate_tree(world, 1000);
    const Policy policy = random_policy(tree.unrolled, seed);
    const double N = measure(tree.unrolled, policy).N, moves = 1 - policy[0][world.A];
    EXPECT_NEAR(posterior_error(agent, tree, policy).rho_ratio_blind * moves, N, 1e-9) << seed;
    worlds += world.A > 1 && N > 0.1;
  }
  EXPECT_GT(worlds, 3);
}

// Algorithm 2 learns ratios of densities that match those of probabilities, as Appendix E bounds
TEST(Posterior, MixtureRatiosMatchThoseOfTheProbabilities) {
  const TabularWorld world = world_named("tree-noisy");
  TrainSettings settings = unwarmed_settings("mixture");
  settings.warm_up = 2000;
  Learner learner(make_agent(&world, settings));
  for (int i = 0; i < 2000; ++i) learner.update();
  const Evaluation evaluation = evaluate(learner, {});
  EXPECT_FALSE(evaluation.posterior->rho_q);
  EXPECT_LT(*evaluation.posterior->rho_ratio, 0.1);
  EXPECT_LT(evaluation.posterior->pi_q, 0.05);
}

}  // namespace
}  // namespace vic
