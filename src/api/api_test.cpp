// The library as other programs use it, compared with the command line.
#include <gtest/gtest.h>
#include <vic/vic.h>

#include <cmath>
#include <filesystem>

#include "base/file.h"
#include "support/program_run.h"

namespace vic {
namespace {

const v1::Settings few = {
    {"train.algorithm", "implicit"}, {"train.updates", "20"}, {"train.warm_up", "10"}};

std::string fresh(const std::string& name) {
  const std::string folder = testing::TempDir() + "api-" + name;
  std::filesystem::remove_all(folder);
  return folder;
}

// two rooms joined by a door; going through it works with probability p
v1::TableWorld door(const std::string& name, double p) {
  return {
      .name = name,
      .T_max = 3,
      .start = 0,
      .states = {"left", "right"},
      .actions = {"stay", "go"},
      .transitions = {{0, 0, 0, 1}, {0, 1, 1, p}, {0, 1, 0, 1 - p}, {1, 0, 1, 1}, {1, 1, 0, 1}}};
}

TEST(Api, TrainsToTheBytesOfTheProgram) {
  const std::string ours = fresh("ours"), theirs = fresh("theirs");
  const v1::TrainedRun run = v1::train("line-noisy", ours, few);
  EXPECT_EQ(run.updates(), 30);
  ASSERT_EQ(vic::run({"train", "line-noisy", "--algorithm", "implicit", "--updates", "20", "--set",
                      "train.warm_up=10", "--out", theirs})
                .code,
            exit_done);
  for (const char* file : {"/metrics.jsonl", "/evaluation.json", "/checkpoint.safetensors"}) {
    EXPECT_EQ(read_file(ours + file), read_file(theirs + file)) << file;
  }
  const v1::Measures measures = run.measure();
  EXPECT_TRUE(measures.exact);
  EXPECT_NEAR(measures.H, *measures.D + *measures.N, 1e-9);
  EXPECT_EQ(v1::load(ours).measure().H, measures.H);
}

TEST(Api, SolvesAWorldOfOnesOwn) {
  v1::add_world(door("certain-door", 1));
  const v1::Optima optima = v1::exact("certain-door");
  EXPECT_EQ(optima.states_reachable, 2);
  EXPECT_NEAR(optima.H_max, std::log(2), 1e-6);
  EXPECT_NEAR(optima.D_max.value(), std::log(2), 1e-6);
  EXPECT_NE(vic::run({"worlds"}).out.find("certain-door"), std::string::npos);
}

TEST(Api, SendsOptionsToGoals) {
  v1::add_world(door("loose-door", 0.8));
  const v1::TrainedRun run = v1::train("loose-door", fresh("door"), few);
  const v1::Attempt attempt = run.send("right");
  EXPECT_EQ(attempt.states.front(), "left");
  EXPECT_EQ(attempt.states.size(), attempt.actions.size() + 1);
  EXPECT_EQ(attempt.reached, attempt.states.back() == "right");
  EXPECT_GT(run.success("right"), 0);
  EXPECT_THROW(run.send("outside"), std::runtime_error);
}

TEST(Api, StopsWhereTheProgressWantsAndGoesOn) {
  const std::string folder = fresh("stopped");
  const auto until = [](long update, long updates, double) { return update < 12 || updates != 30; };
  EXPECT_EQ(v1::train("line", folder, few, until).updates(), 12);
  EXPECT_EQ(v1::resume(folder).updates(), 30);
}

// a walker on a noisy line, in five functions
class Walker : public v1::SimulatedWorld {
 public:
  std::vector<double> start() const override { return {0}; }
  std::vector<v1::Actuator> actuators() const override { return {{"step", {-1, 0, 1}}}; }
  std::vector<v1::CellAxis> cells() const override {
    return {{.name = "x", .unit = "m", .number = 0, .width = 1, .limit = 20}};
  }
  int length() const override { return 6; }
  void step(std::span<double> state, std::span<const double> controls,
            const std::function<double()>& uniform) const override {
    state[0] += controls[0] + 0.2 * (uniform() - 0.5);
  }
  bool deterministic() const override { return false; }
};

TEST(Api, TrainsInASimulatorOfOnesOwn) {
  v1::add_world("walker", "a walker on a line", std::make_shared<Walker>());
  const v1::TrainedRun run =
      v1::train("walker", fresh("walker"),
                {{"train.algorithm", "marginal"}, {"train.updates", "5"}, {"train.warm_up", "0"}});
  EXPECT_GT(run.measure().H, 0.5);
  EXPECT_THROW(run.send("3"), std::runtime_error);
}

// a world that draws, and does not say so, would be evaluated as if actions decided everything
TEST(Api, RefusesRandomNumbersInADeterministicWorld) {
  struct Careless : Walker {
    bool deterministic() const override { return true; }
  };
  v1::add_world("careless", "a walker that says it does not draw", std::make_shared<Careless>());
  try {
    v1::train("careless", fresh("careless"), {{"train.algorithm", "marginal"}});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "The world careless draws random numbers in a step; let its deterministic() be false.");
  }
}

// the reward of marginal, written outside the library, leads to the same bytes
TEST(Api, TrainsByARewardOfOnesOwn) {
  v1::add_algorithm("surprise", "-log p(s_f)",
                    [](const v1::OptionView& option) { return -std::log(option.p_final); });
  const std::string ours = fresh("surprise"), theirs = fresh("marginal");
  v1::Settings settings = few;
  settings["train.algorithm"] = "surprise";
  v1::train("line-noisy", ours, settings);
  settings["train.algorithm"] = "marginal";
  v1::train("line-noisy", theirs, settings);
  EXPECT_EQ(read_file(ours + "/metrics.jsonl"), read_file(theirs + "/metrics.jsonl"));
  EXPECT_NE(vic::run({"train", "--help"}).out.find("surprise"), std::string::npos);
}

TEST(Api, ShowsARewardWholeOptions) {
  v1::add_algorithm("far", "moves right", [](const v1::OptionView& option) {
    EXPECT_EQ(option.states.size(), option.actions.size() + 1);
    for (std::size_t i = 0; i < option.actions.size(); ++i) {
      EXPECT_LE(std::abs(option.states[i + 1] - option.states[i]), 1);
    }
    return static_cast<double>(option.states.back());
  });
  v1::Settings settings = few;
  settings["train.algorithm"] = "far";
  settings["train.updates"] = "150";
  settings["train.learning_rate"] = "0.01";
  const v1::TrainedRun run = v1::train("line", fresh("far"), settings);
  const std::vector<double> p = run.measure().p_final;
  EXPECT_GT(p.back(), 0.9);
}

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Api, SaysWhatIsWrongInASentence) {
  v1::TableWorld world = door("bad door", 1);
  EXPECT_EQ(error_of([&] { v1::add_world(world); }),
            "'bad door' cannot be the name of a world; use letters, digits, '-', '_' and '.'.");
  world = door("bad-door", 1);
  world.transitions[0].to = 2;
  EXPECT_EQ(error_of([&] { v1::add_world(world); }),
            "There is no state 2; there are 2, and the first is 0.");
  world = door("bad-door", 1);
  world.transitions[0].p = 0.5;
  EXPECT_NE(error_of([&] { v1::add_world(world); }), "");
  world.transitions[0].p = std::nan("");
  EXPECT_NE(error_of([&] { v1::add_world(world); }), "");
  world = door("bad-door", 1);
  world.reward = {1};
  EXPECT_EQ(error_of([&] { v1::add_world(world); }),
            "The world bad-door has 1 rewards; it must have 2, one per state.");
  EXPECT_EQ(error_of([] { v1::add_algorithm("marginal", "", {}); }),
            "There is an algorithm marginal already; choose another name.");
  v1::add_algorithm("endless", "", [](const v1::OptionView&) { return HUGE_VAL; });
  v1::Settings endless = few;
  endless["train.algorithm"] = "endless";
  EXPECT_EQ(error_of([&] { v1::train("line", fresh("endless"), endless); }),
            "The reward of endless is inf at update 1; it must be a finite number.");
  EXPECT_NE(error_of([] { v1::exact("lin"); }), "");
  EXPECT_NE(error_of([] { v1::exact("line", {{"world.nose", "1"}}); }), "");
  EXPECT_NE(error_of([] { v1::load("no-such-folder"); }), "");
}

}  // namespace
}  // namespace vic
