#include "method/learner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "base/error.h"
#include "support/message_of.h"
#include "support/named_world.h"
#include "support/options.h"
#include "support/random_world.h"
#include "support/small_settings.h"

namespace vic {
namespace {

const char* const all_algorithms[] = {"implicit", "transition", "mixture", "marginal"};

std::string usage_error(const TabularWorld& world, const TrainSettings& settings) {
  return message_of([&] { make_agent(&world, settings); });
}

TEST(Learner, MetricsAreMeansOverTheOptions) {
  const TabularWorld world = random_world(9);
  Learner learner(make_agent(&world, small_settings("transition")));
  learner.update();
  // the first update is of a warm-up: pi_p samples the same options again
  const Agent& agent = learner.agent();
  ActorWorkspace work;
  Batch batch;
  sample_options(batch, agent, *make_sampler(agent), work, 32, {.seed = 1, .update = 0});
  double external = 0, length = 0;
  std::vector<double> p_f(world.S, 0);
  for (int r = 0; r < batch.histories.rows(); ++r) {
    const double share = batch.ended[r] / 32.0;
    external += share * batch.external[r];
    length += share * static_cast<double>(path_to(batch.histories, r).size());
    p_f[batch.histories.state[r]] += share;
  }
  double entropy = 0;
  for (double p : p_f) entropy -= p > 0 ? p * std::log(p) : 0;
  const Metrics metrics = learner.metrics();
  EXPECT_EQ(metrics.update, 1);
  EXPECT_NEAR(metrics.external, external, 1e-12);
  EXPECT_NEAR(metrics.length, length, 1e-12);
  EXPECT_NEAR(metrics.I_hat, entropy, 1e-12) << "one batch: the running p(s_f) is its own";
  EXPECT_EQ(metrics.baseline, metrics.reward) << "b(s_0) begins at the first reward";
  EXPECT_GT(metrics.loss_pi_q, 0.5);
  EXPECT_GT(metrics.loss_rho_p, 0.1);
  EXPECT_GT(metrics.loss_rho_q, 0.1);
}

TEST(Learner, RefusesSettingsThatDoNotFitInOneSentence) {
  const TabularWorld line = world_named("line");
  TrainSettings odd = small_settings("transition");
  odd.hidden = 20;
  EXPECT_EQ(usage_error(line, odd),
            "train.hidden = 20 is not allowed; it must be a multiple of 8.");
  EXPECT_EQ(usage_error(line, small_settings("transitions")),
            "There is no algorithm 'transitions'; did you mean transition?");
  EXPECT_EQ(usage_error(line, small_settings("ppo")),
            "There is no algorithm 'ppo'; known are implicit, transition, mixture, marginal, "
            "counted, belief, reward, explicit, counted-skills, diayn, open-loop and random.");

  WorldBuilder builder("nowhere", {"go"}, 2);
  for (int s = 0; s < 2; ++s) {
    builder.add_state(fmt::format("s{}", s), {});
    builder.set_outcomes(s, 0, std::vector<Outcome>{{1 - s, 1}});
  }
  const TabularWorld nowhere = builder.build(0);
  EXPECT_EQ(usage_error(nowhere, small_settings("mixture")),
            "The algorithm mixture predicts coordinates, and nowhere has none; take transition.");
  TrainSettings coords = small_settings("implicit");
  coords.encoding = StateCode::coords;
  EXPECT_EQ(
      usage_error(nowhere, coords),
      "nowhere has no coordinates, and train.encoding = coords is nothing else; take onehot.");
  EXPECT_EQ(usage_error(nowhere, small_settings("transition")), "no error");
  TabularWorld trap = nowhere;
  trap.absorbing[0] = true;
  EXPECT_EQ(usage_error(trap, small_settings("marginal")),
            "nowhere starts in s0, where every option ends at once; there is nothing to learn.");
}

TEST(Learner, HasTheModelsOfItsAlgorithm) {
  const TabularWorld world = world_named("line-noisy");
  const std::vector<std::string> all = {"pi_p", "pi_q", "rho_p", "rho_q"};
  const std::map<std::string, std::size_t> count = {
      {"implicit", 2}, {"transition", 4}, {"mixture", 4}, {"marginal", 1}};
  for (const auto& [algorithm, models] : count) {
    const Agent agent = make_agent(&world, small_settings(algorithm.c_str()));
    ASSERT_EQ(agent.models.size(), models);
    for (std::size_t i = 0; i < models; ++i) {
      EXPECT_EQ(agent.models[i].model.shape().name, all[i]);
    }
  }
}

std::vector<Block<float>> parameters_after(const TabularWorld& world, TrainSettings settings,
                                           int updates) {
  Learner learner(make_agent(&world, settings));
  for (int i = 0; i < updates; ++i) learner.update();
  std::vector<Block<float>> values;
  for (const AgentModel& model : learner.agent().models) {
    values.push_back(model.model.net().parameters().values);
  }
  return values;
}

TEST(Learner, TheSameSeedGivesTheSameBitsOnAnyThreadsAndAnotherOneDoesNot) {
  const TabularWorld world = world_named("line-noisy");
  for (const char* algorithm : all_algorithms) {
    TrainSettings settings = small_settings(algorithm);
    const auto first = parameters_after(world, settings, 50);
    EXPECT_EQ(parameters_after(world, settings, 50), first) << algorithm;
    settings.threads = 2;
    EXPECT_EQ(parameters_after(world, settings, 50), first) << algorithm << " on two threads";
    settings.seed = 2;
    const auto other = parameters_after(world, settings, 50);
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NE(other[i], first[i]) << algorithm;
  }
}

TEST(Learner, WarmUpTrainsAllButThePolicy) {
  const TabularWorld world = world_named("line-noisy");
  for (const char* algorithm : all_algorithms) {
    SCOPED_TRACE(algorithm);
    const TrainSettings settings = small_settings(algorithm);
    const auto fresh = parameters_after(world, settings, 0);
    const auto warm = parameters_after(world, settings, settings.warm_up);
    const auto later = parameters_after(world, settings, settings.warm_up + 1);
    EXPECT_EQ(warm[0], fresh[0]);
    EXPECT_NE(later[0], warm[0]) << "the policy learns from the first update after it";
    for (std::size_t i = 1; i < fresh.size(); ++i) EXPECT_NE(warm[i], fresh[i]);
  }
}

TEST(Learner, ANumberThatIsNotFiniteStopsItWithTheNameOfModelAndUpdate) {
  const TabularWorld world = world_named("line-noisy");
  for (const char* algorithm : all_algorithms) {
    const std::size_t models = make_agent(&world, small_settings(algorithm)).models.size();
    for (std::size_t i = 0; i < models; ++i) {
      for (const char* slice : {"lstm.W_h", "lstm.b", "hidden.W", "hidden.b", "out.W", "out.b"}) {
        TrainSettings settings = small_settings(algorithm);
        settings.threads = 1 + static_cast<int>(i % 2);
        Learner learner(make_agent(&world, settings));
        for (int u = 0; u < 7; ++u) learner.update();
        SequenceModel<float>& model = learner.agent().models[i].model.net();
        const ParameterLayout& layout = model.parameters().layout;
        model.parameters().values[layout.slice(layout.find(slice)).offset] =
            std::numeric_limits<float>::quiet_NaN();
        try {
          learner.update();
          ADD_FAILURE() << algorithm << ": NaN in " << slice << " of " << model.shape().name;
        } catch (const Error& error) {
          const std::string expected =
              fmt::format("{} gives a log-probability of nan at update 7", model.shape().name);
          EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
        }
      }
    }
  }
}

TEST(Learner, TheRateFallsToItsFinalShare) {
  const TabularWorld world = world_named("line");
  TrainSettings settings = small_settings("marginal");
  settings.warm_up = 0;
  settings.updates = 100;
  settings.final_rate = 0;
  settings.beta_1 = 0;
  settings.beta_2 = 0;
  Learner learner(make_agent(&world, settings));
  const auto& values = learner.agent().pi_p().net().parameters().values;
  for (int u = 0; u <= 100; ++u) {
    const Block<float> before = values;
    learner.update();
    double largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      largest = std::max(largest, std::abs(static_cast<double>(values[i] - before[i])));
    }
    // without Adam's averages every parameter that has a gradient moves by the rate itself
    EXPECT_NEAR(largest, settings.learning_rate * (100 - u) / 100, 1e-6);
  }
}

// a policy that stops at once leaves the transition models with nothing to learn from
TEST(Learner, GoesOnWhereNobodyMoves) {
  for (const char* algorithm : {"implicit", "transition", "mixture", "marginal", "explicit"}) {
    const TabularWorld world = world_named("line");
    TrainSettings settings;
    settings.algorithm = algorithm;
    settings.warm_up = 0;
    Learner learner(make_agent(&world, settings));
    Parameters<float>& parameters = learner.agent().models[0].model.net().parameters();
    const Slice& bias = parameters.layout.slice(parameters.layout.find("out.b"));
    view(parameters.values, bias)(0, world.A) += 1000;
    for (int i = 0; i < 3; ++i) learner.update();
    EXPECT_EQ(learner.metrics().length, 1) << algorithm;
    EXPECT_NEAR(learner.metrics().I_hat, 0, 1e-12) << algorithm;
  }
}

}  // namespace
}  // namespace vic
