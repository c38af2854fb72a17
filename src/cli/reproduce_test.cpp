// vic sweep and vic reproduce as users meet them.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "support/program_run.h"

namespace vic {
namespace {

class Reproduce : public testing::Test {
 protected:
  Reproduce() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~Reproduce() override { std::filesystem::remove_all(folder_); }

  // a figure of two runs, with a claim that holds if `bound` is low enough
  std::string figure(double bound) const {
    const std::string path = folder_ + "/figure.toml";
    write_file(path, fmt::format(R"(
title = "A small figure"
[[runs]]
worlds = ["line"]
algorithms = ["implicit"]
seeds = 2
settings.train.updates = 20
settings.train.warm_up = 10
[[claims]]
text = "It learns"
measure = "H / H_max"
at_least = {}
)",
                                 bound));
    return path;
  }

  // the same claim as one of the paper's
  static std::string changed_source(const std::string& path) {
    write_file(path, read_file(path) + "source = \"paper, Figure 2\"\nsee = \"docs/claims.md\"\n");
    return path;
  }

  std::string folder_ = testing::TempDir() + "vic_reproduce_" +
                        testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(Reproduce, GivesAPageAndAVerdict) {
  const std::string runs = folder_ + "/runs";
  const Result result = run({"reproduce", figure(0.1), "--out", runs});
  EXPECT_EQ(result.code, exit_done) << result.err;
  EXPECT_NE(result.out.find("It learns (ours)\n  H / H_max at least 0.1\n"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("\n  holds      line "), std::string::npos);
  EXPECT_NE(result.out.find("2 runs, 1 of 1 claims hold"), std::string::npos);
  EXPECT_NE(result.err.find("[2/2] line-implicit-"), std::string::npos);
  EXPECT_NE(read_file(runs + "/report.html").find("A small figure"), std::string::npos);

  // a second call trains nothing, and has the same output
  const Result again = run({"reproduce", figure(0.1), "--out", runs, "--json"});
  EXPECT_EQ(again.err, "");
  const auto json = Json::parse(again.out);
  EXPECT_EQ(json.at("claims").at(0).at("verdict"), "holds");
  EXPECT_EQ(json.at("claims").at(0).at("seeds"), 2);

  // a claim that does not hold is exit code 1
  const Result failed = run({"reproduce", figure(1.01), "--out", runs});
  EXPECT_EQ(failed.code, exit_failed);
  EXPECT_NE(failed.out.find("\n  refuted    line "), std::string::npos);
  EXPECT_EQ(failed.err, "vic: 1 of 1 claims of ours do not hold.\n");

  // a refuted claim of the paper is a finding, with its own exit code
  const std::string paper = changed_source(figure(1.01));
  const Result finding = run({"reproduce", paper, "--out", runs});
  EXPECT_EQ(finding.code, exit_refuted);
  EXPECT_NE(finding.out.find("why: docs/claims.md\n"), std::string::npos) << finding.out;
  EXPECT_EQ(finding.err, "vic: 1 of 1 claims of the paper are refuted: a finding, not an error.\n");

  // the verdicts are kept with the runs: a report shows them again
  const Result report = run({"report", runs, "-o", runs + "/again.html"});
  EXPECT_EQ(report.code, exit_done) << report.err;
  EXPECT_NE(read_file(runs + "/again.html").find("0 of 1 claims hold, 1 refuted"),
            std::string::npos);
  EXPECT_NE(run({"report", runs}).out.find("refuted  "), std::string::npos);
}

// a simulated world has cells in place of H_max
TEST_F(Reproduce, TestsClaimsAboutSimulatedWorlds) {
  const std::string path = folder_ + "/simulated.toml", runs = folder_ + "/runs";
  write_file(path, R"(
title = "Simulated"
[[runs]]
worlds = ["half-cheetah"]
algorithms = ["marginal", "implicit"]
seeds = 1
settings.world.T = 3
settings.world.bin = 0.01
settings.train.hidden = 16
settings.train.batch = 8
settings.train.warm_up = 0
settings.train.updates = 2
[[claims]]
text = "They go somewhere"
measure = "cells"
at_least = 2
over = "every"
[[claims]]
text = "but not to more cells than there are options"
measure = "cells"
at_least = 1025
over = "every"
)");
  const Result result = run({"reproduce", path, "--out", runs});
  EXPECT_EQ(result.code, exit_failed) << result.err;
  EXPECT_NE(result.out.find("2 runs, 2 of 4 claims hold"), std::string::npos) << result.out;
  // the measured values are those of the evaluation
  const Json claims = Json::parse(read_file(runs + "/verdict.json")).at("claims");
  const Json evaluation = Json::parse(read_file(runs + "/half-cheetah-marginal-1/evaluation.json"));
  EXPECT_EQ(claims.at(0).at("algorithm"), "marginal");
  EXPECT_EQ(claims.at(0).at("measured").get<double>(), evaluation.at("cells").get<double>());
  EXPECT_NE(result.err.find(" cells  "), std::string::npos) << result.err;
  EXPECT_NE(read_file(runs + "/report.html").find("Options on film"), std::string::npos);
}

TEST_F(Reproduce, QuickHasNoVerdict) {
  const Result result = run({"reproduce", figure(1.01), "--out", folder_ + "/runs", "--quick"});
  EXPECT_EQ(result.code, exit_done) << result.err;
  EXPECT_NE(result.out.find("1 runs, too short for claims"), std::string::npos) << result.out;
}

TEST_F(Reproduce, SweepTrainsTheRunsAndTheirSettingsCanBeChanged) {
  const std::vector<std::string> args = {"sweep",  figure(0), "--out", folder_ + "/runs",
                                         "--jobs", "1",       "--json"};
  EXPECT_EQ(Json::parse(run(args).out).size(), 2);
  std::vector<std::string> changed = args;
  changed.insert(changed.end(), {"--set", "train.hidden=32"});
  const Result result = run(changed);
  EXPECT_EQ(result.code, exit_usage);
  EXPECT_EQ(result.err, "vic: " + folder_ +
                            "/runs/line-implicit-1 was trained with train.hidden = 64, and the "
                            "experiment wants 32; choose another --out.\n");
}

TEST_F(Reproduce, NamesWhatIsWrong) {
  EXPECT_EQ(run({"reproduce", "fig44"}).err,
            "vic: There is no experiment 'fig44'; did you mean fig4?\n");
  EXPECT_EQ(run({"reproduce", "nowhere.toml"}).code, exit_usage);
  EXPECT_EQ(run({"sweep", figure(0), "--jobs", "0"}).code, exit_usage);
  EXPECT_EQ(run({"sweep", figure(0), "--set", "train.batch=-1"}).code, exit_usage);
  EXPECT_FALSE(std::filesystem::exists("runs/figure"));
}

// the experiments of the repository are sound, and their settings are known
TEST_F(Reproduce, HasTheFiguresOfThePaper) {
  for (const auto& file : std::filesystem::directory_iterator(VIC_SOURCE_DIR "/experiments")) {
    if (file.path().extension() != ".toml") continue;
    const Result result = run({"sweep", file.path().string(), "--out", folder_ + "/runs", "--quick",
                               "--set", "train.updates=wrong"});
    // --set is checked last: its error shows that the file itself was read
    EXPECT_EQ(result.err.substr(0, 26), "vic: --set: train.updates ") << result.err;
  }
}

}  // namespace
}  // namespace vic
