// The defaults of every simulator, on one whose state is two numbers.
#include "sim/simulator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/survey.h"

namespace vic {
namespace {

SimulatorSpec drift_spec() {
  return {.name = "drift",
          .state_names = {"x", "y"},
          .start = {1, 0},
          .actuators = {{"push", {-1, 0, 1}}, {"lift", {-1, 0, 1}}},
          .T = 5,
          .seconds = 0.1,
          .deterministic = false,
          .coordinates = {{.name = "x", .unit = "m", .bins = {.width = 0.5}, .number = 0},
                          {.name = "y", .unit = "m", .bins = {.width = 0.5}, .number = 1}}};
}

// moves as it is pushed, with a little noise; it cannot be lifted above 2
class Drift : public StepSimulator {
 public:
  explicit Drift(double noise = 0, SimulatorSpec spec = drift_spec())
      : StepSimulator(std::move(spec)), noise_(noise) {}

  void step(std::span<double> state, std::span<const double> controls,
            const RandomAddress& noise) const override {
    state[0] += controls[0];
    state[1] += controls[1] + noise_ * uniform(noise);
    if (state[1] > 2) throw SimulationError("drift is too high.");
  }

 private:
  double noise_;
};

std::vector<double> states_of(const Simulator& world,
                              const std::vector<std::vector<int>>& actions) {
  const auto episode = world.make_episodes(1, 1);
  std::vector<double> states(episode->state(0).begin(), episode->state(0).end());
  for (const auto& levels : actions) {
    episode->step(levels);
    states.insert(states.end(), episode->state(0).begin(), episode->state(0).end());
  }
  return states;
}

TEST(Simulator, NamesWhatAnOptionDidByItsCoordinates) {
  const Drift world;
  const auto viewer = world.make_viewer();
  const auto did = [&](const std::vector<std::vector<int>>& actions) {
    return behaviour_of(world, *viewer, states_of(world, actions));
  };
  EXPECT_EQ(did({{1, 1}}).name, "stays");
  EXPECT_EQ(did({{2, 1}, {2, 2}}).name, "moves along +x");
  EXPECT_EQ(did({{0, 1}}).name, "moves along -x");
  const Behaviour down = did({{1, 0}, {1, 0}, {2, 0}});
  EXPECT_EQ(down.name, "moves along -y");
  EXPECT_EQ(down.kind, 4);
  EXPECT_EQ(down.cell, (StateCell{2, -6}));
  EXPECT_EQ(down.displacement, (Displacement{1, -3}));
  EXPECT_EQ(down.flips, 0);
  EXPECT_EQ(down.caption, "x +1.00 m, y −3.00 m");
  // films show a disc where it is
  EXPECT_EQ(viewer->parts().size(), 1u);
  EXPECT_EQ(viewer->posture().x, 1);
  EXPECT_EQ(viewer->posture().z, -3);
}

TEST(Simulator, CellsHaveNumbersOfTheirOwn) {
  SimulatorSpec spec = drift_spec();
  spec.coordinates[0].limit = 2;
  spec.coordinates[1].limit = 1;
  EXPECT_EQ(cell_count(spec), 15);
  std::vector<bool> seen(15, false);
  for (int x = -2; x <= 2; ++x) {
    for (int y = -1; y <= 1; ++y) seen[cell_number(spec, {x, y})] = true;
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 15);
  // those that are too far out are the last ones
  EXPECT_EQ(cell_number(spec, {9, -9}), cell_number(spec, {2, -1}));
  EXPECT_EQ(cell_text(spec.coordinates), "0.5 m x 0.5 m");
}

TEST(Simulator, RefusesToContradictItself) {
  const auto message = [](const std::function<void(SimulatorSpec&)>& spoil) {
    SimulatorSpec spec = drift_spec();
    spoil(spec);
    try {
      Drift(0, std::move(spec)).make_viewer();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message([](SimulatorSpec&) {}), "no error");
  EXPECT_EQ(message([](SimulatorSpec& spec) { spec.T = 0; }),
            "The simulator drift contradicts itself: options need actions, and actions time.");
  EXPECT_NE(message([](SimulatorSpec& spec) { spec.start.pop_back(); }), "no error");
  EXPECT_NE(message([](SimulatorSpec& spec) { spec.actuators[1].controls.pop_back(); }),
            "no error");
  EXPECT_NE(message([](SimulatorSpec& spec) { spec.coordinates.clear(); }), "no error");
  EXPECT_NE(message([](SimulatorSpec& spec) { spec.coordinates[1].name = "x"; }), "no error");
  EXPECT_NE(message([](SimulatorSpec& spec) { spec.coordinates[1].name = "height"; }), "no error");
  EXPECT_NE(message([](SimulatorSpec& spec) { spec.coordinates[0].limit = 100000; }), "no error");
  EXPECT_NE(message([](SimulatorSpec& spec) { spec.coordinates[0].number = 2; }), "no error");
  EXPECT_NE(message([](SimulatorSpec& spec) { spec.coordinates[0].number = -1; }), "no error");
}

TEST(StepSimulator, RefusesActionsThatDoNotExist) {
  const Drift world;
  const auto episodes = world.make_episodes(2, 1);
  EXPECT_THROW(episodes->step(std::vector<int>{0, 0, 0}), UsageError);
  EXPECT_THROW(episodes->step(std::vector<int>{0, 0, 0, 3}), UsageError);
  EXPECT_THROW(episodes->step(std::vector<int>{0, -1, 0, 0}), UsageError);
  for (int t = 0; t < 5; ++t) episodes->step(std::vector<int>{1, 1, 1, 1});
  EXPECT_THROW(episodes->step(std::vector<int>{1, 1, 1, 1}), UsageError);
  episodes->reset();
  EXPECT_NO_THROW(episodes->step(std::vector<int>{1, 1, 1, 1}));
}

TEST(StepSimulator, EpisodesThatFailAreAsTheyWere) {
  const Drift world;
  constexpr int B = 40;
  const auto episodes = world.make_episodes(B, 3);
  std::vector<int> levels(2 * B, 1);
  levels[2 * 7 + 1] = levels[2 * 30 + 1] = 2;
  for (int t = 0; t < 2; ++t) episodes->step(levels);
  EXPECT_THROW(episodes->step(levels), SimulationError);
  EXPECT_EQ(episodes->state(7)[1], 2);
  EXPECT_EQ(episodes->state(8)[1], 0);
  // and those that went on have taken their action
  levels.assign(2 * B, 1);
  for (int t = 0; t < 2; ++t) episodes->step(levels);
  EXPECT_THROW(episodes->step(levels), UsageError);
}

TEST(StepSimulator, IsTheSameOnAnyNumberOfThreadsAndFromASnapshot) {
  const Drift world(/*noise=*/0.1);
  constexpr int B = 50;
  const auto one = world.make_episodes(B, 1), three = world.make_episodes(B, 3);
  const std::vector<int> levels(2 * B, 1);
  for (const auto& episodes : {one.get(), three.get()}) {
    episodes->reset(5, 1);
    for (int t = 0; t < 3; ++t) episodes->step(levels);
  }
  for (int b = 0; b < B; ++b) EXPECT_EQ(one->state(b)[1], three->state(b)[1]);
  EXPECT_NE(one->state(0)[1], one->state(1)[1]);
  // the noise depends on the episode's number and the time, not on its snapshot
  const std::span<const double> nine = one->snapshot(9);
  const std::vector<double> snapshot(nine.begin(), nine.end());
  one->step(levels);
  const double after = one->state(9)[1];
  std::ranges::copy(snapshot, one->snapshot(9).begin());
  one->step(levels);
  EXPECT_EQ(one->state(9)[1], after);
  // another batch has other noise
  three->reset(5, 2);
  three->step(levels);
  one->reset(5, 1);
  one->step(levels);
  EXPECT_NE(one->state(0)[1], three->state(0)[1]);
}

TEST(StepSimulator, SurveysCountItsOptions) {
  const Drift world;
  const Survey survey = random_survey(world, 1, 300, 2);
  EXPECT_EQ(survey.options() + survey.failures(), 300);
  EXPECT_GT(survey.failures(), 10);
  EXPECT_NEAR(survey.coordinate(0).spread, std::sqrt(5 * 2.0 / 3), 0.3);
  EXPECT_EQ(survey.first_failure(), "drift is too high.");
}

}  // namespace
}  // namespace vic
