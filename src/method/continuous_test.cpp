// Continuous actions: a policy over controls, in all that needs no levels.
#include "method/simulator_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "method/learner.h"
#include "sim/world.h"
#include "support/gradient_check.h"

namespace vic::continuous_test {
namespace {

SimulatorPtr cheetah(int T) {
  Overrides overrides({{"world.T", std::to_string(T), "test"}});
  return load_simulator("half-cheetah", overrides);
}

TrainSettings small(const std::string& algorithm) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.batch = 6;
  settings.hidden = 16;
  settings.warm_up = 0;
  settings.actions = ActionKind::gaussian;
  return settings;
}

// a net in float, and its whole gradient by differences along it
TEST(ContinuousActions, LearnByTheGradientOfTheirDensity) {
  const SimulatorPtr simulator = cheetah(5);
  for (const char* algorithm : {"marginal", "implicit"}) {
    Agent agent = make_agent(simulator.get(), small(algorithm));
    Scores scores;
    Batch batch;
    sample_options(batch, agent, *make_sampler(agent), scores.policy, 6, {.seed = 5});
    Decisions& decisions = scores.decisions;
    decisions.read(batch, agent.encoding);
    ASSERT_EQ(decisions.targets.choice.size(), decisions.targets.query.size());
    for (std::size_t d = 0; d < decisions.targets.query.size(); ++d) {
      decisions.scale.push_back(d % 2 == 0 ? 0.3F : -0.1F);
    }
    const Role role = algorithm == std::string("implicit") ? Role::pi_q : Role::pi_p;
    Model& model = agent.models[static_cast<std::size_t>(agent.place_of(role))].model;
    Queries queries = decisions.queries;
    if (role == Role::pi_q) {
      for (int row : queries.row) {
        queries.goal.push_back(batch.histories.first[5] + batch.histories.root[row]);
      }
    }
    ModelWorkspace work;
    const auto loss = [&] {
      model.net().encode(work.net, batch.tree(), batch.inputs.view());
      std::vector<float> log_p;
      model.log_p(log_p, work, queries, decisions.targets, batch.context());
      double sum = 0;
      for (std::size_t d = 0; d < log_p.size(); ++d) {
        sum -= double(decisions.scale[d]) * double(log_p[d]);
      }
      return sum;
    };
    loss();
    Block<float>& values = model.net().parameters().values;
    Block<float> gradient(values.size(), 0.0F);
    model.add_gradient(gradient, work, queries, decisions.targets, decisions.scale,
                       batch.context());
    expect_slope_along(gradient, values, loss, 1e-2);
  }
}

TEST(ContinuousActions, AreControlsOfTheWholeRange) {
  const SimulatorPtr simulator = cheetah(4);
  const SimulatorSpec& spec = simulator->spec();
  const Agent agent = make_agent(simulator.get(), small("random"));
  EXPECT_EQ(agent.encoding.A, 0);
  const int B = 5;
  Batch batch;
  ActorWorkspace work;
  sample_options(batch, agent, *make_sampler(agent), work, B, {.seed = 5});
  std::set<double> drawn;
  for (int b = 0; b < B; ++b) {
    const auto episode = simulator->make_episodes(1, 1);
    for (int t = 0; t < spec.T; ++t) {
      const int row = t * B + b;
      const std::vector<double> controls = controls_of(spec, *batch.codes, row);
      for (double control : controls) EXPECT_LT(std::abs(control), 1);
      drawn.insert(controls.begin(), controls.end());
      episode->step_controls(controls);
      const auto met = observed_state(batch, spec.n(), row + B);
      EXPECT_TRUE(std::ranges::equal(met, episode->state(0)));
      // what was done stands at the end of the next state's code
      const double* code =
          &batch.codes->numbers[std::size_t(row + B + 1) * agent.encoding.states.D];
      for (int i = 0; i < 6; ++i) EXPECT_NEAR(code[i - 6], controls[i], 1e-12);
    }
    EXPECT_THROW(episode->step_controls(std::vector<double>(6, 0)), UsageError);
  }
  EXPECT_EQ(drawn.size(), std::size_t(B * spec.T * spec.F())) << "each is drawn on its own";
  const auto episode = simulator->make_episodes(1, 1);
  EXPECT_THROW(episode->step_controls(std::vector<double>(5, 0)), UsageError);
  EXPECT_THROW(episode->step_controls(std::vector<double>(6, 1.5)), UsageError);
}

TEST(ContinuousActions, AreRefusedWhereLevelsAreNeeded) {
  const SimulatorPtr simulator = cheetah(4);
  for (const char* algorithm : {"belief", "mixture", "open-loop"}) {
    EXPECT_THROW(make_agent(simulator.get(), small(algorithm)), UsageError) << algorithm;
  }
  TrainSettings sticky = small("implicit");
  sticky.sticky_action_logit = 4;
  EXPECT_THROW(make_agent(simulator.get(), sticky), UsageError);
}

TEST(ContinuousActions, TrainInAllThatHaveNoLevels) {
  for (const char* algorithm : {"marginal", "implicit", "counted", "explicit", "diayn"}) {
    TrainSettings settings = small(algorithm);
    settings.batch = 32;
    settings.epochs = 2;
    settings.hindsight = HindsightForm::residual;
    if (algorithm == std::string("marginal")) settings.critic = CriticKind::belief;
    const SimulatorPtr simulator = cheetah(4);
    Learner learner(make_agent(simulator.get(), settings));
    const auto before = learner.agent().pi_p().net().parameters().values;
    for (int u = 0; u < 3; ++u) learner.update();
    EXPECT_TRUE(std::isfinite(learner.metrics().reward)) << algorithm;
    EXPECT_NE(learner.agent().pi_p().net().parameters().values, before) << algorithm;
  }
}

}  // namespace
}  // namespace vic::continuous_test
