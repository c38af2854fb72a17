// vic exact beyond one start: the empowerment map and the frontier.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "base/file.h"
#include "base/json.h"
#include "support/program_run.h"

namespace vic {
namespace {

TEST(ExactFrom, AllWritesTheDocumentedFields) {
  const Result result = run({"exact", "line-noisy", "--from", "all", "--json"});
  ASSERT_EQ(result.code, exit_done) << result.err;
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["world"], "line-noisy");
  EXPECT_EQ(json["T_max"], 5);
  EXPECT_EQ(json["gap"], 1e-4);
  ASSERT_EQ(json["from"].size(), 9u);
  const auto& middle = json["from"][4];
  EXPECT_EQ(middle["state"], "0");
  EXPECT_EQ(middle["states_reachable"], 9);
  EXPECT_NEAR(middle["H_max"].get<double>(), 2.19398, 1e-4);
  EXPECT_NEAR(middle["D_max"].get<double>(), 1.26362, 1e-4);
  EXPECT_NEAR(middle["C_open"].get<double>(), 1.09785, 1e-4);
  for (const char* gap : {"H_max_gap", "D_max_gap", "C_open_gap"})
    EXPECT_LE(middle[gap].get<double>(), 1e-4);
  EXPECT_EQ(json["summary"]["H_max"]["largest_at"], "0");
  EXPECT_EQ(json["summary"]["D_max"]["least_at"], "-4");
  EXPECT_TRUE(json["notes"].empty());
}

TEST(ExactFrom, AllDrawsOneMapWhereAllAreTheSame) {
  const std::string svg = testing::TempDir() + "vic_map.svg";
  const Result result = run({"exact", "line", "--from", "all", "--svg", svg});
  ASSERT_EQ(result.code, exit_done) << result.err;
  EXPECT_NE(result.out.find("H_max by start, and all the others\n\n  0 3 5 7 9 7 5 3 0 \n"),
            std::string::npos)
      << result.out;
  EXPECT_EQ(result.out.find("C_open by start"), std::string::npos);
  EXPECT_NE(read_file(svg).find("the empowerment map of line"), std::string::npos);
  std::filesystem::remove(svg);
}

TEST(EvalFrom, AllDrawsWhatARunControlsFromEachStart) {
  const std::string folder = testing::TempDir() + "vic_starts", svg = folder + "/map.svg";
  std::filesystem::remove_all(folder);
  ASSERT_EQ(
      run({"train", "line-noisy", "--algorithm", "implicit", "--updates", "2", "--out", folder,
           "--set", "train.starts=all", "--set", "train.hidden=8", "--set", "train.warm_up=1"})
          .code,
      exit_done);
  const Result result = run({"eval", folder, "--from", "all", "--svg", svg});
  ASSERT_EQ(result.code, exit_done) << result.err;
  EXPECT_NE(result.out.find("  H: mean"), std::string::npos);
  EXPECT_NE(result.out.find("  D: mean"), std::string::npos);
  EXPECT_NE(read_file(svg).find("what implicit controls in line-noisy, by start"),
            std::string::npos);
  const Result alone = run({"eval", folder, "--svg", svg});
  EXPECT_EQ(alone.code, exit_usage);
  EXPECT_NE(alone.err.find("--from all"), std::string::npos) << alone.err;
  std::filesystem::remove_all(folder);
}

TEST(ExactFrom, OneStateIsTheTruthOfThatStart) {
  const Result result = run({"exact", "line", "--from", "-3", "--json"});
  ASSERT_EQ(result.code, exit_done) << result.err;
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["start"], "-3");
  EXPECT_NEAR(json["H_max"].get<double>(), std::log(6), 1e-6);
  const Result none = run({"exact", "line", "--from", "9"});
  EXPECT_EQ(none.code, exit_usage);
  EXPECT_NE(none.err.find("line has no state '9'"), std::string::npos) << none.err;
  const Result one = run({"exact", "line", "--svg", "x.svg"});
  EXPECT_EQ(one.code, exit_usage);
  EXPECT_NE(one.err.find("--from all"), std::string::npos) << one.err;
}

TEST(ExactFrontier, WritesTheDocumentedFields) {
  const Result result = run({"exact", "line-noisy", "--lambdas", "0,0.5,1.5", "--json"});
  ASSERT_EQ(result.code, exit_done) << result.err;
  const auto json = Json::parse(result.out);
  EXPECT_NEAR(json["best_success"].get<double>(), 0.5835, 1e-4);
  ASSERT_EQ(json["points"].size(), 3u);
  const auto& half = json["points"][1];
  EXPECT_EQ(half["lambda"], 0.5);
  EXPECT_EQ(half["certified"], true);
  EXPECT_LE(half["gap"].get<double>(), 1e-5);
  EXPECT_NEAR(half["value"].get<double>(), half["D"].get<double>() + 0.5 * half["N"].get<double>(),
              1e-6);
  EXPECT_NEAR(half["H"].get<double>(), 2.0658, 1e-3);
  EXPECT_NEAR(half["success"].get<double>(), 0.4196, 1e-3);
  EXPECT_EQ(json["points"][2]["certified"], false);
}

TEST(ExactFrontier, SaysWhatItCannotDo) {
  const Result large = run({"exact", "rooms-35", "--frontier"});
  EXPECT_EQ(large.code, exit_usage);
  EXPECT_NE(large.err.find("exact.histories"), std::string::npos) << large.err;
  EXPECT_EQ(run({"exact", "line", "--frontier", "--from", "all"}).code, exit_usage);
  EXPECT_EQ(run({"exact", "line", "--lambdas", "0,-1"}).code, exit_usage);
}

TEST(ExactCommand, OnlyComputesWhatIsListed) {
  const Json whole = Json::parse(run({"exact", "line-noisy", "--json"}).out);
  const Json only =
      Json::parse(run({"exact", "line-noisy", "--only", "H_max,D_max", "--json"}).out);
  for (const char* name : {"H_max", "D_max", "H_at_D_max"}) {
    EXPECT_EQ(only[name], whole[name]) << name;
  }
  for (const char* name : {"C_open", "reward_max"}) EXPECT_TRUE(only[name].is_null()) << name;
  EXPECT_TRUE(only["uniform"]["D"].is_null());
  EXPECT_FALSE(whole["C_open"].is_null());
  const Json capacity = Json::parse(run({"exact", "line-noisy", "--only", "C_open", "--json"}).out);
  EXPECT_EQ(capacity["C_open"], whole["C_open"]);
  EXPECT_TRUE(capacity["H_max"].is_null());
  const Result wrong = run({"exact", "line-noisy", "--only", "H_mx"});
  EXPECT_EQ(wrong.code, exit_usage);
  EXPECT_NE(wrong.err.find("did you mean H_max"), std::string::npos) << wrong.err;
}

TEST(ExactCommand, EnumeratesSmallSimulatedWorlds) {
  const std::string pendulum = VIC_SOURCE_DIR "/examples/pendulum.xml";
  const Json swing = Json::parse(run({"exact", pendulum, "--set", "world.levels=3", "--set",
                                      "world.T=6", "--set", "world.frame_skip=25", "--json"})
                                     .out);
  const double cells = swing["states_reachable"].get<double>();
  EXPECT_GT(cells, 3);
  EXPECT_NEAR(swing["H_max"].get<double>(), std::log(cells), 1e-6);
  EXPECT_NEAR(swing["D_max"].get<double>(), std::log(cells), 1e-6);
  EXPECT_LT(swing["uniform"]["H"].get<double>(), std::log(cells));
  const Json mass =
      Json::parse(run({"exact", "noisy-mass", "--set", "world.T=3", "--bits", "--json"}).out);
  EXPECT_LT(mass["C_open"].get<double>(), mass["C_power"].get<double>());
  EXPECT_TRUE(mass["D_max"].is_null());
  const Result large = run({"exact", "half-cheetah"});
  EXPECT_EQ(large.code, exit_usage);
  EXPECT_NE(large.err.find("lower world.levels or world.T"), std::string::npos) << large.err;
  EXPECT_EQ(run({"exact", pendulum, "--from", "all"}).code, exit_usage);
}

TEST(ExactCommand, PrintsWhatIsCertifiedWhenTheTimeIsOver) {
  const Json json = Json::parse(run({"exact", "grid-noisy", "--seconds", "0.02", "--json"}).out);
  EXPECT_GT(json["D_max_gap"].get<double>(), 1e-6);
  EXPECT_LE(json["D_max_low"].get<double>(), 2.233025);
  EXPECT_GE(json["D_max_high"].get<double>(), 2.233024);
  EXPECT_NE(json["notes"].dump().find("D_max stopped at the time limit"), std::string::npos);
}

TEST(ExactCommand, BitsAreNatsTimesAFactor) {
  const Json nats = Json::parse(run({"exact", "line-noisy", "--json"}).out);
  const Json bits = Json::parse(run({"exact", "line-noisy", "--bits", "--json"}).out);
  EXPECT_EQ(nats["unit"], "nats");
  EXPECT_EQ(bits["unit"], "bits");
  for (const char* name : {"H_max", "D_max", "D_max_gap", "H_at_D_max", "H_at_D_max_low",
                           "H_at_D_max_high", "C_open"}) {
    EXPECT_NEAR(bits[name].get<double>(), nats[name].get<double>() / std::log(2), 1e-12) << name;
  }
  EXPECT_EQ(bits["T_max"], nats["T_max"]);
  EXPECT_NE(run({"exact", "line", "--bits"}).out.find("3.169925"), std::string::npos);
  const Json map = Json::parse(run({"exact", "line", "--from", "all", "--bits", "--json"}).out);
  EXPECT_NEAR(map["summary"]["H_max"]["largest"].get<double>(), std::log2(9), 1e-4);
}

TEST(ExactCommand, BracketsWhatIsTooLargeToSolve) {
  const Json json = Json::parse(run({"exact", "rooms-35", "--only", "D_max,C_open", "--json"}).out);
  EXPECT_TRUE(json["D_max"].is_null());
  EXPECT_NEAR(json["D_max_low"].get<double>(), 4.942436, 1e-4);
  EXPECT_NEAR(json["D_max_high"].get<double>(), 5.112740, 1e-4);
  EXPECT_LT(json["C_open_low"].get<double>(), json["C_open_high"].get<double>());
}

// the interval is narrow, and contains a hundred times finer solution
TEST(ExactCommand, CertifiesTheCoverageOfTheMaximiserOfControl) {
  const Json rough =
      Json::parse(run({"exact", "line-noisy", "--set", "exact.gap=1e-5", "--json"}).out);
  const Json fine =
      Json::parse(run({"exact", "line-noisy", "--set", "exact.gap=1e-9", "--json"}).out);
  const double low = rough["H_at_D_max_low"].get<double>();
  const double high = rough["H_at_D_max_high"].get<double>();
  EXPECT_LT(high - low, 0.02);
  EXPECT_GT(high - low, 1e-5);
  EXPECT_LE(low, fine["H_at_D_max_low"].get<double>() + 1e-9);
  EXPECT_GE(high, fine["H_at_D_max_high"].get<double>() - 1e-9);
  EXPECT_LT(fine["H_at_D_max_high"].get<double>() - fine["H_at_D_max_low"].get<double>(), 5e-4);
}

// options that may not terminate early have T_max - 1 moves, in training and in exports
TEST(Termination, NeverTrainsOptionsOfExactlySoManyMoves) {
  const std::string folder = testing::TempDir() + "vic_never";
  std::filesystem::remove_all(folder);
  const Result trained = run({"train", "line-noisy", "--algorithm", "implicit", "--updates", "20",
                              "--out", folder, "--set", "world.termination=never", "--set",
                              "train.hidden=8", "--set", "train.warm_up=1"});
  ASSERT_EQ(trained.code, exit_done) << trained.err;
  const Json evaluation = Json::parse(run({"eval", folder, "--json"}).out);
  EXPECT_NEAR(evaluation["H"].get<double>(),
              evaluation["D"].get<double>() + evaluation["N"].get<double>(), 1e-6);
  const Result options = run({"export", folder, "--options", "50", "--format", "jsonl"});
  ASSERT_EQ(options.code, exit_done) << options.err;
  std::istringstream lines(options.out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_EQ(Json::parse(line)["actions"].size(), 5u) << line;
  }
  EXPECT_EQ(count, 50);
  const Result wrong = run({"exact", "line", "--set", "world.termination=seldom"});
  EXPECT_EQ(wrong.code, exit_usage);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace vic
