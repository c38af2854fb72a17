// Options in simulated worlds: a batch holds what MuJoCo computed, and its log-probabilities are
// those of single options.
#include "method/simulator_sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "method/learner.h"
#include "sim/survey.h"
#include "sim/world.h"

namespace vic {
namespace {

SimulatorPtr cheetah(int T, const std::string& goal = "rootx rooty") {
  Overrides overrides({{"world.T", std::to_string(T), "test"}, {"world.goal", goal, "test"}});
  return load_simulator("half-cheetah", overrides);
}

TrainSettings small(const std::string& algorithm) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.batch = 6;
  settings.hidden = 16;
  settings.warm_up = 0;
  return settings;
}

// a batch of an agent's options, and the activations of pi_p
struct Sampled {
  Batch batch;
  ActorWorkspace work;

  Sampled(const Agent& agent, int B) {
    sample_options(batch, agent, *make_sampler(agent), work, B, {.seed = 5});
  }
};

double reward_of(const Agent& agent, const Batch& batch, int row) {
  Scores scores;
  return intrinsic_rewards(scores, agent, batch)[row];
}

TEST(SimulatorSampler, BatchHasTheStatesThatItsActionsLeadTo) {
  const SimulatorPtr simulator = cheetah(4);
  const SimulatorSpec& world = simulator->spec();
  const Agent agent = make_agent(simulator.get(), small("implicit"));
  const int B = 5;
  const Batch batch = Sampled(agent, B).batch;
  ASSERT_EQ(batch.histories.rows(), (world.T + 1) * B);
  for (int b = 0; b < B; ++b) {
    const auto episode = simulator->make_episodes(1, 1);
    std::vector<double> state;
    for (int t = 0; t <= world.T; ++t) {
      const int row = t * B + b;
      state.assign(episode->state(0).begin(), episode->state(0).end());
      const auto met = batch.codes->observed.begin() + batch.histories.state[row] * world.n();
      // bit by bit
      EXPECT_EQ(std::vector<double>(met, met + world.n()), state);
      EXPECT_EQ(batch.ended[row], t == world.T ? 1 : 0);
      if (t == world.T) break;
      std::vector<int> levels;
      batch.codes->append_choices(levels, agent.encoding, batch.decision_action[row]);
      ASSERT_EQ(levels.size(), 6U);
      EXPECT_EQ(batch.histories.action[row + B], batch.decision_action[row]);
      episode->step(levels);
    }
    std::vector<double> states = world.start;
    states.insert(states.end(), state.begin(), state.end());
    const auto viewer = simulator->make_viewer();
    EXPECT_EQ(batch.cell[world.T * B + b],
              cell_number(world, behaviour_of(*simulator, *viewer, states).cell));
  }
}

// log pi_p of an option as the sum of six softmaxes per step
TEST(SimulatorSampler, LogProbabilityIsTheSumOverTheActuators) {
  const SimulatorPtr simulator = cheetah(3);
  const SimulatorSpec& world = simulator->spec();
  const Agent agent = make_agent(simulator.get(), small("implicit"));
  const int B = 4;
  Sampled sampled(agent, B);
  const Batch& batch = sampled.batch;
  Decisions decisions;
  decisions.read(batch, agent.encoding);
  std::vector<float> log_p;
  agent.pi_p().cached_log_p(log_p, sampled.work.policy, decisions.targets);
  ASSERT_EQ(log_p.size(), static_cast<std::size_t>(world.T) * B);
  ModelWorkspace work;
  agent.pi_p().net().encode(work.net, batch.tree(), batch.inputs.view());
  const MatrixView<const float> p =
      agent.pi_p().probabilities(work, decisions.queries, *batch.codes);
  ASSERT_EQ(p.cols, 30);
  for (std::size_t m = 0; m < log_p.size(); ++m) {
    double sum = 0;
    for (int f = 0; f < 6; ++f) {
      double total = 0;
      for (int level = 0; level < 5; ++level) {
        total += static_cast<double>(p(decisions.targets.query[m], 5 * f + level));
      }
      EXPECT_NEAR(total, 1, 1e-5);
      const int chosen = decisions.targets.choice[6 * m + f];
      sum += std::log(static_cast<double>(p(decisions.targets.query[m], 5 * f + chosen)));
    }
    EXPECT_NEAR(static_cast<double>(log_p[m]), sum, 1e-4);
  }
}

// a residual model begins with the probabilities of the one it is added to, so the reward is 0
TEST(SimulatorSampler, ResidualBeginsAtNothing) {
  const SimulatorPtr simulator = cheetah(5);
  for (const char* algorithm : {"implicit", "mixture"}) {
    TrainSettings settings = small(algorithm);
    settings.hindsight = HindsightForm::residual;
    settings.T_smooth = 8;
    Learner learner(make_agent(simulator.get(), settings));
    const Batch batch = Sampled(learner.agent(), 6).batch;
    for (int r = 5 * 6; r < 6 * 6; ++r) {
      EXPECT_NEAR(reward_of(learner.agent(), batch, r), 0, 1e-5) << algorithm;
    }
    // and departs from them once it learns
    learner.update();
    learner.update();
    const Batch again = Sampled(learner.agent(), 6).batch;
    EXPECT_NE(reward_of(learner.agent(), again, 5 * 6), 0) << algorithm;
    settings.hindsight = HindsightForm::separate;
    const Agent separate = make_agent(simulator.get(), settings);
    const Batch other = Sampled(separate, 6).batch;
    EXPECT_GT(std::abs(reward_of(separate, other, 5 * 6)), 1e-3);
  }
}

TEST(SimulatorSampler, GoalsAreCodedLikeTheStatesThatTheyAreSeenFrom) {
  const SimulatorPtr simulator = cheetah(4);
  const SimulatorSpec& world = simulator->spec();
  const Agent agent = make_agent(simulator.get(), small("implicit"));
  const int B = 2;
  const Batch batch = Sampled(agent, B).batch;
  const Encoding& encoding = agent.encoding;
  const Codes& codes = *batch.codes;
  // time, then the numbers of the goal, in the same order in both codes
  EXPECT_EQ(encoding.goals.D, 3);
  EXPECT_EQ(encoding.goal_numbers(), 7);
  EXPECT_TRUE(encoding.relative);
  for (int row : {4 * B, 4 * B + 1}) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_EQ(codes.goal_numbers[row * 3 + j], codes.numbers[row * encoding.states.D + j]);
    }
    EXPECT_EQ(codes.goal_numbers[row * 3], 1);
  }
  // scaled back, they are the distance and the pitch
  const Scales& scales = agent.scales;
  const double* state = &codes.observed[4 * B * world.n()];
  EXPECT_NEAR(codes.goal_numbers[4 * B * 3 + 1] * scales.deviation[0] + scales.mean[0], state[0],
              1e-12);
  EXPECT_NEAR(codes.goal_numbers[4 * B * 3 + 2] * scales.deviation[2] + scales.mean[2], state[2],
              1e-12);
}

// options conditioned on three goals: one metre back, one forward, a turn
struct Sent {
  static constexpr int B = 3;
  Batch batch;
  ActorWorkspace work;

  Sent(const Agent& agent, const Simulator& simulator, const Actor& actor) {
    const SimulatorSpec& world = simulator.spec();
    std::vector<double> s_f;
    for (int b = 0; b < B; ++b) s_f.insert(s_f.end(), world.start.begin(), world.start.end());
    s_f[0] -= 1;
    s_f[world.n()] += 1;
    s_f[2 * world.n() + 2] += 2 * std::numbers::pi;
    SimulatorSampler sampler(simulator, agent.encoding, agent.scales, 1);
    sampler.set_goals(s_f);
    const std::vector<Beginning> beginnings = {{.goal = 0}, {.goal = 1}, {.goal = 2}};
    sampler.sample(batch, actor, work, beginnings, {});
  }
};

// each actuator takes the level that is likeliest under pi_q, conditioned on the option's own goal;
// where pi_q is residual, under its sum with pi_p
TEST(SimulatorSampler, SentOptionsDoWhatIsLikeliestToTheGoalPolicy) {
  const SimulatorPtr simulator = cheetah(6, "cell");
  const SimulatorSpec& world = simulator->spec();
  for (HindsightForm hindsight : {HindsightForm::separate, HindsightForm::residual}) {
    SCOPED_TRACE(name_of(hindsight));
    TrainSettings settings = small("implicit");
    settings.hindsight = hindsight;
    settings.learning_rate = 0.05;
    Learner learner(make_agent(simulator.get(), settings));
    for (int u = 0; u < 5; ++u) learner.update();
    const Agent& agent = learner.agent();
    const Actor actor = *goal_policy_of(agent, /*temperature=*/0);
    Sent sent(agent, *simulator, actor);
    const Batch& batch = sent.batch;
    EXPECT_EQ(batch.goal, (std::vector<int>{0, 1, 2}));
    // the logits of both models
    Queries queries;
    for (int row = 0; row < world.T * Sent::B; ++row) {
      queries.row.push_back(row);
      queries.goal.push_back(row % Sent::B);
    }
    SequenceWorkspace<float> of_pi_q, of_pi_p;
    actor.policy.net().encode(of_pi_q, batch.tree(), batch.inputs.view());
    const MatrixView<const float> own = actor.policy.net().query(of_pi_q, queries, *batch.codes);
    queries.goal.clear();
    agent.pi_p().net().encode(of_pi_p, batch.tree(), batch.inputs.view());
    const MatrixView<const float> other = agent.pi_p().net().query(of_pi_p, queries, *batch.codes);
    // the actor's log-probabilities of its own decisions are the softmax of the same logits
    Decisions decisions;
    decisions.read(batch, agent.encoding);
    std::vector<float> log_p;
    actor.cached_log_p(log_p, sent.work, decisions.queries, decisions.targets, batch.context());
    bool all_alike = true;
    for (int row = 0; row < world.T * Sent::B; ++row) {
      double sum = 0;
      for (int f = 0; f < world.F(); ++f) {
        const auto logit = [&](int level) {
          const int j = f * world.L() + level;
          return own(row, j) + (hindsight == HindsightForm::residual ? other(row, j) : 0);
        };
        const auto level_of = [&](int a) { return batch.codes->choice(agent.encoding, a, f); };
        const int chosen = level_of(batch.decision_action[row]);
        double total = 0;
        for (int level = 0; level < world.L(); ++level) {
          EXPECT_LE(logit(level), logit(chosen));
          total += std::exp(static_cast<double>(logit(level) - logit(chosen)));
        }
        sum -= std::log(total);
        all_alike = all_alike && chosen == level_of(row - row % Sent::B);
      }
      EXPECT_NEAR(static_cast<double>(log_p[row]), sum, 1e-4);
    }
    EXPECT_FALSE(all_alike);
  }
}

TEST(SimulatorSampler, CannotBeConditionedOnMoreGoalsThanItHasRows) {
  const SimulatorPtr simulator = cheetah(1, "cell");
  const SimulatorSpec& world = simulator->spec();
  const Agent agent = make_agent(simulator.get(), small("implicit"));
  std::vector<double> s_f = world.start;
  s_f.insert(s_f.end(), world.start.begin(), world.start.end());
  SimulatorSampler sampler(*simulator, agent.encoding, agent.scales, 1);
  sampler.set_goals(s_f);
  Batch batch;
  ActorWorkspace work;
  const Actor actor = *goal_policy_of(agent);
  const std::vector<Beginning> one = {{.goal = 1}}, two = {{.goal = 0}, {.goal = 1}}, free = {{}};
  EXPECT_THROW(sampler.sample(batch, actor, work, one, {}), Error);
  EXPECT_NO_THROW(sampler.sample(batch, actor, work, two, {}));
  // goals do not matter to options that are conditioned on none
  EXPECT_NO_THROW(sampler.sample(batch, policy_of(agent), work, free, {}));
}

// sticky_action_logit is the log of the factor by which a level is likelier after it was chosen
TEST(SimulatorSampler, PolicyBeginsByRepeatingItself) {
  const SimulatorPtr simulator = cheetah(30);
  const SimulatorSpec& world = simulator->spec();
  for (double logit : {0.0, 3.0}) {
    TrainSettings settings = small("marginal");
    settings.sticky_action_logit = logit;
    const Agent agent = make_agent(simulator.get(), settings);
    const int B = 40;
    const Batch batch = Sampled(agent, B).batch;
    const auto level = [&](int row, int f) { return batch.codes->choice(agent.encoding, row, f); };
    int repeats = 0, all = 0;
    for (int row = B; row < world.T * B; ++row) {
      for (int f = 0; f < 6; ++f) {
        repeats += level(row, f) == level(row - B, f);
        ++all;
      }
    }
    const double share = static_cast<double>(repeats) / all;
    EXPECT_NEAR(share, std::exp(logit) / (std::exp(logit) + 4), 0.03);
  }
}

TEST(SimulatorSampler, UpdatesAreTheSameOnTwoThreads) {
  const SimulatorPtr simulator = cheetah(6);
  for (const char* algorithm : {"implicit", "mixture", "marginal"}) {
    TrainSettings settings = small(algorithm);
    settings.batch = 40;
    settings.hindsight =
        std::string(algorithm) == "marginal" ? HindsightForm::separate : HindsightForm::residual;
    settings.T_smooth = 8;
    Learner one(make_agent(simulator.get(), settings));
    settings.threads = 2;
    Learner two(make_agent(simulator.get(), settings));
    for (int u = 0; u < 3; ++u) {
      one.update();
      two.update();
    }
    const auto values = [](const Learner& learner, std::size_t i) {
      return learner.agent().models[i].model.net().parameters().values;
    };
    for (std::size_t i = 0; i < one.agent().models.size(); ++i) {
      EXPECT_EQ(values(one, i), values(two, i)) << algorithm;
    }
    EXPECT_EQ(one.metrics().reward, two.metrics().reward);
  }
}

TEST(SimulatorSampler, ScalesAreThoseOfRandomOptions) {
  const SimulatorPtr simulator = cheetah(20);
  const SimulatorSpec& world = simulator->spec();
  const Scales scales = measure_scales(*simulator, 1);
  ASSERT_EQ(scales.mean.size(), 18U);
  double sum = 0, squares = 0, steps = 0;
  for (int b = 0; b < 64; ++b) {
    const std::vector<double> states = random_option(*simulator, 1, b);
    for (int t = 1; t <= world.T; ++t) {
      const double z = states[t * 18 + 1];
      sum += z;
      squares += z * z;
      steps += std::pow(z - states[(t - 1) * 18 + 1], 2);
    }
  }
  const double N = 64.0 * world.T;
  EXPECT_NEAR(scales.mean[1], sum / N, 1e-12);
  EXPECT_NEAR(scales.deviation[1], std::sqrt(squares / N - sum / N * sum / N), 1e-9);
  EXPECT_NEAR(scales.step[1], std::sqrt(steps / N), 1e-12);
}

}  // namespace
}  // namespace vic
