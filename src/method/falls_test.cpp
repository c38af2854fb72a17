// Options that end when the body falls.
#include "method/simulator_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "method/beliefs.h"
#include "method/critic.h"
#include "method/learner.h"
#include "sim/world.h"

namespace vic::falls_test {
namespace {

TrainSettings small(const std::string& algorithm) {
  TrainSettings settings;
  settings.algorithm = algorithm;
  settings.batch = 6;
  settings.hidden = 16;
  settings.warm_up = 0;
  return settings;
}

// a cheetah that sinks, under random actions, sooner or later
SimulatorPtr sinking_cheetah() {
  Overrides overrides({{"world.T", "20", "test"}, {"world.healthy", "z > 0.6", "test"}});
  return load_simulator("half-cheetah", overrides);
}

TEST(Falls, AnOptionEndsWhereItFalls) {
  const SimulatorPtr simulator = sinking_cheetah();
  const int T = simulator->spec().T, n = simulator->spec().n(), B = 40;
  const Agent agent = make_agent(simulator.get(), small("implicit"));
  Batch batch;
  ActorWorkspace work;
  sample_options(batch, agent, *make_sampler(agent), work, B, {.seed = 5});
  const auto viewer = simulator->make_viewer();
  std::vector<int> ended(B, 0);
  int fell = 0;
  for (int r = 0; r < batch.histories.rows(); ++r) {
    viewer->put(observed_state(batch, n, r));
    const bool fallen = viewer->posture().fallen, last = r >= batch.histories.first[T];
    EXPECT_EQ(batch.ended[r], fallen || last ? 1 : 0) << r;
    EXPECT_EQ(batch.forced[r], fallen || last) << r;
    if (r >= B) {
      EXPECT_EQ(batch.decision_row[batch.into[r]], batch.histories.parent[r]);
    }
    if (batch.ended[r] == 0) continue;
    ++ended[batch.histories.root[r]];
    if (!fallen) continue;
    ++fell;
    EXPECT_EQ(batch.cell[r], cell_number(simulator->spec(), {0, 0, 1}));
  }
  EXPECT_EQ(ended, std::vector<int>(B, 1));
  // nothing is decided where an option has ended
  EXPECT_EQ(std::ssize(batch.decision_row), batch.histories.rows() - B);
  for (int row : batch.decision_row) EXPECT_EQ(batch.ended[row], 0);
  EXPECT_GT(fell, 0);
  EXPECT_LT(fell, B);
}

// all numbers of the cell of falls get the same reward, and all algorithms learn from such options
TEST(Falls, AreWorthTheSameWhereverTheyHappen) {
  const SimulatorPtr simulator = sinking_cheetah();
  for (const char* algorithm : {"marginal", "implicit", "belief", "explicit", "diayn"}) {
    TrainSettings settings = small(algorithm);
    settings.batch = 32;
    if (algorithm == std::string("marginal")) settings.critic = CriticKind::belief;
    Learner learner(make_agent(simulator.get(), settings));
    learner.update();
    learner.update();
    EXPECT_LT(learner.metrics().length, simulator->spec().T + 1) << algorithm;
    if (algorithm != std::string("marginal")) continue;
    const Batch& batch = learner.shards()[0].batch;
    const auto w = cell_surprise(learner.agent(), batch, learner.state().recent);
    const double p = learner.state().recent.p(0, cell_number(simulator->spec(), {0, 0, 1}));
    for (std::size_t c = 2; c < w.size(); c += 3) ASSERT_NEAR(w[c], -std::log(p), 1e-5);
  }
}

// far cells are one for b: they have the mean of what options in them received
TEST(Falls, FarCellsHaveTheMeanOfTheirRewards) {
  Overrides overrides({{"world.T", "5", "test"}});
  const SimulatorPtr simulator = load_simulator("half-cheetah", overrides);
  const SimulatorSpec& spec = simulator->spec();
  TrainSettings settings = small("marginal");
  settings.critic = CriticKind::belief;
  settings.batch = 100;
  const Agent agent = make_agent(simulator.get(), settings);
  RunningFrequencies recent(1, agent.final_states());
  const int limit = near_limit, near = cell_number(spec, {3, 0});
  const std::vector<End> ends = {{.cell = cell_number(spec, {limit + 8, 0}), .options = 30},
                                 {.cell = cell_number(spec, {limit + 9, 0}), .options = 10},
                                 {.cell = near, .options = 60}};
  recent.add(ends, 0);
  const std::vector<float> w = cell_surprise(agent, {}, recent);
  const double far = -0.75 * std::log(0.3) - 0.25 * std::log(0.1);
  const double unseen = -std::log(least_frequency(agent));
  std::set<int> values;
  for (float value : w) values.insert(static_cast<int>(std::lround(1e4 * double(value))));
  EXPECT_EQ(values, (std::set<int>{static_cast<int>(std::lround(-1e4 * std::log(0.6))),
                                   static_cast<int>(std::lround(1e4 * far)),
                                   static_cast<int>(std::lround(1e4 * unseen))}));
}

}  // namespace
}  // namespace vic::falls_test
