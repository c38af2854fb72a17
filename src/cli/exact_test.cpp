// vic exact beyond one start: the empowerment map and the frontier.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

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

TEST(ExactCommand, FastLeavesOutWhatTakesLongest) {
  const Json whole = Json::parse(run({"exact", "line-noisy", "--json"}).out);
  const Json fast = Json::parse(run({"exact", "line-noisy", "--fast", "--json"}).out);
  for (const char* name : {"H_max", "D_max", "C_open"}) EXPECT_EQ(fast[name], whole[name]) << name;
  EXPECT_NEAR(fast["uniform"]["H"].get<double>(), whole["uniform"]["H"].get<double>(), 1e-12);
  EXPECT_TRUE(fast["uniform"]["D"].is_null());
  EXPECT_NE(fast["notes"].dump().find("--fast"), std::string::npos);
}

}  // namespace
}  // namespace vic
