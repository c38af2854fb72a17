// The rewards of a batch against those of its options one at a time.
#include "method/scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"
#include "method/learner.h"
#include "support/named_world.h"
#include "support/options.h"
#include "support/random_world.h"
#include "support/small_settings.h"

namespace vic {
namespace {

// ----- oracle: the reward of one option, its history alone, one query at a time ----- //

struct NaiveReward {
  const Learner& learner;
  const Histories& tree;

  // log p of one choice of one model after one history
  double log_p(std::size_t model, int row, Queries query, int choice) const {
    const Agent& agent = learner.agent();
    const Histories chain = chain_to(tree, row);
    HistoryInputs<float> inputs;
    inputs.append(chain, 0, agent.encoding, *agent.codes);
    query.row = {chain.rows() - 1};
    const QueryContext context{chain, inputs.view(), {chain.first, chain.parent}, *agent.codes};
    ModelWorkspace work;
    agent.models[model].model.net().encode(work.net, context.tree, context.inputs);
    std::vector<float> log_p;
    agent.models[model].model.log_p(log_p, work, query, {.query = {0}, .choice = {choice}},
                                    context);
    return static_cast<double>(log_p[0]);
  }

  double operator()(int end) const {
    const TabularWorld& world = learner.agent().table();
    const TrainSettings& settings = learner.settings();
    const std::size_t models = learner.agent().models.size();
    const std::vector<int> path = path_to(tree, end);
    const int s_f = tree.state[end], T = static_cast<int>(path.size());
    double reward = 0;
    if (settings.algorithm == "marginal") {
      reward = -std::log(learner.state().recent.p(0, s_f));
    }
    for (int t = 0; t < T; ++t) {
      const int row = path[t];
      const bool ends = t + 1 == T;
      const int a = ends ? world.A : tree.action[path[t + 1]];
      const bool forced = t + 1 == world.T_max || world.absorbing[tree.state[row]];
      if (!forced) reward -= settings.entropy_bonus * log_p(0, row, {}, a);
      if (models >= 2 && !forced) {
        reward += log_p(1, row, {{}, {}, {s_f}}, a) - log_p(0, row, {}, a);
      }
      if (ends) break;
      const int s = tree.state[row], s_next = tree.state[path[t + 1]];
      if (models == 4) {
        reward += settings.lambda *
                  (log_p(3, row, {{}, {a}, {s_f}}, s_next) - log_p(2, row, {{}, {a}, {}}, s_next));
      }
      reward += settings.alpha * world.reward(s, s_next);
    }
    return reward;
  }
};

// the options of an update again, and their rewards; the models must be as they were in it
struct Again {
  Scores scores;
  Batch batch;

  Again(const Learner& learner, std::uint32_t update) {
    const Agent& agent = learner.agent();
    sample_options(batch, agent, *make_sampler(agent), scores.policy, agent.settings.batch,
                   {.seed = 1, .update = update});
    score(scores, agent, {.batch = batch, .recent = learner.state().recent});
  }
};

void expect_rewards(const TabularWorld& world, const char* algorithm) {
  SCOPED_TRACE(fmt::format("{} on {}", algorithm, world.name));
  TrainSettings settings = small_settings(algorithm);
  settings.lambda = 0.7;
  settings.alpha = 0.3;
  settings.entropy_bonus = 0.05;
  settings.encoding = StateCode::axes;
  settings.learning_rate = 0.02;
  Learner learner(make_agent(&world, settings));
  for (int i = 0; i < 29; ++i) learner.update();
  // one more update, in which nothing is learned
  learner.agent().settings.learning_rate = 0;
  learner.update();

  const Again again(learner, 29);
  const Batch& batch = again.batch;
  const Rewards rewards =
      total_rewards(again.scores, batch, learner.alpha(), learner.entropy_bonus());
  const NaiveReward naive{learner, batch.histories};
  double mean = 0, largest = 0;
  for (int r = 0; r < batch.histories.rows(); ++r) {
    if (batch.ended[r] == 0) continue;
    EXPECT_NEAR(rewards.row[r], naive(r), 1e-4) << "row " << r;
    mean += rewards.row[r] * batch.ended[r] / batch.options;
    largest = std::max(largest, std::abs(rewards.row[r]));
  }
  EXPECT_GT(largest, 0.1) << "a test of zeros shows nothing";
  EXPECT_NEAR(rewards.mean, mean, 1e-9);
  EXPECT_NEAR(learner.metrics().reward, mean, 1e-9);
}

TEST(Scores, RewardsEqualThoseOfOneOptionAtATime) {
  for (const char* algorithm : {"implicit", "transition", "mixture", "marginal"}) {
    expect_rewards(world_named("tree-noisy"), algorithm);
    expect_rewards(world_named("line"), algorithm);
    for (int seed : {9, 16, 24, 25}) expect_rewards(random_world(seed), algorithm);
  }
}

// a workspace that was not used to sample the batch encodes it again
TEST(Scores, IntrinsicRewardsDoNotDependOnWhoSampled) {
  for (const char* algorithm : {"implicit", "transition", "mixture", "explicit", "diayn"}) {
    const TabularWorld world = random_world(9);
    Learner learner(make_agent(&world, small_settings(algorithm)));
    for (int i = 0; i < 30; ++i) learner.update();
    const Again again(learner, 7);
    Scores fresh;
    EXPECT_EQ(intrinsic_rewards(fresh, learner.agent(), again.batch), again.scores.reward)
        << algorithm;
  }
}

TEST(Scores, MarginalRewardsByCountsAndSaysSoWhereThereAreNone) {
  const TabularWorld world = world_named("line");
  const Agent agent = make_agent(&world, small_settings("marginal"));
  Scores scores;
  Batch batch;
  sample_options(batch, agent, *make_sampler(agent), scores.policy, 8, {.seed = 1});
  EXPECT_THROW(intrinsic_rewards(scores, agent, batch), Error);
}

}  // namespace
}  // namespace vic
