#include "method/belief.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "method/beliefs.h"
#include "method/learner.h"
#include "support/named_world.h"
#include "support/options.h"
#include "support/random_world.h"
#include "support/small_settings.h"

namespace vic {
namespace {

TrainSettings belief_settings(double lambda, CriticKind critic = CriticKind::none) {
  TrainSettings settings = small_settings("belief");
  settings.lambda = lambda;
  settings.critic = critic;
  return settings;
}

// an agent whose weights are far from their small initial values
Agent stirred_agent(const TabularWorld& world, const TrainSettings& settings) {
  Agent agent = make_agent(&world, settings);
  for (AgentModel& model : agent.models) {
    for (float& x : model.model.net().parameters().values) x *= 8;
  }
  return agent;
}

// a batch of an agent's options, and their rewards
struct Scored {
  Batch batch;
  Scores scores;

  Scored(const Agent& agent, std::uint32_t update = 0) {
    ActorWorkspace work;
    sample_options(batch, agent, *make_sampler(agent), work, 64, {.seed = 5, .update = update});
    intrinsic_rewards(scores, agent, batch);
  }
};

const StateCode all_codes[] = {StateCode::onehot, StateCode::coords, StateCode::axes,
                               StateCode::relative};

TEST(Belief, RewardOfCoverageTelescopesToTheSurpriseOfTheEnd) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const TabularWorld world = random_world(seed);
    TrainSettings settings = belief_settings(1);
    settings.encoding = all_codes[seed % 4];
    const Agent agent = stirred_agent(world, settings);
    Scored scored(agent);
    const BatchBeliefs beliefs(scored.scores, agent, scored.batch);
    for (int r = 0; r < scored.batch.histories.rows(); ++r) {
      if (scored.batch.ended[r] == 0) continue;
      EXPECT_NEAR(
          scored.scores.reward[r],
          -beliefs.log_before(scored.batch.histories.root[r], scored.batch.histories.state[r]),
          1e-9)
          << "random world " << seed;
    }
  }
}

TEST(Belief, RewardIsControlPlusLambdaTimesChance) {
  const TabularWorld world = random_world(9);
  const auto reward = [&](double lambda) {
    return Scored(stirred_agent(world, belief_settings(lambda))).scores.reward;
  };
  const std::vector<double> control = reward(0), both = reward(1), mixed = reward(0.3);
  double largest = 0;
  for (std::size_t r = 0; r < mixed.size(); ++r) {
    EXPECT_NEAR(mixed[r], 0.7 * control[r] + 0.3 * both[r], 1e-9);
    largest = std::max(largest, std::abs(both[r] - control[r]));
  }
  EXPECT_GT(largest, 0.1) << "this world has chance";
}

// log pi_q - log pi_p along the history of an option, by the policy conditioned on its end
double control_along(const Agent& agent, const Batch& batch, int end) {
  const Actor sent = *goal_policy_of(agent);
  const QueryContext context = batch.context();
  ActorWorkspace work;
  sent.encode(work, context);
  const auto log_ratio = [&](int row, int a) {
    const Queries query{.row = {row}, .action = {}, .goal = {batch.histories.state[end]}};
    const double q = double(sent.probabilities(work, query, context)(0, a));
    return std::log(q / double(sent.policy.probabilities(work.policy, query, context.codes)(0, a)));
  };
  double sum = batch.stop[end] < 0 ? 0 : log_ratio(end, agent.table().A);
  for (int r = end; r >= batch.histories.roots(); r = batch.histories.parent[r]) {
    sum += log_ratio(batch.histories.parent[r], batch.histories.action[r]);
  }
  return sum;
}

TEST(Belief, ControlIsTheRatioOfThePolicyThatIsSentThere) {
  for (std::uint64_t seed : {2, 5, 9}) {
    const TabularWorld world = random_world(seed);
    const Agent agent = stirred_agent(world, belief_settings(0));
    const Scored scored(agent);
    for (int r = 0; r < scored.batch.histories.rows(); ++r) {
      if (scored.batch.ended[r] == 0) continue;
      EXPECT_NEAR(scored.scores.reward[r], control_along(agent, scored.batch, r), 2e-5);
    }
  }
}

TEST(Belief, PolicyBySendingSumsToOne) {
  const TabularWorld world = random_world(9);
  const Agent agent = stirred_agent(world, belief_settings(0));
  const Actor sent = *goal_policy_of(agent);
  const Scored scored(agent);
  ActorWorkspace work;
  const QueryContext context = scored.batch.context();
  sent.encode(work, context);
  for (int goal = 0; goal < world.S; ++goal) {
    const auto p = sent.probabilities(work, {.row = {0}, .action = {}, .goal = {goal}}, context);
    float sum = 0;
    for (int a = 0; a <= world.A; ++a) sum += p(0, a);
    EXPECT_NEAR(sum, 1, 1e-6);
    EXPECT_EQ(p(0, world.A) > 0, goal == world.s_0) << "termination ends where it stands";
  }
}

// ----- the critic ----- //

// an agent whose b has learned all about its first policy
std::unique_ptr<Learner> warmed_up(const TabularWorld& world, double lambda) {
  TrainSettings settings = belief_settings(lambda, CriticKind::belief);
  settings.batch = 128;
  settings.hidden = 32;
  settings.learning_rate = 1e-2;
  settings.final_rate = 0.05;
  settings.warm_up = 600;
  settings.updates = 1;
  auto learner = std::make_unique<Learner>(make_agent(&world, settings));
  for (int u = 0; u < 600; ++u) learner->update();
  return learner;
}

TEST(Critic, ExpectsTheRewardThatComes) {
  const TabularWorld world = world_named("line-noisy");
  for (double lambda : {0.0, 0.5, 1.0}) {
    const auto learner = warmed_up(world, lambda);
    double reward = 0, expected = 0;
    constexpr int batches = 100;
    Scores scores;
    Batch batch;
    RunningFrequencies counts(1, world.S);
    for (std::uint32_t u = 0; u < batches; ++u) {
      const Agent& agent = learner->agent();
      sample_options(batch, agent, *make_sampler(agent), scores.policy, 128, {9, u});
      counts.add(ends_of(batch), 0.9);
      score(scores, agent, {.batch = batch, .recent = counts});
      reward += total_rewards(scores, batch, 0, 0).mean / batches;
      expected += scores.critic.V[0] / batches;
    }
    // without the chance to come, V would be 0.5 nats and more too large for lambda = 0
    EXPECT_NEAR(expected, reward, 0.03) << "lambda " << lambda;
  }
}

// the gradient of the objective in the logits of s_0, as a batch estimates it
std::vector<double> root_gradient(const Decisions& decisions, MatrixView<const float> p) {
  std::vector<double> gradient(p.cols, 0);
  for (int m = 0; m < decisions.targets.size(); ++m) {
    if (decisions.targets.query[m] != 0) continue;
    const double scale = double(decisions.scale[m]);
    gradient[decisions.targets.choice[m]] += scale;
    for (Index a = 0; a < p.cols; ++a) gradient[a] -= scale * double(p(0, a));
  }
  return gradient;
}

struct Moments {
  std::vector<double> mean, variance;
};

// mean and variance of that gradient over many batches of one agent: td < 0 for b(s_0) alone
Moments gradient_moments(const Agent& agent, double td, int batches) {
  const std::unique_ptr<Sampler> sampler = make_sampler(agent);
  Scores scores;
  Batch batch;
  RunningFrequencies counts(1, agent.final_states());
  std::vector<double> sum(agent.table().A + 1, 0), square = sum;
  for (int u = 0; u < batches; ++u) {
    sample_options(batch, agent, *sampler, scores.policy, 64, {3, static_cast<std::uint32_t>(u)});
    counts.add(ends_of(batch), 0.9);
    score(scores, agent, {.batch = batch, .recent = counts});
    std::vector<double> advantage(batch.histories.rows(), 0);
    if (td < 0) {
      for (std::size_t r = 0; r < advantage.size(); ++r) {
        advantage[r] = scores.reward[r] - scores.critic.V[0];
      }
    }
    scores.decisions.set_advantages(batch, advantage);
    const auto p = std::as_const(scores.policy.policy.categorical.p).view();
    if (td >= 0) scores.decisions.add_differences(batch, scores.critic, p, td);
    const std::vector<double> gradient = root_gradient(scores.decisions, p);
    for (std::size_t a = 0; a < sum.size(); ++a) {
      sum[a] += gradient[a] / batches;
      square[a] += gradient[a] * gradient[a] / batches;
    }
  }
  for (std::size_t a = 0; a < sum.size(); ++a) square[a] -= sum[a] * sum[a];
  return {sum, square};
}

// with TD(1) any critic leaves the mean of the policy gradient as it is, however wrong b may be
TEST(Critic, LeavesTheMeanOfThePolicyGradient) {
  const TabularWorld world = world_named("line-noisy");
  constexpr int batches = 3000;
  for (double lambda : {0.0, 1.0}) {
    const Agent agent = stirred_agent(world, belief_settings(lambda, CriticKind::belief));
    const Moments without = gradient_moments(agent, -1, batches);
    const Moments with = gradient_moments(agent, 1, batches);
    double largest = 0;
    for (std::size_t a = 0; a < with.mean.size(); ++a) {
      const double error = std::sqrt((with.variance[a] + without.variance[a]) / batches);
      EXPECT_NEAR(with.mean[a], without.mean[a], 4 * error) << "lambda " << lambda;
      largest = std::max(largest, std::abs(with.mean[a]) / error);
    }
    EXPECT_GT(largest, 10) << "the gradient is far from zero";
  }
}

TEST(Critic, CutsTheVarianceOfThePolicyGradient) {
  const TabularWorld world = world_named("line-noisy");
  for (double lambda : {0.0, 1.0}) {
    const auto learner = warmed_up(world, lambda);
    const auto spread = [&](double td) {
      double sum = 0;
      for (double x : gradient_moments(learner->agent(), td, 500).variance) sum += x;
      return sum;
    };
    const double without = spread(-1);
    EXPECT_LT(spread(1), without) << "lambda " << lambda;
    EXPECT_LT(spread(0.5), 0.5 * without) << "lambda " << lambda;
  }
}

// ----- in training ----- //

TEST(Belief, LearnsWithEveryEncodingAndFromEveryStart) {
  const TabularWorld world = random_world(9);
  for (StateCode code : all_codes) {
    TrainSettings settings = belief_settings(0.5, CriticKind::belief);
    settings.encoding = code;
    settings.starts = code == StateCode::axes ? Starts::all : Starts::one;
    settings.td = 0.9;
    Learner learner(make_agent(&world, settings));
    for (int u = 0; u < 40; ++u) learner.update();
    EXPECT_TRUE(std::isfinite(learner.metrics().reward));
    EXPECT_GT(*learner.metrics().loss_b, 0);
  }
}

TEST(Critic, ServesOtherAlgorithmsToo) {
  const TabularWorld world = random_world(9);
  for (const char* algorithm : {"implicit", "transition", "mixture", "marginal"}) {
    TrainSettings settings = small_settings(algorithm);
    settings.critic = CriticKind::belief;
    Learner with(make_agent(&world, settings));
    settings.critic = CriticKind::none;
    Learner without(make_agent(&world, settings));
    for (int u = 0; u < 8; ++u) {
      with.update();
      without.update();
    }
    EXPECT_NE(with.agent().find(Role::belief), nullptr);
    EXPECT_NE(with.agent().pi_p().net().parameters().values,
              without.agent().pi_p().net().parameters().values)
        << algorithm << ": the advantages are others";
  }
}

}  // namespace
}  // namespace vic
