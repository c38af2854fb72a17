#include "method/normalise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "method/learner.h"
#include "sim/world.h"
#include "support/message_of.h"
#include "support/named_world.h"
#include "support/options.h"
#include "support/random_world.h"
#include "support/small_settings.h"

namespace vic::normalise_test {
namespace {

// an agent whose weights are far from their small initial values
Agent stirred(WorldRef world, TrainSettings settings, float times = 8) {
  settings.normalise = Normalise::goals;
  Agent agent = make_agent(world, settings);
  for (AgentModel& model : agent.models) {
    for (float& x : model.model.net().parameters().values) x *= times;
  }
  return agent;
}

struct Scored {
  Batch batch;
  Scores scores;
  RunningFrequencies counts;

  explicit Scored(const Agent& agent, int options = 64) {
    sample_options(batch, agent, *make_sampler(agent), scores.policy, options, {.seed = 5});
    counts = RunningFrequencies(1, agent.final_states());
    counts.add(ends_of(batch), 0.5);
    score(scores, agent, {.batch = batch, .recent = counts});
  }
};

// with cells so small that four actions reach many
SimulatorPtr cheetah() {
  Overrides overrides({{"world.T", "4", "test"}, {"world.bin", "0.01", "test"}});
  return load_simulator("half-cheetah", overrides);
}

// log f(tau, g) of a single option, one query at a time
struct NaiveProduct {
  const Agent& agent;
  const Batch& batch;

  double log_p(Role role, int row, Queries query, const std::vector<int>& choices) const {
    const QueryContext context = batch.context();
    const Model& model = *agent.find(role);
    query.row = {row};
    ModelWorkspace work;
    model.net().encode(work.net, context.tree, context.inputs);
    std::vector<float> log_p;
    model.log_p(log_p, work, query, {.query = {0}, .choice = choices}, context);
    return static_cast<double>(log_p[0]);
  }

  double operator()(int end, int goal) const {
    const Histories& tree = batch.histories;
    double sum = 0;
    if (batch.stop[end] >= 0) {
      sum += log_p(Role::pi_q, end, {{}, {}, {goal}}, {agent.encoding.A});
    }
    for (int r = end; r >= tree.roots(); r = tree.parent[r]) {
      const int row = tree.parent[r], a = tree.action[r];
      std::vector<int> choices;
      batch.codes->append_choices(choices, agent.encoding, a);
      sum += log_p(Role::pi_q, row, {{}, {}, {goal}}, choices);
      if (agent.find(Role::rho_q) == nullptr) continue;
      sum += agent.settings.lambda * log_p(Role::rho_q, row, {{}, {a}, {goal}}, {tree.state[r]});
    }
    return sum;
  }
};

// the formula at the top of normalise.h, over all goals of the batch
void expect_formula(const Agent& agent, double tolerance) {
  const Scored scored(agent, 16);
  const Batch& batch = scored.batch;
  const NaiveProduct log_f{agent, batch};
  std::map<int, int> goals;  // the goal of a cell
  for (int r = 0; r < batch.histories.rows(); ++r) {
    if (batch.ended[r] > 0) goals.try_emplace(batch.cell[r], batch.histories.state[r]);
  }
  ASSERT_GT(goals.size(), 1U);
  for (int r = 0; r < batch.histories.rows(); ++r) {
    if (batch.ended[r] == 0) continue;
    const double own = log_f(r, batch.histories.state[r]);
    double sum = 0;
    for (const auto& [cell, goal] : goals) {
      sum += scored.counts.p(0, cell) * std::exp(log_f(r, goal) - own);
    }
    EXPECT_NEAR(scored.scores.reward[r], -std::log(sum), tolerance) << "row " << r;
  }
}

TEST(Normalise, RewardIsTheFormulaOneOptionAtATime) {
  for (const char* algorithm : {"transition", "mixture"}) {
    for (std::uint64_t seed : {2, 9, 16}) {
      const TabularWorld world = random_world(seed);
      expect_formula(stirred(&world, small_settings(algorithm), 3), 2e-4);
    }
  }
  const SimulatorPtr world = cheetah();
  for (const char* algorithm : {"implicit", "mixture"}) {
    expect_formula(stirred(world.get(), small_settings(algorithm), 3), 2e-3);
  }
}

// counts of a learner need not have seen where the options of an evaluation end
TEST(Normalise, IsFiniteWhereOnlyOneEndWasCounted) {
  const TabularWorld world = world_named("line");
  const Agent agent = stirred(&world, small_settings("implicit"), 3);
  Batch batch;
  Scores scores;
  sample_options(batch, agent, *make_sampler(agent), scores.policy, 64, {.seed = 5});
  RunningFrequencies recent(1, world.S);
  const std::vector<End> seen = {{.cell = ends_of(batch)[0].cell, .options = 64}};
  recent.add(seen, 0);
  const std::vector<double>& reward = intrinsic_rewards(scores, agent, batch, &recent);
  int unseen = 0;
  for (int r = 0; r < batch.histories.rows(); ++r) {
    if (batch.ended[r] == 0) continue;
    ASSERT_TRUE(std::isfinite(reward[r])) << r;
    EXPECT_LE(reward[r], -std::log(recent_frequency(agent, recent, batch.cell[r])) + 1e-9);
    unseen += recent.p(0, batch.cell[r]) == 0;
  }
  EXPECT_GT(unseen, 0);
}

// for any net, any lambda and any sample of the goals
TEST(Normalise, NoOptionEarnsMoreThanTheSurpriseOfItsEnd) {
  const TabularWorld line = world_named("line"), noisy = world_named("line-noisy");
  const SimulatorPtr simulator = cheetah();
  double largest_without = 0;
  int options = 0;
  for (const char* algorithm : {"implicit", "transition", "mixture"}) {
    for (float times : {1.0F, 8.0F, 40.0F}) {
      for (int goals : {2, 3, 32}) {
        std::vector<WorldRef> worlds = {&line};
        if (algorithm != std::string("implicit")) worlds.emplace_back(&noisy);
        if (algorithm != std::string("transition")) worlds.emplace_back(simulator.get());
        for (const WorldRef& world : worlds) {
          TrainSettings settings = small_settings(algorithm);
          settings.goals = goals;
          const Scored scored(stirred(world, settings, times));
          settings.normalise = Normalise::none;
          for (int r = 0; r < scored.batch.histories.rows(); ++r) {
            if (scored.batch.ended[r] == 0) continue;
            const double bound = -std::log(scored.counts.p(0, scored.batch.cell[r]));
            EXPECT_LE(scored.scores.reward[r], bound);
            EXPECT_TRUE(std::isfinite(scored.scores.reward[r]));
            ++options;
          }
        }
      }
    }
  }
  EXPECT_GT(options, 200);
  // the plain reward of such nets does exceed it
  TrainSettings settings = small_settings("mixture");
  Agent plain = stirred(&noisy, settings, 40);
  plain.settings.normalise = Normalise::none;
  const Scored scored(plain);
  for (int r = 0; r < scored.batch.histories.rows(); ++r) {
    if (scored.batch.ended[r] == 0) continue;
    largest_without =
        std::max(largest_without,
                 scored.scores.reward[r] + std::log(scored.counts.p(0, scored.batch.cell[r])));
  }
  EXPECT_GT(largest_without, 1);
}

// other goals are queried, and leave no trace in what the models learn
TEST(Normalise, GradientsOfTheModelsAreThoseWithoutIt) {
  const TabularWorld table = random_world(9);
  const SimulatorPtr simulator = cheetah();
  for (const WorldRef& world : {WorldRef(&table), WorldRef(simulator.get())}) {
    for (const char* algorithm : {"implicit", "mixture"}) {
      if (algorithm == std::string("implicit") && world == WorldRef(&table)) continue;
      TrainSettings settings = small_settings(algorithm);
      settings.warm_up = 5;
      settings.goals = 4;
      Learner plain(make_agent(world, settings));
      settings.normalise = Normalise::goals;
      Learner normalised(make_agent(world, settings));
      for (int u = 0; u < 3; ++u) {
        plain.update();
        normalised.update();
      }
      for (std::size_t i = 0; i < plain.agent().models.size(); ++i) {
        EXPECT_EQ(plain.agent().models[i].model.net().parameters().values,
                  normalised.agent().models[i].model.net().parameters().values)
            << algorithm << ", model " << i;
      }
      EXPECT_NE(plain.metrics().reward, normalised.metrics().reward);
    }
  }
}

TEST(Normalise, TwoThreadsGiveTheSameBytes) {
  const SimulatorPtr world = cheetah();
  TrainSettings settings = small_settings("mixture");
  settings.normalise = Normalise::goals;
  settings.warm_up = 1;
  settings.hindsight = HindsightForm::residual;
  Learner one(make_agent(world.get(), settings));
  settings.threads = 2;
  Learner two(make_agent(world.get(), settings));
  for (int u = 0; u < 4; ++u) {
    one.update();
    two.update();
    EXPECT_EQ(one.metrics().reward, two.metrics().reward);
  }
  EXPECT_EQ(one.agent().pi_p().net().parameters().values,
            two.agent().pi_p().net().parameters().values);
}

TEST(Normalise, IsRefusedWhereItWouldEstimateSomethingElse) {
  const TabularWorld noisy = world_named("line-noisy");
  TrainSettings settings = small_settings("implicit");
  settings.normalise = Normalise::goals;
  EXPECT_EQ(message_of([&] { make_agent(&noisy, settings); }),
            "train.normalise = goals estimates -log p(s_f), which is D + N, and line-noisy has "
            "chance: its D + 0 N is another number. Take transition or mixture with train.lambda = "
            "1, or train.normalise = none.");
  settings.algorithm = "transition";
  settings.starts = Starts::all;
  EXPECT_NE(message_of([&] { make_agent(&noisy, settings); }).find("train.starts = one"),
            std::string::npos);
}

}  // namespace
}  // namespace vic::normalise_test
