// The program as its users meet it: output, errors in one line, exit codes.
#include "cli/program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/json.h"
#include "method/algorithm.h"
#include "support/program_run.h"

namespace vic {
namespace {

// one line on stderr, nothing on stdout
void expect_usage_error(const std::vector<std::string>& args, const std::string& message) {
  const Result result = run(args);
  EXPECT_EQ(result.code, exit_usage);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "vic: " + message + "\n");
}

TEST(Program, HelpsOnRequestAndWithoutArguments) {
  EXPECT_EQ(run({"--help"}).code, exit_done);
  EXPECT_NE(run({"--help"}).out.find("exact"), std::string::npos);
  EXPECT_EQ(run({}).code, exit_usage);
  EXPECT_EQ(run({}).out, "");
  for (const char* command : {"worlds", "exact"}) {
    const Result result = run({command, "--help"});
    EXPECT_EQ(result.code, exit_done);
    for (const char* option : {"--json", "--set", "--settings"}) {
      EXPECT_NE(result.out.find(option), std::string::npos) << command << " " << option;
    }
  }
  EXPECT_EQ(run({"--version"}).out.substr(0, 4), "vic ");
}

// the help of a command for one option
std::string help_of(const char* command, const std::string& option) {
  const std::string help = run({command, "--help"}).out;
  const std::size_t begin = help.find("\n  " + option + " ");
  return begin == std::string::npos ? ""
                                    : help.substr(begin, help.find("\n  -", begin + 1) - begin);
}

TEST(Program, HelpNamesEveryAlgorithmAndEveryKindOfWorldFile) {
  const std::string algorithms = help_of("train", "--algorithm");
  ASSERT_FALSE(algorithm_names().empty());
  for (const std::string& name : algorithm_names()) {
    EXPECT_NE(algorithms.find(name), std::string::npos) << name << " in" << algorithms;
    EXPECT_NO_THROW(find_algorithm(name));
  }
  for (const char* command : {"worlds", "train"}) {
    for (const char* ending : {".toml", ".xml"}) {
      EXPECT_NE(help_of(command, "world").find(ending), std::string::npos) << command;
    }
  }
}

TEST(Program, NamesWhatIsWrongAndTheClosestRightThing) {
  expect_usage_error({"exat"}, "There is no command 'exat'; did you mean exact?");
  expect_usage_error(
      {"exact", "lin"},
      "There is no world 'lin'; did you mean line? A world of your own is a file that "
      "ends in .toml or .xml.");
  expect_usage_error({"exact", "line", "--jsn"},
                     "vic exact has no option --jsn; did you mean --json?");
  expect_usage_error({"exact", "line", "grid"},
                     "vic exact does not take the argument 'grid'; see vic exact --help.");
  expect_usage_error({"exact"}, "vic exact: world is required; see vic exact --help.");
  expect_usage_error({"exact", "line", "--threads", "0"},
                     "vic exact: --threads: 0 is not allowed; it must be a whole number from 1 to "
                     "1024; see vic exact --help.");
  expect_usage_error({"exact", "line", "--set", "world.noise=2"},
                     "--set: world.noise = 2 is not allowed; it must be a number from 0 to 1.");
  expect_usage_error({"exact", "line", "--set", "world.nose=0.2"},
                     "--set: there is no setting world.nose; did you mean world.noise?");
  expect_usage_error({"exact", "line", "--set", "noise"},
                     "--set: 'noise' is not of the form key=value, as in --set world.noise=0.2.");
  expect_usage_error({"exact", "line", "--set", "world.T_max=1"},
                     "--set: world.T_max = 1 is not allowed; it must be a whole number from 2 to "
                     "100000.");
  expect_usage_error({"exact", "line", "--set", "world.start=9"},
                     "line has no state '9'; its states are -4, -3, -2 to 4.");
  expect_usage_error({"exact", "grid", "--set", "world.size=9999"},
                     "world.size makes 99980001 states and up to 1599680016 transitions; at most "
                     "2097152 and 33554432 are allowed.");
  expect_usage_error({"exact", "no/such/world.toml"},
                     "Cannot open no/such/world.toml: No such file or directory.");
  expect_usage_error({"exact", "line", "--settings", "/no/such/file"},
                     "Cannot open /no/such/file: No such file or directory.");
  expect_usage_error({"worlds", "--play"},
                     "--play and --state need the name of a world, as in vic worlds grid --play.");
  expect_usage_error({"worlds", "--set", "world.noise=1"},
                     "--set: there is no setting world.noise; none are known here.");
}

TEST(Program, FailsWhereTheOutputCannotBeWritten) {
  std::ofstream full("/dev/full");
  std::ostringstream err;
  EXPECT_EQ(run_program({"worlds"}, {.out = full, .err = err}), exit_failed);
  EXPECT_EQ(err.str(), "vic: The output could not be written; is the disk full?\n");
}

TEST(Exact, WritesTheDocumentedFields) {
  const Result result = run({"exact", "line-noisy", "--json"});
  ASSERT_EQ(result.code, exit_done) << result.err;
  EXPECT_EQ(result.err, "");
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["world"], "line-noisy");
  EXPECT_EQ(json["T_max"], 5);
  EXPECT_EQ(json["states_reachable"], 9);
  EXPECT_NEAR(json["H_max"].get<double>(), 2.19398, 2e-5);
  EXPECT_LE(json["H_max_gap"].get<double>(), 1e-5);
  EXPECT_NEAR(json["D_max"].get<double>(), 1.26362, 2e-5);
  EXPECT_NEAR(json["H_at_D_max"].get<double>(), 1.83492, 2e-5);
  EXPECT_NEAR(json["C_open"].get<double>(), 1.0978, 1e-4);
  EXPECT_TRUE(json["reward_max"].is_null());
  EXPECT_NEAR(json["uniform"]["H"].get<double>(),
              json["uniform"]["D"].get<double>() + json["uniform"]["N"].get<double>(), 1e-9);
  double sum = 0;
  for (const auto& entry : json["s_f"]) sum += entry["p"].get<double>();
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_EQ(json["notes"].size(), 1u);
}

TEST(Exact, ShowsPeopleTheSameNumbersWithoutColours) {
  const Result result = run({"exact", "line-noisy"});
  ASSERT_EQ(result.code, exit_done) << result.err;
  for (const char* text : {"2.193978", "1.263621", "1.834937", "1.097845"}) {
    EXPECT_NE(result.out.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos);
}

TEST(Exact, TakesSettingsFromFilesAndFlags) {
  const std::string path = testing::TempDir() + "vic_exact_settings.toml";
  std::ofstream(path) << "[world]\nnoise = 0.5\nT_max = 3\n[exact]\ngap = 1e-3\n";
  const auto json = Json::parse(
      run({"exact", "line-noisy", "--json", "--settings", path, "--set", "world.noise=0"}).out);
  EXPECT_EQ(json["T_max"], 3);
  EXPECT_NEAR(json["H_max"].get<double>(), std::log(5), 1e-3);
  EXPECT_NEAR(json["uniform"]["N"].get<double>(), 0, 1e-12);
  std::filesystem::remove(path);
}

class Train : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Result train(std::vector<std::string> more) const {
    std::vector<std::string> args = {
        "train", "line", "--out", folder_, "--set", "train.warm_up=20", "--updates", "30"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }

  // tests run side by side, each in a folder of its own
  std::string folder_ =
      testing::TempDir() + "vic_" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(Train, LeavesARunThatEvalMeasuresTheSame) {
  const Result trained = train({"--algorithm", "mixture", "--seed", "4", "--json"});
  ASSERT_EQ(trained.code, exit_done) << trained.err;
  EXPECT_EQ(trained.err, "");
  const Result evaluated = run({"eval", folder_, "--json"});
  ASSERT_EQ(evaluated.code, exit_done) << evaluated.err;
  EXPECT_EQ(evaluated.out, trained.out);
  const auto json = Json::parse(evaluated.out);
  EXPECT_EQ(json["world"], "line");
  EXPECT_EQ(json["algorithm"], "mixture");
  EXPECT_EQ(json["seed"], 4);
  EXPECT_EQ(json["updates"], 50);
  EXPECT_EQ(json["exact"], true);
  EXPECT_NEAR(json["H"].get<double>(), json["D"].get<double>() + json["N"].get<double>(), 1e-9);
  EXPECT_NEAR(json["H_max"].get<double>(), std::log(9), 1e-5);
  EXPECT_EQ(json["ci95"], 0);
  EXPECT_EQ(json["s_f"].size(), 9u);
  // five lines of metrics, one for every ten updates
  std::ifstream metrics(folder_ + "/metrics.jsonl");
  std::string line;
  int lines = 0;
  while (std::getline(metrics, line)) {
    EXPECT_EQ(Json::parse(line)["update"], 10 * ++lines);
  }
  EXPECT_EQ(lines, 5);
}

TEST_F(Train, RefusesSettingsThatMakeNoSense) {
  const std::string none = folder_;
  expect_usage_error({"train", "line", "--out", none, "--algorithm", "implict"},
                     "There is no algorithm 'implict'; did you mean implicit?");
  expect_usage_error({"train", "line", "--out", none, "--set", "train.batch=-1"},
                     "--set: train.batch = -1 is not allowed; it must be a whole number from 1 to "
                     "65536.");
  expect_usage_error(
      {"train", "line", "--out", none, "--set", "train.sigma=0"},
      "--set: train.sigma = 0 is not allowed; it must be a number from 0.001 to 1000.");
  expect_usage_error({"train", "line", "--out", none, "--set", "world.T_max=1"},
                     "--set: world.T_max = 1 is not allowed; it must be a whole number from 2 to "
                     "100000.");
  expect_usage_error(
      {"train", "line", "--out", none, "--updates", "many"},
      "--updates: train.updates = many is not allowed; it must be a whole number from "
      "1 to 1000000000.");
  expect_usage_error({"train", "line", "--out", none, "--set", "train.hidden=12"},
                     "train.hidden = 12 is not allowed; it must be a multiple of 8.");
  expect_usage_error(
      {"train", "line", "--out", none, "--set", "train.encoding=hot"},
      "--set: train.encoding = hot is not allowed; it must be onehot, coords, axes or relative.");
  EXPECT_FALSE(std::filesystem::exists(none)) << "nothing is half-written";
  expect_usage_error(
      {"eval", none},
      "'" + none + "' is not a run folder: settings.toml is missing. Create one with vic train.");
}

TEST(Worlds, ListsTheRegistry) {
  const auto json = Json::parse(run({"worlds", "--json"}).out);
  ASSERT_EQ(json.size(), 13u);
  EXPECT_EQ(json[0]["world"], "line");
  EXPECT_NE(run({"worlds"}).out.find("rooms-35"), std::string::npos);
}

TEST(Worlds, ShowsOneWorldWithItsMapMovesAndProbabilities) {
  const Result result = run({"worlds", "line-noisy", "--set", "world.noise=0.25"});
  ASSERT_EQ(result.code, exit_done) << result.err;
  EXPECT_NE(result.out.find("....@...."), std::string::npos);
  EXPECT_NE(result.out.find("0.75 -> -1, 0.25 -> 1"), std::string::npos);
  EXPECT_NE(result.out.find("world.noise"), std::string::npos);
  const auto json = Json::parse(run({"worlds", "tree", "--json"}).out);
  EXPECT_EQ(json["transitions"].size(), 30u);
  EXPECT_EQ(json["state_list"].size(), 15u);
}

TEST(Worlds, PlaysTheSameOptionForTheSameSeed) {
  const std::string first = run({"worlds", "grid-noisy", "--play", "--seed", "4"}).out;
  EXPECT_EQ(first, run({"worlds", "grid-noisy", "--play", "--seed", "4"}).out);
  EXPECT_NE(first, run({"worlds", "grid-noisy", "--play", "--seed", "5"}).out);
}

}  // namespace
}  // namespace vic
