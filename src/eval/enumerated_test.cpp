// Small simulated worlds: enumerated values against closed forms, samples and bounds.
#include <gtest/gtest.h>

#include <cmath>

#include "eval/evaluate.h"
#include "info/entropy.h"
#include "oracle/truth.h"
#include "sim/enumeration.h"
#include "sim/noisy_mass.h"
#include "support/small_settings.h"

namespace vic {
namespace {

// pushes to the left or right on a line, a step each
struct Walk : StepSimulator {
  explicit Walk(int T)
      : StepSimulator(
            {.name = "walk",
             .state_names = {"x"},
             .start = {0},
             .actuators = {{"push", {-1, 1}}},
             .T = T,
             .coordinates = {
                 {.name = "x", .unit = "m", .bins = {.width = 2}, .limit = 9, .number = 0}}}) {}

  void step(std::span<double> state, std::span<const double> controls,
            const RandomAddress&) const override {
    state[0] += controls[0];
  }
};

Learner trained(const Simulator& world, const char* algorithm, int updates) {
  TrainSettings settings = small_settings(algorithm);
  settings.batch = 64;
  settings.warm_up = 0;
  settings.lambda = 0;
  settings.learning_rate = 1e-2;
  settings.updates = updates;
  return Learner(make_agent(&world, settings));
}

// heads or tails: everything is known in closed form
TEST(Enumerated, TruthOfAWalkIsBinomial) {
  const Walk world(6);
  const TabularWorld table = table_of(world, 100);
  const Truth truth = find_truth(table, {});
  EXPECT_EQ(truth.states_reachable, 7);
  EXPECT_NEAR(truth.H_max.value, std::log(7), 1e-6);
  EXPECT_NEAR(truth.C_open->value, std::log(7), 1e-6);
  const std::vector<double> binomial = {1 / 64.0,  6 / 64.0, 15 / 64.0, 20 / 64.0,
                                        15 / 64.0, 6 / 64.0, 1 / 64.0};
  EXPECT_NEAR(truth.uniform.H, entropy(binomial), 1e-12);
}

// a trained net: enumerated values agree with samples, and usable control is a lower bound of D
TEST(Enumerated, AgreesWithSamples) {
  const Walk world(6);
  for (const char* algorithm : {"implicit", "belief", "marginal"}) {
    SCOPED_TRACE(algorithm);
    Learner learner = trained(world, algorithm, 30);
    for (int u = 0; u < 30; ++u) learner.update();
    const Evaluation exact = evaluate(learner, {.reach = 0, .survey = 4096});
    const Evaluation sampled = evaluate(learner, {.histories = 1, .reach = 0, .survey = 4096});
    EXPECT_TRUE(exact.exact);
    EXPECT_FALSE(sampled.exact);
    EXPECT_EQ(exact.ci95, 0);
    EXPECT_EQ(exact.D, exact.H);
    EXPECT_NEAR(exact.H, sampled.H, 1.5 * sampled.ci95);
    EXPECT_LE(exact.H, std::log(7) + 1e-9);
    ASSERT_EQ(exact.usable.has_value(), sampled.usable.has_value());
    if (!exact.usable) continue;
    EXPECT_NEAR(exact.usable->D, sampled.usable->D, 1.5 * sampled.usable->ci95);
    EXPECT_LE(exact.usable->D, exact.H + 1e-5);
  }
}

// the same walk beside a ledge: after two steps to the left it has fallen, and stays there
struct Ledge : StepSimulator {
  static SimulatorSpec with_falls() {
    SimulatorSpec spec = Walk(5).spec();
    spec.name = "ledge";
    spec.coordinates.push_back({.name = "fallen", .unit = "", .limit = 1});
    spec.falls = true;
    return spec;
  }
  Ledge() : StepSimulator(with_falls()) {}

  static bool fallen(double x) { return x <= -2; }
  void step(std::span<double> state, std::span<const double> controls,
            const RandomAddress&) const override {
    if (!fallen(state[0])) state[0] += controls[0];
  }

  struct Sight : Viewer {
    double x = 0;
    void put(std::span<const double> state) override { x = state[0]; }
    void displacement(std::span<double> out) override {
      out[0] = fallen(x) ? 0 : x;
      out[1] = fallen(x);
    }
    Posture posture() override { return {.x = x, .fallen = fallen(x)}; }
    std::vector<Capsule> parts() override { return {}; }
  };
  std::unique_ptr<Viewer> make_viewer() const override { return std::make_unique<Sight>(); }
};

// sequences that fall alike are one option, weighted by how often it is taken
TEST(Enumerated, OptionsThatFallCountOnce) {
  const Ledge world;
  // of 32 sequences: those that fall, and those that end at -1, 1, 3 and 5
  const std::vector<double> shares = {12 / 32.0, 5 / 32.0, 9 / 32.0, 5 / 32.0, 1 / 32.0};
  const Learner random = trained(world, "random", 1);
  EXPECT_NEAR(evaluate(random, {.reach = 0, .survey = 128}).H, entropy(shares), 1e-6);
  for (const char* algorithm : {"implicit", "belief"}) {
    SCOPED_TRACE(algorithm);
    Learner learner = trained(world, algorithm, 30);
    for (int u = 0; u < 30; ++u) learner.update();
    const Evaluation exact = evaluate(learner, {.reach = 0, .survey = 4096});
    const Evaluation sampled = evaluate(learner, {.histories = 1, .reach = 0, .survey = 4096});
    EXPECT_TRUE(exact.exact);
    EXPECT_NEAR(exact.H, sampled.H, 1.5 * sampled.ci95);
    EXPECT_NEAR(exact.usable->D, sampled.usable->D, 1.5 * sampled.usable->ci95);
    EXPECT_LE(exact.usable->D, exact.H + 1e-5);
  }
}

// in Gaussian noise the information of an open loop is at most the capacity, which is at most that
// of water-filling
TEST(Enumerated, OpenLoopStaysBelowTheCapacity) {
  const NoisyMass world("mass", {.T = 3});
  Learner learner = trained(world, "open-loop", 100);
  const Evaluation before = evaluate(learner, {.reach = 0, .survey = 1024});
  for (int u = 0; u < 100; ++u) learner.update();
  const Evaluation after = evaluate(learner, {.reach = 0, .survey = 1024});
  const TabularWorld table = table_of(world, 100);
  const Truth truth = find_truth(table, {}, {}, {.D_max = false, .reward_max = false});
  ASSERT_TRUE(after.exact && after.I && truth.C_open);
  EXPECT_NEAR(after.H, *after.D + *after.N, 1e-12);
  EXPECT_GT(*after.I, *before.I);
  EXPECT_LE(*after.I, truth.C_open->value + truth.C_open->gap + 1e-9);
  EXPECT_LT(truth.C_open->value, *world.power_capacity());
  // the policy of a net is nearly uniform at first
  EXPECT_NEAR(*before.I, truth.uniform.H - *before.N, 0.1);
  // one that sees where it is cannot be enumerated
  const Learner sees = trained(world, "implicit", 1);
  EXPECT_FALSE(evaluate(sees, {.reach = 0, .survey = 1024}).exact);
}

}  // namespace
}  // namespace vic
