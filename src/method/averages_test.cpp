// The running averages of a learner: p(s_f) as the paper estimates it, b(s_0), and the counts in
// the reward of `marginal`; each against its definition, batch by batch.
#include <gtest/gtest.h>

#include <cmath>

#include "info/entropy.h"
#include "method/learner.h"
#include "support/named_world.h"
#include "support/small_settings.h"

namespace vic {
namespace {

// the shares of the final states of the last batch
std::vector<double> shares(const Learner& learner) {
  std::vector<double> p(learner.agent().table().S, 0);
  const Batch& batch = learner.shards()[0].batch;
  for (int r = 0; r < batch.histories.rows(); ++r) {
    p[batch.histories.state[r]] += static_cast<double>(batch.ended[r]) / batch.options;
  }
  return p;
}

// sum_k decay^(n - k) of the batches so far, normalised
struct Average {
  double decay = 0, weight = 0;
  std::vector<double> p = {};

  void add(const std::vector<double>& batch) {
    p.resize(batch.size());
    for (std::size_t s = 0; s < p.size(); ++s) {
      p[s] = (decay * weight * p[s] + batch[s]) / (decay * weight + 1);
    }
    weight = decay * weight + 1;
  }
};

TEST(Averages, I_hatIsTheEntropyOfAMovingAverageOf099) {
  const TabularWorld world = world_named("line-noisy");
  Learner learner(make_agent(&world, small_settings("implicit")));
  Average paper{.decay = 0.99}, shorter{.decay = 0.98};
  for (int u = 0; u < 40; ++u) {
    learner.update();
    paper.add(shares(learner)), shorter.add(shares(learner));
    EXPECT_NEAR(learner.I_hat(), entropy(paper.p), 1e-12) << u;
    EXPECT_EQ(learner.metrics().I_hat, learner.I_hat());
  }
  EXPECT_GT(std::abs(entropy(shorter.p) - entropy(paper.p)), 1e-4) << "nothing to tell apart";
}

TEST(Averages, BaselineFollowsTheRewardAtItsRate) {
  const TabularWorld world = world_named("line-noisy");
  for (double rate : {0.05, 0.3}) {
    TrainSettings settings = small_settings("transition");
    settings.baseline_rate = rate;
    Learner learner(make_agent(&world, settings));
    learner.update();
    double b = learner.metrics().reward;
    for (int u = 1; u < 20; ++u) {
      EXPECT_NEAR(learner.metrics().baseline, b, 1e-12) << u;
      learner.update();
      b += rate * (learner.metrics().reward - b);
    }
  }
}

TEST(Averages, MarginalRewardsByCountsThatDecay) {
  const TabularWorld world = world_named("tree-noisy");
  for (double decay : {0.0, 0.8, 0.95}) {
    TrainSettings settings = small_settings("marginal");
    settings.count_decay = decay;
    Learner learner(make_agent(&world, settings));
    Average counts{.decay = decay};
    for (int u = 0; u < 20; ++u) {
      learner.update();
      const std::vector<double> batch = shares(learner);
      counts.add(batch);
      double reward = 0;
      for (int s = 0; s < world.S; ++s) {
        if (batch[s] > 0) reward -= batch[s] * std::log(counts.p[s]);
      }
      EXPECT_NEAR(learner.metrics().intrinsic, reward, 1e-12) << decay << ", " << u;
    }
  }
}

}  // namespace
}  // namespace vic
