// The table "To add" of CONTRIBUTING.md. Things that can be added from outside are added here, by
// dummies in this file alone that go through the program. For the rest, the files that mention an
// existing one must be those that the table lists.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "base/json.h"
#include "base/print.h"
#include "eval/measures.h"
#include "method/learner.h"
#include "oracle/ascent.h"
#include "support/named_world.h"
#include "support/pattern.h"
#include "support/program_run.h"
#include "support/run_fixture.h"
#include "support/small_settings.h"
#include "world/registry.h"

namespace vic {
namespace {

const std::filesystem::path root = VIC_SOURCE_DIR;

// ---- a tabular world, and settings

struct CoinSettings {
  int T_max = 3;
  double chance = 0.5;

  template <class Visitor>
  void visit(Visitor&& field) {
    field("T_max", T_max, Range{2, 100}, "actions in an option, the termination included");
    field("chance", chance, Range{0, 1}, "probability that a flip turns the coin");
  }
};

TabularWorld make_coin(const std::string& name, const CoinSettings& settings) {
  WorldBuilder builder(name, {"flip"}, settings.T_max);
  for (const char* side : {"heads", "tails"}) builder.add_state(side, {});
  for (int s : {0, 1}) {
    builder.set_outcomes(s, 0,
                         std::vector<Outcome>{{s, 1 - settings.chance}, {1 - s, settings.chance}});
  }
  return builder.build(0);
}

const bool registered = register_worlds(
    {world_entry<CoinSettings>("coin", "-", "a coin to be flipped", make_coin, CoinSettings{})});

TEST(ToAdd, ATabularWorldIsAFunctionAndItsRow) {
  ASSERT_TRUE(registered);
  EXPECT_NE(run({"worlds"}).out.find("a coin to be flipped"), std::string::npos);
  EXPECT_NE(run({"worlds", "coin", "--play"}).out.find("heads flip -> "), std::string::npos);
  const Json exact = Json::parse(run({"exact", "coin", "--json"}).out);
  EXPECT_NEAR(exact["H_max"].get<double>(), std::log(2), 1e-6);
  const FixtureFolder folder("coin");
  const Result training = run({"train", "coin", "--algorithm", "transition", "--updates", "20",
                               "--set", "train.warm_up=5", "--out", folder / "run", "--json"});
  ASSERT_EQ(training.code, 0) << training.err;
  const Json evaluation = Json::parse(training.out);
  EXPECT_TRUE(evaluation["exact"].get<bool>());
  EXPECT_NEAR(evaluation["D"].get<double>() + evaluation["N"].get<double>(),
              evaluation["H"].get<double>(), 1e-9);
  EXPECT_EQ(run({"reach", folder / "run", "--all"}).code, 0);
  EXPECT_NE(run({"report", folder / "run"}).out.find("coin"), std::string::npos);
}

TEST(ToAdd, ASettingIsAFieldAndItsLine) {
  EXPECT_NE(run({"worlds", "coin"})
                .out.find("world.chance           0.5      probability that a "
                          "flip turns the coin (a number from 0 to 1)"),
            std::string::npos);
  const auto H_max = [](const std::vector<std::string>& more) {
    std::vector<std::string> args = {"exact", "coin", "--json"};
    args.insert(args.end(), more.begin(), more.end());
    return Json::parse(run(args).out)["H_max"].get<double>();
  };
  const FixtureFolder folder("setting");
  write_file(folder / "a.toml", "[world]\nchance = 0\n");
  EXPECT_EQ(H_max({"--set", "world.chance=0"}), 0);
  EXPECT_EQ(H_max({"--settings", folder / "a.toml"}), 0);
  EXPECT_EQ(run({"exact", "coin", "--set", "world.chance=2"}).err,
            "vic: --set: world.chance = 2 is not allowed; it must be a number from 0 to 1.\n");
  EXPECT_EQ(run({"exact", "coin", "--set", "world.chanse=1"}).err,
            "vic: --set: there is no setting world.chanse; did you mean world.chance?\n");
}

TEST(ToAdd, AWorldWithoutCodeIsAFile) {
  const FixtureFolder folder("file");
  write_file(folder / "fork.toml",
             "T_max = 2\nmap = \"S.\"\nmoves = [{ name = \"go\", outcomes = [{ dx = 1 }] }]\n");
  const Json exact = Json::parse(run({"exact", folder / "fork.toml", "--json"}).out);
  EXPECT_EQ(exact["world"], "fork");
  EXPECT_NEAR(exact["H_max"].get<double>(), std::log(2), 1e-6);
  const std::string model = root / "examples/pendulum.xml";
  EXPECT_NE(run({"worlds", model}).out.find("pendulum: 1 actuator"), std::string::npos);
}

// ---- a command

struct GreetOptions {
  std::string name;
};

void greet(const GreetOptions& options, const UserSettings& given, const Console& console) {
  CoinSettings settings;
  Overrides overrides = given.overrides();
  overrides.apply("coin", settings);
  overrides.finish();
  const auto json = [&] { return Json{{"name", options.name}, {"chance", settings.chance}}; };
  console.show(json, [&] { print(console.out, "Hello {}\n", options.name); });
}

Action declare_greet(Arguments& arguments) {
  auto options = std::make_shared<GreetOptions>();
  arguments.positional("name", options->name, Need::required, "who is greeted");
  return action(options, greet);
}

TEST(ToAdd, ACommandIsAFunctionAndItsRow) {
  const auto vic = [](const std::vector<std::string>& args) {
    std::ostringstream out, err;
    const Console console{.out = out, .err = err};
    const int code = run_program(args, console, {{"greet", "greet somebody", declare_greet}});
    return Result{code, out.str(), err.str()};
  };
  EXPECT_NE(vic({"--help"}).out.find("  greet      greet somebody\n"), std::string::npos);
  EXPECT_NE(vic({"greet", "--help"}).out.find("who is greeted"), std::string::npos);
  EXPECT_EQ(vic({"greet", "Ada"}).out, "Hello Ada\n");
  const Json json = Json::parse(vic({"greet", "Ada", "--json", "--set", "coin.chance=0.1"}).out);
  EXPECT_EQ(json, (Json{{"name", "Ada"}, {"chance", 0.1}}));
  EXPECT_EQ(vic({"greet", "Ada", "--set", "coin.chance=x"}).code, exit_usage);
  EXPECT_EQ(vic({"gret"}).err, "vic: There is no command 'gret'; did you mean greet?\n");
}

// ---- an algorithm, and an objective of the oracle

// pays the index of the final state
class Rightward : public Objective {
 public:
  void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const override {
    query_models(scores, agent, inputs);
    const Histories& histories = inputs.batch.histories;
    for (int r = 0; r < histories.rows(); ++r) scores.reward[r] = histories.state[r];
  }
};

TEST(ToAdd, AnAlgorithmIsAnObjectiveAndItsRow) {
  const Rightward rightward;
  const Algorithm row{.name = "rightward",
                      .help = "goes to the right",
                      .models = [](const TrainSettings&) { return std::vector<ModelSpec>(); },
                      .objective = &rightward,
                      .lambda = LambdaRule::none};
  TrainSettings settings = small_settings("marginal");
  settings.learning_rate = 0.02;
  const TabularWorld world = world_named("line");
  Agent agent = make_agent(&world, settings);
  agent.algorithm = &row;
  Learner learner(std::move(agent));
  for (int i = 0; i < 200; ++i) learner.update();
  // four moves from the middle of nine states
  EXPECT_GT(learner.metrics().reward, 7.5);
}

TEST(ToAdd, AnObjectiveOfTheOracleIsAGradient) {
  const TabularWorld world = world_named("line-noisy");
  const Unrolled states = unroll_states(world);
  Rows pays;
  for (const Level& level : states.levels)
    pays.emplace_back(level.state.begin(), level.state.end());
  const Gradient gradient = [&](Rows& payoff, const Policy&, const Flow&) { payoff = pays; };
  const Maximum found =
      maximise(states, gradient, {.gap = 1e-6, .transitions = 1e8, .least_policy = 1e-290});
  EXPECT_LE(found.gap, 1e-6);
  EXPECT_NEAR(found.value, best_payoff(states, pays), 1e-6);
}

// ---- what must be written into the program itself: the files that mention one of a kind

// the files below src/ and assets/, without tests, that contain this text
std::set<std::string> files_with(const std::string& text) {
  std::set<std::string> found;
  for (const char* folder : {"src", "assets"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string path = std::filesystem::relative(entry.path(), root);
      if (!entry.is_regular_file() || path.ends_with("_test.cpp")) continue;
      if (read_file(entry.path()).find(text) != std::string::npos) found.insert(path);
    }
  }
  return found;
}

using Files = std::set<std::string>;

TEST(ToAdd, ARegisteredWorldIsKnownToItsFileAndTheRegistry) {
  for (const char* world : {"four_rooms", "rooms_35"}) {
    const std::string own = fmt::format("src/world/{}.cpp", world);
    EXPECT_EQ(files_with(fmt::format("{}_worlds", world)),
              (Files{own, "src/world/registry.cpp", "src/world/registry.h"}));
    EXPECT_EQ(files_with(fmt::format("{}.cpp", world)), Files{"src/world/CMakeLists.txt"});
  }
}

TEST(ToAdd, AMujocoEnvironmentIsKnownToTheFileOfItsFamily) {
  EXPECT_EQ(files_with("half_cheetah"),
            (Files{"src/sim/CMakeLists.txt", "src/sim/mujoco/mujoco_world.cpp"}));
  EXPECT_TRUE(std::filesystem::exists(root / "assets/half-cheetah.xml"));
}

TEST(ToAdd, ASimulatorIsKnownToTheRegistry) {
  EXPECT_EQ(files_with("mujoco_family"),
            (Files{"src/sim/mujoco/mujoco_world.cpp", "src/sim/mujoco/mujoco_world.h",
                   "src/sim/world.cpp"}));
}

// for an algorithm that no benchmark and no bound runs
TEST(ToAdd, AnAlgorithmIsKnownToTheTable) {
  for (const char* name : {"marginal", "explicit", "diayn", "open-loop"}) {
    EXPECT_EQ(files_with(fmt::format("\"{}\"", name)), Files{"src/method/algorithm.cpp"}) << name;
  }
}

TEST(ToAdd, ACommandIsKnownToTheTableOfCommands) {
  for (const char* name : {"film", "report", "worlds"}) {
    EXPECT_EQ(
        files_with(fmt::format("declare_{}", name)),
        (Files{"src/cli/command.h", fmt::format("src/cli/{}.cpp", name), "src/cli/program.cpp"}));
  }
}

// except for those that the report draws, that options have too, that alarms read back from the
// log, or that are treated in a special way
TEST(ToAdd, AMetricAndAMeasureAreKnownToTheirLists) {
  const std::set<std::string> drawn = {"update", "I_hat",  "external",
                                       "reward", "length", "baseline"};
  Metrics{}.visit([&](const std::string& name, auto) {
    if (drawn.contains(name)) return;
    EXPECT_EQ(files_with("\"" + name + "\""), Files{"src/method/metrics.h"}) << name;
  });
  int alone = 0;
  for (const std::string& name : measure_names()) {
    alone += files_with("\"" + name + "\"") == Files{"src/eval/measures.cpp"};
  }
  EXPECT_GT(alone, 25);
}

// ---- the table itself

TEST(ToAdd, TheTableNamesFilesThatExist) {
  const std::string text = read_file(root / "CONTRIBUTING.md");
  const std::string table = text.substr(text.find("## To add"), text.find("## Rules"));
  int checked = 0;
  for (const std::string& name :
       Pattern("`((src|docs|assets|tests)/[a-zA-Z0-9_/.-]+)`").groups_in(table)) {
    if (name.find("foo") != std::string::npos) continue;
    EXPECT_TRUE(std::filesystem::exists(root / name)) << name;
    ++checked;
  }
  EXPECT_GT(checked, 10);
}

}  // namespace
}  // namespace vic
