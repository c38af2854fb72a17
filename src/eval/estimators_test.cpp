#include "eval/estimators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "base/error.h"
#include "eval/hindsight_counts.h"
#include "support/named_world.h"

namespace vic {
namespace {

const EstimatorCurve& find(const EstimatorStudy& study, const std::string& name) {
  for (const EstimatorCurve& curve : study.curves) {
    if (curve.name == name) return curve;
  }
  throw std::out_of_range(name);
}

// counts in the limit of many options: models learned from them are the exact posteriors
struct Exact {
  TabularWorld world;
  Unrolled tree;
  Policy policy;
  Flow visited;
  Beliefs beliefs;
  PassCounts counts;

  explicit Exact(const char* name, double options)
      : world(world_named(name)),
        tree(*unroll_histories(world, 100000)),
        policy(uniform_policy(tree)),
        visited(flow(tree, policy)),
        beliefs(tree),
        counts(tree, static_cast<int>(world.final_states().size())) {
    beliefs.update(policy);
    for (int t = 0; t < world.T_max; ++t) {
      for (int i = 0; i < tree.levels[t].rows(); ++i) {
        for (int f = 0; f < beliefs.columns(); ++f) {
          counts.add(t, i, f, options * visited.visits[t][i] * beliefs.at(t, i, f));
        }
      }
    }
  }

  HindsightEstimate estimate(double sigma) const {
    return estimate_in_hindsight(tree, policy, beliefs, visited, counts, sigma);
  }
};

TEST(HindsightCounts, ModelsOfAllOptionsAreExact) {
  for (const char* name : {"line-noisy", "tree-noisy", "noisy-tv"}) {
    const Exact exact(name, 1e12);
    const Control truth = measure(exact.tree, exact.policy);
    const HindsightEstimate estimate = exact.estimate(0.05);
    EXPECT_NEAR(estimate.D, truth.D, 1e-7) << name;
    EXPECT_NEAR(estimate.N, truth.N, 1e-7) << name;
    EXPECT_NEAR(estimate.U, 0, 1e-7) << name;
    // narrow components do not overlap
    EXPECT_NEAR(*estimate.N_sigma, truth.N, 1e-6) << name;
    EXPECT_NEAR(*estimate.U_sigma, 0, 1e-6) << name;
    // wide ones carry no information about where the agent went
    EXPECT_NEAR(*exact.estimate(1e3).N_sigma, 0, 1e-4) << name;
  }
}

TEST(HindsightCounts, NothingIsKnownFromNoOptions) {
  const Exact exact("line-noisy", 0);
  const HindsightEstimate estimate = exact.estimate(0.25);
  EXPECT_NEAR(estimate.D, 0, 1e-12);
  EXPECT_NEAR(estimate.N, 0, 1e-12);
  EXPECT_GE(estimate.U, measure(exact.tree, exact.policy).H);
}

TEST(Estimators, BoundsHoldAtEverySize) {
  for (const char* name : {"line-noisy", "tree-noisy"}) {
    const EstimatorStudy study =
        study_estimators(world_named(name), {.repeats = 3, .largest = 512});
    const Control& truth = study.truth;
    for (const char* row : {"I^VE, eq. 12", "I^VE_sigma, eq. 18"}) {
      for (const EstimatorPoint& point : find(study, row).points) {
        EXPECT_LE(std::abs(point.mean - truth.H), *point.bound + 1e-12) << row << point.n;
        EXPECT_GT(*point.bound, 0);
      }
    }
    for (const EstimatorPoint& point : find(study, "pi_q").points) {
      EXPECT_LT(point.mean, truth.D) << "a lower bound";
    }
    // what is learned from more options is closer
    for (const char* row : {"plug-in", "I^VE, eq. 12", "pi_q"}) {
      const EstimatorCurve& curve = find(study, row);
      EXPECT_LT(std::abs(curve.points.back().mean - curve.truth),
                0.5 * std::abs(curve.points.front().mean - curve.truth))
          << row;
    }
  }
}

TEST(Estimators, TheOptionsAreThoseOfTheUniformPolicy) {
  const EstimatorStudy study =
      study_estimators(world_named("line-noisy"), {.repeats = 20, .largest = 4096});
  for (const char* row : {"Chao-Wang-Jost", "NSB", "Miller-Madow", "NWJ"}) {
    const EstimatorPoint& last = find(study, row).points.back();
    EXPECT_NEAR(last.mean, study.truth.H, 4 * last.sd / std::sqrt(20) + 1e-4) << row;
    EXPECT_LT(last.sd, 0.05);
  }
  // and repeats are not all the same
  EXPECT_GT(find(study, "plug-in").points.back().sd, 1e-4);
}

TEST(Estimators, RefuseATreeThatIsTooLarge) {
  EXPECT_THROW(study_estimators(world_named("four-rooms"), {}), UsageError);
}

}  // namespace
}  // namespace vic
