// vic export: rows that other programs read, and what cannot be exported.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/file.h"
#include "base/json.h"
#include "support/program_run.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

class ExportCommand : public testing::Test {
 protected:
  ExportCommand()
      : folder_(std::string("export-") +
                testing::UnitTest::GetInstance()->current_test_info()->name()) {}

  void train(const std::string& world, const std::vector<std::string>& more) {
    std::vector<std::string> args = {
        "train",           world,   "--out",           run_,        "--set",
        "train.warm_up=5", "--set", "train.hidden=16", "--updates", "20"};
    args.insert(args.end(), more.begin(), more.end());
    const Result result = vic::run(args);
    ASSERT_EQ(result.code, exit_done) << result.err;
  }
  std::vector<Json> lines(const std::vector<std::string>& more) {
    std::vector<std::string> args = {"export", run_};
    args.insert(args.end(), more.begin(), more.end());
    const Result result = vic::run(args);
    EXPECT_EQ(result.code, exit_done) << result.err;
    std::vector<Json> list;
    std::istringstream text(result.out);
    for (std::string line; std::getline(text, line);) list.push_back(Json::parse(line));
    return list;
  }

  FixtureFolder folder_;
  std::string run_ = folder_ / "run";
};

TEST_F(ExportCommand, OptionsHaveTheFieldsThatScriptsRead) {
  train("line-noisy", {});
  const std::vector<Json> options = lines({"--options", "150", "--format", "jsonl"});
  ASSERT_EQ(options.size(), 150u);
  for (const Json& one : options) {
    EXPECT_EQ(one["states"].back(), one["s_f"]);
    EXPECT_EQ(one["actions"].size(), one["states"].size());
    EXPECT_EQ(one["actions"].back().get<std::string>(), "terminate");
    EXPECT_LE(one["actions"].size(), 5u);
    EXPECT_LE(one["log_pi_p"].get<double>(), 0);
    EXPECT_TRUE(std::isfinite(one["reward"].get<double>()));
    EXPECT_EQ(one["external"].get<double>(), 0);
  }
  // the same sample again, and a different one for another seed
  EXPECT_EQ(lines({"--options", "150"}), options);
  EXPECT_NE(lines({"--options", "150", "--set", "eval.seed=2"}), options);
}

TEST_F(ExportCommand, PolicyTablesSumToOne) {
  train("line-noisy", {});
  const std::vector<Json> rows = lines({"--policy"});
  double starts = 0;
  for (const Json& row : rows) {
    double sum = 0;
    for (const auto& [action, p] : row["pi_p"].items()) sum += p.get<double>();
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_EQ(row["pi_q"].size(), 9u);
    EXPECT_EQ(row["states"].size(), row["actions"].size() + 1);
    if (row["t"].get<int>() == 1) starts += row["p"].get<double>();
  }
  EXPECT_NEAR(starts, 1 - rows[0]["pi_p"]["terminate"].get<double>(), 1e-5);
}

TEST_F(ExportCommand, OptimalPoliciesNeedNoRun) {
  const Result result = vic::run({"export", "--optimal", "line-noisy", "--set", "world.T_max=3"});
  ASSERT_EQ(result.code, exit_done) << result.err;
  std::istringstream text(result.out);
  int H = 0, D = 0;
  for (std::string line; std::getline(text, line);) {
    const Json row = Json::parse(line);
    (row["objective"].get<std::string>() == "H_max" ? H : D) += 1;
    double sum = 0;
    for (const auto& [action, p] : row["pi"].items()) sum += p.get<double>();
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_EQ(row["states"].is_null(), row["objective"].get<std::string>() == "H_max");
  }
  EXPECT_EQ(H, 3);  // s_0, and the two places after a move
  EXPECT_EQ(D, 5);  // s_0, and two outcomes of two moves
}

TEST_F(ExportCommand, CurvesAreTheMetrics) {
  train("line-noisy", {});
  const std::vector<Json> rows = lines({"--curves"});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1]["update"].get<long>(), 20);
  const Result csv = vic::run({"export", run_, "--curves", "--format", "csv"});
  EXPECT_EQ(csv.out.substr(0, 30), "update,reward,external,intrins");
  EXPECT_EQ(std::ranges::count(csv.out, '\n'), 3);
}

TEST_F(ExportCommand, SimulatedOptionsHaveAllNumbersOfTheirStates) {
  train("half-cheetah",
        {"--set", "world.T=5", "--set", "train.batch=8", "--set", "run.survey_options=100"});
  const std::vector<Json> options = lines({"--options", "3"});
  ASSERT_EQ(options.size(), 3u);
  for (const Json& one : options) {
    EXPECT_EQ(one["states"].size(), 6u);
    EXPECT_EQ(one["actions"].size(), 5u);
    EXPECT_EQ(one["actions"][std::size_t{0}].size(), 6u);
    EXPECT_EQ(one["states"].back(), one["s_f"]);
  }
  EXPECT_GE(lines({"--films"}).size(), 1u);
  EXPECT_NE(vic::run({"export", run_, "--policy"}).err.find("table"), std::string::npos);
}

TEST_F(ExportCommand, SaysInOneSentenceWhatCannotBe) {
  train("line-noisy", {});
  const auto fault = [&](const std::vector<std::string>& args) {
    const Result result = vic::run(args);
    EXPECT_EQ(result.code, exit_usage) << result.out;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    return result.err;
  };
  EXPECT_NE(fault({"export"}).find("vic export takes a run and one of"), std::string::npos);
  EXPECT_NE(fault({"export", run_}).find("vic export takes a run and one of"), std::string::npos);
  EXPECT_NE(fault({"export", run_, "--policy", "--curves"}).find("one of"), std::string::npos);
  EXPECT_NE(fault({"export", run_, "--optimal", "line"}).find("one of"), std::string::npos);
  EXPECT_NE(fault({"export", run_, "--policy", "--format", "npz"}).find("name a file"),
            std::string::npos);
  EXPECT_NE(fault({"export", run_, "--policy", "--format", "xlsx"}).find("jsonl, csv or npz"),
            std::string::npos);
  EXPECT_NE(fault({"export", run_, "--films"}).find("films are of finished runs in simulated"),
            std::string::npos);
  EXPECT_NE(fault({"export", run_, "--policy", "--set", "eval.histories=5"}).find("eval.histories"),
            std::string::npos);
  EXPECT_NE(fault({"export", "--optimal", "half-cheetah"}).find("table"), std::string::npos);
}

TEST_F(ExportCommand, NpzIsWrittenByItsEnding) {
  train("line-noisy", {});
  const std::string file = folder_ / "options.npz";
  const Result result = vic::run({"export", run_, "--options", "10", "-o", file, "--json"});
  ASSERT_EQ(result.code, exit_done) << result.err;
  EXPECT_EQ(Json::parse(result.out)["rows"].get<int>(), 10);
  EXPECT_EQ(read_file(file).substr(0, 2), "PK");
}

}  // namespace
}  // namespace vic
