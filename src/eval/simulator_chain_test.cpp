// Chains of options: each begins in the state in which the last one ended.
#include "eval/simulator_chain.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "sim/world.h"
#include "support/small_settings.h"

namespace vic {
namespace {

// steps to the left or right on an endless line
struct Steps : StepSimulator {
  Steps()
      : StepSimulator(
            {.name = "steps",
             .state_names = {"x"},
             .start = {0},
             .actuators = {{"step", {-1, 1}}},
             .T = 6,
             .coordinates = {
                 {.name = "x", .unit = "m", .bins = {.width = 2}, .limit = 9, .number = 0}}}) {}

  void step(std::span<double> state, std::span<const double> controls,
            const RandomAddress&) const override {
    state[0] += controls[0];
  }
};

std::vector<std::pair<int, int>> shifts(const std::string& world,
                                        const std::vector<Assignment>& settings = {}) {
  Overrides overrides(settings);
  std::vector<std::pair<int, int>> list;
  for (const auto& [k, number] : translations_of(*load_simulator(world, overrides))) {
    list.emplace_back(k, number);
  }
  return list;
}

using Pairs = std::vector<std::pair<int, int>>;

TEST(SimulatorChain, WorldsWithoutFixedPartsLookTheSameFromEverywhere) {
  EXPECT_EQ(shifts("half-cheetah"), (Pairs{{0, 0}}));  // rootx, not turns
  EXPECT_EQ(shifts("ant", {{"world.healthy", "up > 0", "test"}}), (Pairs{{0, 0}, {1, 1}}));
  EXPECT_EQ(shifts("point-maze"), Pairs{});
  EXPECT_EQ(shifts(std::string(VIC_SOURCE_DIR) + "/examples/pendulum.xml"), Pairs{});
}

TEST(SimulatorChain, GoesFartherThanOneOption) {
  const Steps world;
  TrainSettings settings = small_settings("implicit");
  settings.batch = 64;
  settings.warm_up = 0;
  settings.learning_rate = 1e-2;
  Learner learner(make_agent(&world, settings));
  for (int u = 0; u < 150; ++u) learner.update();
  const Agent& agent = learner.agent();
  const Unconditioned free = sample_unconditioned(agent, {.survey = 256});
  const PointGoal far{10.0};
  EXPECT_EQ(reach_point(agent, free, far, {}).chance, 0);
  const ChainReach chain = chain_to(agent, free, far, {});
  EXPECT_TRUE(chain.anew);
  EXPECT_EQ(chain.first, 0);
  EXPECT_GT(chain.success.share, 0.9);
  EXPECT_GE(chain.options, 2);
  EXPECT_LE(chain.options, 10);
  ASSERT_GE(chain.stops.size(), 2U);
  double before = 0;
  for (const Displacement& stop : chain.stops) {
    EXPECT_LE(std::abs(stop[0] - before), 6);
    before = stop[0];
  }
  // one chain is all there is where options repeat themselves
  const ChainReach likeliest = chain_to(agent, free, far, {.temperature = 0});
  EXPECT_EQ(likeliest.success.in.low, likeliest.success.share);
  EXPECT_EQ(likeliest.success.in.high, likeliest.success.share);
  // the same again, and no farther than the options that it may take
  EXPECT_EQ(chain_to(agent, free, far, {}).stops, chain.stops);
  EXPECT_EQ(chain_to(agent, free, far, {.chain = 1}).success.share, 0);
  Learner blind(make_agent(&world, small_settings("marginal")));
  EXPECT_THROW(chain_to(blind.agent(), free, far, {}), UsageError);
}

// pose and velocities go on, and so do the simulator's own numbers
TEST(SimulatorChain, AnOptionBeginsWhereTheLastOneEnded) {
  Overrides overrides({{"world.T", "4", "test"}});
  const SimulatorPtr world = load_simulator("half-cheetah", overrides);
  const Agent agent = make_agent(world.get(), small_settings("random"));
  const auto sampler = make_simulator_sampler(agent);
  const int n = world->spec().n();
  std::vector<double> script(2 * 4 * 6, 1);
  sampler->set_script(script);
  Batch batch;
  ActorWorkspace work;
  const std::vector<Beginning> two(2);
  sampler->sample(batch, policy_of(agent), work, two, {.seed = 1});
  std::vector<std::vector<double>> starts;
  for (int b : {0, 1})
    starts.emplace_back(sampler->snapshot(b).begin(), sampler->snapshot(b).end());
  sampler->set_starts(starts);
  sampler->sample(batch, policy_of(agent), work, two, {.seed = 1});
  // eight actions in one episode of a longer option
  Overrides longer({{"world.T", "8", "test"}});
  const SimulatorPtr whole = load_simulator("half-cheetah", longer);
  const auto episode = whole->make_episodes(1, 1);
  for (int t = 0; t < 8; ++t) {
    if (t >= 4) {
      EXPECT_TRUE(std::ranges::equal(observed_state(batch, n, 2 * (t - 4)), episode->state(0)));
    }
    episode->step(std::vector<int>(6, 1));
  }
  sampler->set_starts({});
  sampler->start(batch, two);
  EXPECT_TRUE(std::ranges::equal(observed_state(batch, n, 0), world->spec().start));
}

}  // namespace
}  // namespace vic
