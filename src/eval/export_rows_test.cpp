#include "eval/export_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "sim/world.h"

namespace vic {
namespace {

TrainSettings small(const char* algorithm) {
  TrainSettings settings = defaults_of(find_algorithm(algorithm));
  settings.warm_up = 3;
  settings.updates = 10;
  settings.batch = 16;
  settings.hidden = 16;
  return settings;
}

TEST(ExportRows, OptionsAndTablesAgreeOnWhatWasDecided) {
  Overrides none;
  const TabularWorld world = load_table("line-noisy", none);
  for (const char* algorithm : {"transition", "belief", "marginal"}) {
    Learner learner(make_agent(&world, small(algorithm)));
    for (int i = 0; i < 5; ++i) learner.update();
    const auto options = sample_rows(learner, 1500, 1, [](int, int) {});
    ASSERT_EQ(options.size(), 1500u);
    const PolicyRows table = policy_rows(learner.agent(), 100000, [](int, int) {});
    // computed in two ways: the sum over the table along the option, and the value noted when
    // sampling
    std::map<std::vector<int>, std::size_t> row_of;
    const auto key = [](const History& h) {
      std::vector<int> list = h.states;
      list.insert(list.end(), h.actions.begin(), h.actions.end());
      return list;
    };
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      row_of[key(history_of(table.tree.histories, table.rows[r]))] = r;
    }
    for (const OptionRow& option : options) {
      ASSERT_EQ(option.actions.size(), option.states.size());
      ASSERT_EQ(option.actions.back(), world.A);
      EXPECT_EQ(option.cell, option.states.back());
      double sum = 0;
      History history;
      for (std::size_t t = 0; t < option.actions.size(); ++t) {
        history.states.push_back(option.states[t]);
        const auto found = row_of.find(key(history));
        if (found != row_of.end()) {
          sum += std::log(table.pi_p[found->second * (world.A + 1) + option.actions[t]]);
        }
        history.actions.push_back(option.actions[t]);
      }
      EXPECT_NEAR(option.log_pi_p, sum, 1e-4) << algorithm;
    }
    // how often a history is passed, by the table and by the options
    long left = 0;
    for (const OptionRow& option : options) left += option.actions[0] == 0;
    EXPECT_NEAR(table.pi_p[0], static_cast<double>(left) / 1500, 0.06) << algorithm;
    EXPECT_DOUBLE_EQ(table.p[0], 1);
  }
}

// rewards from counts are finite where ends were not counted, and of those that were, the learner's
TEST(ExportRows, RewardsFromCountsAreThoseOfTraining) {
  Overrides overrides({{"world.T", "25", "test"}});
  const SimulatorPtr world = load_simulator("half-cheetah", overrides);
  for (const char* algorithm : {"marginal", "counted", "counted-skills"}) {
    TrainSettings settings = defaults_of(find_algorithm(algorithm), Worlds::simulated);
    settings.batch = 4;
    settings.minibatches = 1;
    settings.hidden = 16;
    settings.lambda = 1;
    Learner learner(make_agent(world.get(), settings));
    for (int u = 0; u < 2; ++u) learner.update();
    const double least = least_frequency(learner.agent());
    const LearnerState& state = learner.state();
    bool unseen = false;
    for (const OptionRow& option : sample_rows(learner, 400, 1, [](int, int) {})) {
      const double p = std::max(state.recent.p(0, option.cell), least);
      unseen = unseen || state.recent.p(0, option.cell) == 0;
      EXPECT_NEAR(option.reward, -std::log(p), 1e-9) << algorithm;
    }
    EXPECT_TRUE(unseen) << algorithm;
  }
}

TEST(ExportRows, BayesHoldsBetweenTheTablesOfTheBeliefForm) {
  Overrides none;
  const TabularWorld world = load_table("line-noisy", none);
  Learner learner(make_agent(&world, small("belief")));
  for (int i = 0; i < 5; ++i) learner.update();
  const PolicyRows table = policy_rows(learner.agent(), 100000, [](int, int) {});
  const std::size_t A = world.A, G = table.goals.size(), R = table.rows.size();
  ASSERT_EQ(table.b.size(), R * A * G);
  ASSERT_EQ(table.pi_q.size(), G * R * (A + 1));
  for (std::size_t r = 0; r < R; r += 7) {
    const int s = table.tree.histories.state[table.rows[r]];
    for (std::size_t a = 0; a < A; ++a) {
      double sum = 0;
      for (std::size_t g = 0; g < G; ++g) sum += table.b[(r * A + a) * G + g];
      EXPECT_NEAR(sum, 1, 1e-5);
    }
    for (std::size_t g = 0; g < G; ++g) {
      const double* pi = &table.pi_p[r * (A + 1)];
      std::vector<double> joint;
      double total = 0;
      for (std::size_t a = 0; a <= A; ++a) {
        const double b = a < A ? table.b[(r * A + a) * G + g] : double(s == table.goals[g]);
        joint.push_back(pi[a] * b);
        total += joint.back();
      }
      for (std::size_t a = 0; a <= A; ++a) {
        EXPECT_NEAR(table.pi_q[(g * R + r) * (A + 1) + a], joint[a] / total, 1e-4);
      }
    }
  }
}

}  // namespace
}  // namespace vic
