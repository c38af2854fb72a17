#include "method/cell_beliefs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "method/beliefs.h"
#include "method/fine_tuning.h"
#include "method/learner.h"
#include "sim/world.h"
#include "support/gradient_check.h"
#include "support/small_settings.h"

namespace vic::cell_beliefs_test {
namespace {

// with cells so small that four actions reach many
SimulatorPtr cheetah() {
  Overrides overrides({{"world.T", "4", "test"}, {"world.bin", "0.02", "test"}});
  return load_simulator("half-cheetah", overrides);
}

TrainSettings settings_of(double lambda) {
  TrainSettings settings = small_settings("belief");
  settings.lambda = lambda;
  return settings;
}

// an agent whose weights are far from their small initial values
Agent stirred(const Simulator& world, double lambda) {
  Agent agent = make_agent(&world, settings_of(lambda));
  for (AgentModel& model : agent.models) {
    for (float& x : model.model.net().parameters().values) x *= 8;
  }
  return agent;
}

struct Scored {
  Batch batch;
  Scores scores;

  explicit Scored(const Agent& agent, int options = 16) {
    ActorWorkspace work;
    sample_options(batch, agent, *make_sampler(agent), work, options, {.seed = 5});
    intrinsic_rewards(scores, agent, batch);
  }

  // the rows in which options ended
  std::vector<int> ends() const {
    std::vector<int> rows;
    for (int r = 0; r < batch.histories.rows(); ++r) {
      if (batch.ended[r] > 0) rows.push_back(r);
    }
    return rows;
  }
};

TEST(CellBeliefs, RewardOfCoverageTelescopesToTheSurpriseOfTheCell) {
  const SimulatorPtr world = cheetah();
  const Agent agent = stirred(*world, 1);
  const Scored scored(agent);
  const std::vector<float> surprise = surprise_at_start(agent, scored.batch);
  double smallest = 1e9, largest = 0;
  for (int r : scored.ends()) {
    const int cell = near_cell(world->spec(), scored.batch.cell[r], near_limit);
    EXPECT_NEAR(scored.scores.reward[r], double(surprise[cell]), 1e-4);
    smallest = std::min(smallest, scored.scores.reward[r]);
    largest = std::max(largest, scored.scores.reward[r]);
  }
  EXPECT_GT(largest, smallest + 0.1);
}

TEST(CellBeliefs, RewardIsControlPlusLambdaTimesChance) {
  const SimulatorPtr world = cheetah();
  const auto reward = [&](double lambda) { return Scored(stirred(*world, lambda)).scores.reward; };
  const std::vector<double> control = reward(0), both = reward(1), mixed = reward(0.3);
  double largest = 0;
  for (std::size_t r = 0; r < mixed.size(); ++r) {
    EXPECT_NEAR(mixed[r], 0.7 * control[r] + 0.3 * both[r], 1e-9);
    largest = std::max(largest, std::abs(both[r] - control[r]));
  }
  EXPECT_GT(largest, 0.1) << "what nets that have learned nothing disagree about";
}

TEST(CellBeliefs, CellsSumToOne) {
  const SimulatorPtr world = cheetah();
  const Agent agent = stirred(*world, 1);
  double sum = 0;
  for (float surprise : surprise_at_start(agent, Scored(agent).batch)) {
    sum += std::exp(-double(surprise));
  }
  EXPECT_NEAR(sum, 1, 1e-4);
}

// options conditioned on the cells in which others ended, and the probabilities of their decisions
struct Sent {
  Batch batch;
  ActorWorkspace work;

  Sent(const Agent& agent, const Batch& others, int options, double temperature = 1) {
    const auto sampler = make_simulator_sampler(agent);
    const int n = agent.simulator()->spec().n(), T = agent.simulator()->spec().T;
    std::vector<double> s_f;
    std::vector<Beginning> beginnings;
    for (int b = 0; b < options; ++b) {
      const auto s = observed_state(others, n, T * others.options + b);
      s_f.insert(s_f.end(), s.begin(), s.end());
      beginnings.push_back({.goal = b});
    }
    sampler->set_goals(s_f);
    sampler->sample(batch, *goal_policy_of(agent, temperature), work, beginnings, {.seed = 3});
  }
};

TEST(CellBeliefs, LevelsOfEveryFactorSumToOneWhateverTheNetSays) {
  const SimulatorPtr world = cheetah();
  const Agent agent = stirred(*world, 0);
  const Scored scored(agent);
  Sent sent(agent, scored.batch, 8);
  const Actor actor = *goal_policy_of(agent);
  Decisions decisions;
  decisions.read(sent.batch, agent.encoding);
  actor.encode(sent.work, sent.batch.context());
  const Buffer<float> pi = [&] {
    Buffer<float> copy;
    const auto p =
        agent.pi_p().probabilities(sent.work.policy, decisions.queries, *sent.batch.codes);
    copy.reshape(p.rows, p.cols);
    std::copy_n(p.data, p.size(), copy.row(0));
    return copy;
  }();
  float farthest = 0;
  for (int f = 0; f < agent.encoding.F; ++f) {
    const auto p =
        actor.factor_probabilities(sent.work, sent.batch, decisions.queries, pi.view(), f);
    for (Index q = 0; q < p.rows; ++q) {
      float sum = 0;
      for (Index l = 0; l < p.cols; ++l) {
        sum += p(q, l);
        farthest = std::max(farthest, std::abs(p(q, l) - pi.row(q)[f * p.cols + l]));
      }
      EXPECT_NEAR(sum, 1, 1e-5);
    }
  }
  EXPECT_GT(farthest, 0.1F) << "the goal must matter";
}

// the control of an option is the log-ratio of the policy conditioned on its cell
TEST(CellBeliefs, ControlIsTheRatioOfThePolicyThatIsSentThere) {
  const SimulatorPtr world = cheetah();
  const Agent agent = stirred(*world, 0);
  Scored scored(agent);
  const Batch& batch = scored.batch;
  const Actor actor = *goal_policy_of(agent);
  ActorWorkspace work;
  actor.encode(work, batch.context());
  Queries queries = scored.scores.decisions.queries;
  const int B = batch.options, T = world->spec().T, F = agent.encoding.F;
  for (int row : queries.row) queries.goal.push_back(T * B + row % B);
  const auto p = agent.pi_p().probabilities(work.policy, queries, *batch.codes);
  std::vector<float> pi(p.data, p.data + p.size());
  std::vector<double> control(B, 0);
  for (int f = 0; f < F; ++f) {
    const auto q = actor.factor_probabilities(work, batch, queries, {pi.data(), p.rows, p.cols}, f);
    for (std::size_t i = 0; i < queries.row.size(); ++i) {
      const int row = queries.row[i], level = batch.codes->choice(agent.encoding, row, f);
      const auto k = static_cast<Index>(i);
      control[row % B] +=
          std::log(double(q(k, level)) / double(pi[std::size_t(k * p.cols + f * q.cols + level)]));
    }
  }
  for (int b = 0; b < B; ++b) EXPECT_NEAR(scored.scores.reward[T * B + b], control[b], 2e-4);
}

// b learns where options end: then a cell is less surprising on the way to it
TEST(CellBeliefs, LearnsWhereOptionsEnd) {
  const SimulatorPtr world = cheetah();
  TrainSettings settings = settings_of(1);
  settings.critic = CriticKind::belief;
  settings.learning_rate = 5e-3;
  settings.warm_up = 60;
  Learner learner(make_agent(world.get(), settings));
  learner.update();
  const double before = *learner.metrics().loss_b;
  for (int u = 0; u < 40; ++u) learner.update();
  EXPECT_LT(*learner.metrics().loss_b, 0.8 * before);
}

TEST(CellBeliefs, TwoThreadsGiveTheSameBytes) {
  const SimulatorPtr world = cheetah();
  TrainSettings settings = settings_of(0.5);
  settings.critic = CriticKind::belief;
  settings.td = 0.9;
  settings.warm_up = 1;
  Learner one(make_agent(world.get(), settings));
  settings.threads = 2;
  Learner two(make_agent(world.get(), settings));
  for (int u = 0; u < 4; ++u) {
    one.update();
    two.update();
  }
  for (std::size_t i = 0; i < one.agent().models.size(); ++i) {
    EXPECT_EQ(one.agent().models[i].model.net().parameters().values,
              two.agent().models[i].model.net().parameters().values);
  }
}

// fine-tuning changes b and nothing else, by the gradient of log pi_q
TEST(CellBeliefs, FineTuningFollowsTheGradientOfThePolicyThatIsSent) {
  const SimulatorPtr world = cheetah();
  Agent agent = stirred(*world, 0);
  const Scored scored(agent);
  const Actor actor = *goal_policy_of(agent);
  Model& b = agent.models[agent.place_of(Role::belief)].model;
  Sent sent(agent, scored.batch, 4);
  Decisions decisions;
  decisions.read(sent.batch, agent.encoding);
  for (std::size_t d = 0; d < sent.batch.decision_row.size(); ++d) {
    decisions.scale.push_back(d % 3 == 0 ? 0.5F : -0.25F);
  }
  Block<float> gradient(b.net().parameters().values.size(), 0);
  actor.add_gradient(gradient, sent.work, sent.batch, decisions);

  // -sum_d scale[d] log p(d), from the probabilities
  const auto loss = [&] {
    ActorWorkspace work;
    actor.encode(work, sent.batch.context());
    const auto p = agent.pi_p().probabilities(work.policy, decisions.queries, *sent.batch.codes);
    const std::vector<float> pi(p.data, p.data + p.size());
    double sum = 0;
    for (int f = 0; f < agent.encoding.F; ++f) {
      const auto q = actor.factor_probabilities(work, sent.batch, decisions.queries,
                                                {pi.data(), p.rows, p.cols}, f);
      for (std::size_t d = 0; d < decisions.scale.size(); ++d) {
        const int level =
            decisions.targets.choice[d * static_cast<std::size_t>(agent.encoding.F) + f];
        sum -= double(decisions.scale[d]) * std::log(double(q(decisions.targets.query[d], level)));
      }
    }
    return sum;
  };
  expect_slope_along(gradient, b.net().parameters().values, loss, 2e-3);
}

}  // namespace
}  // namespace vic::cell_beliefs_test
