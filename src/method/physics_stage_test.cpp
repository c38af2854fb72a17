// Options of bodies: what the batch says is what MuJoCo did, and what the models say of it is what
// they say of one option alone.
#include "method/physics_stage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "method/learner.h"
#include "sim/mujoco/physics_registry.h"
#include "sim/survey.h"

namespace vic {
namespace {

PhysicsWorld cheetah(int T, const std::string& goal = "rootx rooty") {
  Overrides overrides({{"world.T", std::to_string(T), "test"}, {"world.goal", goal, "test"}});
  return load_physics_world("half-cheetah", overrides);
}

TrainSettings small(const std::string& algorithm) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.batch = 6;
  settings.hidden = 16;
  settings.warm_up = 0;
  return settings;
}

struct Drawn {
  Batch batch;
  HistoryInputs<float> inputs;
};

Drawn draw(Learner& learner, int B, std::uint32_t update = 0) {
  Drawn drawn;
  learner.draw(drawn.batch, drawn.inputs, B, {.seed = 5, .update = update});
  return drawn;
}

TEST(PhysicsStage, BatchHasTheStatesThatItsActionsLeadTo) {
  const PhysicsWorld world = cheetah(4);
  Learner learner(world, small("implicit"));
  const int B = 5;
  const Drawn drawn = draw(learner, B);
  const Batch& batch = drawn.batch;
  ASSERT_EQ(batch.histories.rows(), (world.T + 1) * B);
  const ActionCode& actions = learner.encoding().actions;
  for (int b = 0; b < B; ++b) {
    PhysicsEpisode episode(world);
    std::vector<double> state(world.n);
    for (int t = 0; t <= world.T; ++t) {
      const int row = t * B + b;
      episode.state(state);
      const std::span<const double> met = learner.physics()->state(batch.histories.state[row]);
      // bit by bit
      EXPECT_EQ(std::vector<double>(met.begin(), met.end()), state);
      EXPECT_EQ(batch.ended[row], t == world.T ? 1 : 0);
      if (t == world.T) break;
      std::vector<int> levels;
      actions.append_choices(levels, batch.decision_action[row]);
      ASSERT_EQ(levels.size(), 6U);
      EXPECT_EQ(batch.histories.action[row + B], batch.decision_action[row]);
      episode.step(levels);
    }
    std::vector<double> way = world.start;
    way.insert(way.end(), state.begin(), state.end());
    PhysicsBody body(world);
    EXPECT_EQ(batch.cell[world.T * B + b],
              PhysicsStage::number_of(behaviour_of(world, body, way).cell));
  }
}

// log pi_p of an option as the sum of six softmaxes a step
TEST(PhysicsStage, LogProbabilityIsTheSumOverTheMotors) {
  const PhysicsWorld world = cheetah(3);
  Learner learner(world, small("implicit"));
  const int B = 4;
  const Drawn drawn = draw(learner, B);
  Decisions decisions;
  decisions.read(drawn.batch, learner.encoding().actions);
  std::vector<float> log_p;
  learner.pi_p().kept_log_p(log_p, decisions.outcomes);
  ASSERT_EQ(log_p.size(), static_cast<std::size_t>(world.T) * B);
  learner.pi_p().model().encode(drawn.batch.tree(), drawn.inputs.view());
  const MatrixView<const float> p = learner.pi_p().probabilities(decisions.queries);
  ASSERT_EQ(p.cols, 30);
  for (std::size_t m = 0; m < log_p.size(); ++m) {
    double sum = 0;
    for (int f = 0; f < 6; ++f) {
      double total = 0;
      for (int level = 0; level < 5; ++level) {
        total += static_cast<double>(p(decisions.outcomes.query[m], 5 * f + level));
      }
      EXPECT_NEAR(total, 1, 1e-5);
      const int chosen = decisions.outcomes.choice[6 * m + f];
      sum += std::log(static_cast<double>(p(decisions.outcomes.query[m], 5 * f + chosen)));
    }
    EXPECT_NEAR(static_cast<double>(log_p[m]), sum, 1e-4);
  }
}

// a model that corrects another one begins by saying the same, and so finds nothing
TEST(PhysicsStage, CorrectionBeginsAtNothing) {
  const PhysicsWorld world = cheetah(5);
  for (const char* algorithm : {"implicit", "mixture"}) {
    TrainSettings settings = small(algorithm);
    settings.hindsight = "correction";
    settings.T_smooth = 4;
    Learner learner(world, settings);
    const Drawn drawn = draw(learner, 6);
    for (int r = 5 * 6; r < 6 * 6; ++r) {
      EXPECT_NEAR(learner.intrinsic_rewards(drawn.batch, drawn.inputs)[r], 0, 1e-5) << algorithm;
    }
    // and learns something else, as soon as it learns
    learner.update();
    learner.update();
    const Drawn again = draw(learner, 6);
    EXPECT_NE(learner.intrinsic_rewards(again.batch, again.inputs)[5 * 6], 0) << algorithm;
    settings.hindsight = "apart";
    Learner apart(world, settings);
    const Drawn other = draw(apart, 6);
    EXPECT_GT(std::abs(apart.intrinsic_rewards(other.batch, other.inputs)[5 * 6]), 1e-3);
  }
}

TEST(PhysicsStage, GoalIsToldAsItIsSeenAndHowFast) {
  const PhysicsWorld world = cheetah(4);
  Learner learner(world, small("implicit"));
  const int B = 2;
  const Drawn drawn = draw(learner, B);
  const PhysicsStage& stage = *learner.physics();
  // time, then the numbers of the goal, in the same order in both codes
  EXPECT_EQ(stage.goals.D, 3);
  EXPECT_EQ(stage.goals.goal_numbers(), 7);
  EXPECT_TRUE(stage.goals.relative);
  for (int row : {4 * B, 4 * B + 1}) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_EQ(stage.goals.numbers[row * 3 + j], stage.states.numbers[row * stage.states.D + j]);
    }
    EXPECT_EQ(stage.goals.numbers[row * 3], 1);
  }
  // scaled back, they are the distance and the pitch
  const Scales& scales = learner.physics()->scales();
  EXPECT_NEAR(stage.goals.numbers[4 * B * 3 + 1] * scales.deviation[0] + scales.mean[0],
              stage.state(4 * B)[0], 1e-12);
  EXPECT_NEAR(stage.goals.numbers[4 * B * 3 + 2] * scales.deviation[2] + scales.mean[2],
              stage.state(4 * B)[2], 1e-12);
}

// each motor takes the level that pi_q, told the option's own goal, likes best; where pi_q corrects
// pi_p, the two together
TEST(PhysicsStage, SentOptionsDoWhatTheGoalPolicySays) {
  const PhysicsWorld world = cheetah(6, "cell");
  for (const char* hindsight : {"apart", "correction"}) {
    TrainSettings settings = small("implicit");
    settings.hindsight = hindsight;
    settings.learning_rate = 0.05;
    Learner learner(world, settings);
    for (int u = 0; u < 5; ++u) learner.update();
    // one metre back, one forward, a turn
    const int B = 3, n = world.n;
    std::vector<double> s_f;
    for (int b = 0; b < B; ++b) s_f.insert(s_f.end(), world.start.begin(), world.start.end());
    s_f[0] -= 1;
    s_f[n] += 1;
    s_f[2 * n + 2] += 2 * std::numbers::pi;
    learner.physics()->tell(s_f);
    const Actor actor = *learner.goal_actor(/*temperature=*/0);
    const std::vector<Beginning> beginnings = {{.told = 0}, {.told = 1}, {.told = 2}};
    Drawn sent;
    learner.stage().draw(sent.batch, sent.inputs, actor, beginnings, {}, {});
    EXPECT_EQ(sent.batch.told, (std::vector<int>{0, 1, 2}));
    Queries queries;
    for (int row = 0; row < world.T * B; ++row) {
      queries.row.push_back(row);
      queries.goal.push_back(row % B);
    }
    Predictor& pi_q = actor.policy;
    pi_q.model().encode(sent.batch.tree(), sent.inputs.view());
    const MatrixView<const float> says = pi_q.model().answer(queries);
    queries.goal.clear();
    learner.pi_p().model().encode(sent.batch.tree(), sent.inputs.view());
    const MatrixView<const float> before = learner.pi_p().model().answer(queries);
    const ActionCode& actions = learner.encoding().actions;
    // what the actor says of its own decisions is the softmax of the same
    Decisions decisions;
    decisions.read(sent.batch, actions);
    std::vector<float> log_p;
    actor.kept_log_p(log_p, decisions.queries, decisions.outcomes,
                     {sent.batch.histories, sent.inputs.view(), sent.batch.tree()});
    bool all_alike = true;
    for (int row = 0; row < world.T * B; ++row) {
      double sum = 0;
      for (int f = 0; f < world.M; ++f) {
        const auto logit = [&](int level) {
          const int j = f * world.L + level;
          return says(row, j) + (settings.corrects() ? before(row, j) : 0);
        };
        const int chosen = actions.choice(sent.batch.decision_action[row], f);
        double total = 0;
        for (int level = 0; level < world.L; ++level) {
          EXPECT_LE(logit(level), logit(chosen));
          total += std::exp(static_cast<double>(logit(level) - logit(chosen)));
        }
        sum -= std::log(total);
        all_alike = all_alike && chosen == actions.choice(row - row % B, f);
      }
      EXPECT_NEAR(static_cast<double>(log_p[row]), sum, 1e-4) << hindsight;
    }
    EXPECT_FALSE(all_alike) << hindsight;
  }
}

TEST(PhysicsStage, CannotBeToldMoreGoalsThanItHasRows) {
  const PhysicsWorld world = cheetah(1, "cell");
  Learner learner(world, small("implicit"));
  std::vector<double> s_f = world.start;
  s_f.insert(s_f.end(), world.start.begin(), world.start.end());
  learner.physics()->tell(s_f);
  Drawn drawn;
  const Actor actor = *learner.goal_actor();
  const std::vector<Beginning> one = {{.told = 1}}, two = {{.told = 0}, {.told = 1}}, free = {{}};
  EXPECT_THROW(learner.stage().draw(drawn.batch, drawn.inputs, actor, one, {}, {}), Error);
  EXPECT_NO_THROW(learner.stage().draw(drawn.batch, drawn.inputs, actor, two, {}, {}));
  // goals are of no concern to those who are told nothing
  EXPECT_NO_THROW(learner.stage().draw(drawn.batch, drawn.inputs, learner.pi_p(), free, {}, {}));
}

// persistence is the logarithm of how much likelier a level is where it was chosen before
TEST(PhysicsStage, PolicyBeginsByRepeatingItself) {
  const PhysicsWorld world = cheetah(30);
  for (double persistence : {0.0, 3.0}) {
    TrainSettings settings = small("marginal");
    settings.persistence = persistence;
    Learner learner(world, settings);
    const int B = 40;
    const Drawn drawn = draw(learner, B);
    const ActionCode& actions = learner.encoding().actions;
    int repeats = 0, all = 0;
    for (int row = B; row < world.T * B; ++row) {
      for (int f = 0; f < 6; ++f) {
        repeats += actions.choice(row, f) == actions.choice(row - B, f);
        ++all;
      }
    }
    const double share = static_cast<double>(repeats) / all;
    EXPECT_NEAR(share, std::exp(persistence) / (std::exp(persistence) + 4), 0.03);
  }
}

TEST(PhysicsStage, UpdatesAreTheSameOnTwoThreads) {
  const PhysicsWorld world = cheetah(6);
  for (const char* algorithm : {"implicit", "mixture", "marginal"}) {
    TrainSettings settings = small(algorithm);
    settings.hindsight = std::string(algorithm) == "marginal" ? "apart" : "correction";
    settings.T_smooth = 4;
    Learner one(world, settings);
    settings.threads = 2;
    Learner two(world, settings);
    for (int u = 0; u < 3; ++u) {
      one.update();
      two.update();
    }
    const auto a = one.predictors(), b = two.predictors();
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i]->model().parameters().values, b[i]->model().parameters().values) << algorithm;
    }
    EXPECT_EQ(one.metrics().reward, two.metrics().reward);
  }
}

TEST(PhysicsStage, ScalesAreThoseOfRandomOptions) {
  const PhysicsWorld world = cheetah(20);
  const Scales scales = measure_scales(world, 1);
  ASSERT_EQ(scales.mean.size(), 18U);
  double sum = 0, squares = 0, steps = 0;
  for (int b = 0; b < 64; ++b) {
    const std::vector<double> states = random_option(world, 1, b);
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
