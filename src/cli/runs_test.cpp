// vic runs, and the layout of lists of runs and other screens.
#include <gtest/gtest.h>

#include "base/folder_lock.h"
#include "base/json.h"
#include "base/text.h"
#include "support/program_run.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

TEST(Runs, JsonHasTheFieldsThatScriptsRead) {
  const FixtureFolder folder("runs-json");
  write_fixture(folder / "a", {.H = 1.5});
  write_fixture(folder / "b", {.finished = false});
  const auto lock = FolderLock::take(folder / "b");
  const Result result = run({"runs", folder.path(), "--json"});
  EXPECT_EQ(result.code, exit_done) << result.err;
  const Json runs = Json::parse(result.out)["runs"];
  ASSERT_EQ(runs.size(), 2u);
  for (const Json& one : runs) {
    for (const char* key : {"folder", "world", "algorithm", "seed", "update", "updates", "state",
                            "seconds_left", "H", "I_hat", "H_max"}) {
      EXPECT_TRUE(one.contains(key)) << key;
    }
  }
  EXPECT_EQ(runs[0]["state"].get<std::string>(), "finished");
  EXPECT_EQ(runs[1]["state"].get<std::string>(), "training");
}

TEST(Runs, EveryLineFitsIntoTheTerminal) {
  const FixtureFolder folder("runs-lines");
  write_fixture(folder / std::string(120, 'n'), {.H = 1.5});
  write_fixture(folder / "b", {.finished = false});
  for (const int columns : {80, 120}) {
    std::ostringstream out, err;
    const int code =
        run_program({"runs", folder.path()}, {.out = out, .err = err, .columns = columns});
    EXPECT_EQ(code, exit_done) << err.str();
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(text_width(line), static_cast<std::size_t>(columns)) << line;
    }
    EXPECT_NE(out.str().find("75.0 %"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("interrupted, 40 %"), std::string::npos) << out.str();
  }
}

TEST(Runs, NoRunsAreNoError) {
  const FixtureFolder folder("runs-none");
  const Result result = run({"runs", folder.path()});
  EXPECT_EQ(result.code, exit_done);
  EXPECT_EQ(result.out, "There are no runs in " + folder.path() + "; vic train makes some.\n");
  EXPECT_EQ(Json::parse(run({"runs", folder.path(), "--json"}).out)["runs"].size(), 0u);
  EXPECT_EQ(run({"runs", folder / "nothing"}).code, exit_usage);
}

TEST(Screens, FitIntoEightyColumns) {
  const FixtureFolder folder("screens");
  write_fixture(folder / "a", {.H = 1.5});
  write_fixture(folder / "b", {.algorithm = "transition", .H = 1.9, .more = "hidden = 64\n"});
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"--help"},
                                             {"worlds"},
                                             {"worlds", "rooms-35"},
                                             {"exact", "line"},
                                             {"train", "--help"},
                                             {"export", "--help"},
                                             {"report", folder.path()},
                                             {"runs", folder.path()}}) {
    std::ostringstream out, err;
    ASSERT_EQ(run_program(args, {.out = out, .err = err, .columns = 80}), exit_done) << err.str();
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(text_width(line), 80u) << line;
    }
  }
}

TEST(Screens, WhatIsSaidOnATerminalBreaksBetweenWords) {
  std::ostringstream out, err;
  const Console console{.out = out, .err = err, .err_columns = 80};
  EXPECT_EQ(run_program({"train", "nowhere"}, console), exit_usage);
  const std::string wrapped = err.str();
  std::istringstream lines(wrapped);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(text_width(line), 80u);
  EXPECT_GT(count, 1) << wrapped;
  // the same words, elsewhere on one line
  std::istringstream there(wrapped), one(run({"train", "nowhere"}).err);
  for (std::string word, same; one >> word && there >> same;) EXPECT_EQ(word, same);
}

TEST(Screens, CopiesAreNoSeedsOfTheirOwn) {
  const FixtureFolder folder("copies");
  write_fixture(folder / "a", {.H = 1.5});
  write_fixture(folder / "b", {.H = 1.5});
  const Result result = run({"report", folder / "a", folder / "b"});
  EXPECT_NE(result.out.find("note: " + (folder / "b") +
                            " is left out: it has the settings and the "
                            "seed of " +
                            (folder / "a") + "."),
            std::string::npos)
      << result.out;
  const Json json = Json::parse(run({"report", folder.path(), "--json"}).out);
  EXPECT_EQ(json["worlds"][std::size_t{0}]["series"][std::size_t{0}]["finished"].get<int>(), 1);
}

TEST(Screens, UnfinishedRunsHaveNumbers) {
  const FixtureFolder folder("young");
  write_fixture(folder / "a", {.H = 2.1, .finished = false});
  const std::string out = run({"report", folder.path()}).out;
  EXPECT_NE(out.find("0 (+1 unfinished)"), std::string::npos) << out;
  EXPECT_NE(out.find("0.9000"), std::string::npos) << out;
}

TEST(Screens, GoalsThatNoOptionReachesAreNamed) {
  const FixtureFolder folder("goal");
  write_file(folder / "far.toml",
             "T_max = 3\nmap = \"S...G\"\ncells = { G = { absorbing = true } }\n"
             "moves = [{ name = \"right\", outcomes = [{ dx = 1, p = 1 }] }]\n");
  const Result result = run({"exact", folder / "far.toml"});
  EXPECT_EQ(result.code, exit_done) << result.err;
  EXPECT_NE(result.err.find("cannot be reached in the 2 moves of an option; raise world.T_max."),
            std::string::npos)
      << result.err;
}

TEST(Sweep, OverSettingsAndSeedsWithoutAFile) {
  const FixtureFolder folder("sweep-over");
  const std::string out = folder / "s";
  const std::vector<std::string> args = {"sweep",   "line-noisy",
                                         "--over",  "train.lambda=0,1",
                                         "--seeds", "3,5",
                                         "--out",   out,
                                         "--set",   "train.updates=10",
                                         "--set",   "train.warm_up=5",
                                         "--set",   "train.hidden=16"};
  const Result result = run(args);
  ASSERT_EQ(result.code, exit_done) << result.err;
  const Json runs = Json::parse(run({"runs", out, "--json"}).out)["runs"];
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(runs[std::size_t{0}]["folder"].get<std::string>(),
            out + "/line-noisy-transition-lambda-0-3");
  // series are named by the settings that differ
  const std::string table = run({"report", out}).out;
  EXPECT_NE(table.find("transition · lambda=0 "), std::string::npos) << table;
  EXPECT_NE(table.find("transition · lambda=1 "), std::string::npos) << table;
  const auto fault = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"sweep", "line-noisy"});
    const Result wrong = run(more);
    EXPECT_EQ(wrong.code, exit_usage);
    return wrong.err;
  };
  EXPECT_NE(fault({"--over", "lambda"}).find("key=a,b,c"), std::string::npos);
  EXPECT_NE(fault({"--over", "train.lamda=0,1"}).find("did you mean train.lambda?"),
            std::string::npos);
  EXPECT_NE(fault({"--over", "train.seed=0,1"}).find("--seeds"), std::string::npos);
  EXPECT_NE(fault({"--seeds", "0"}).find("--seeds"), std::string::npos);
  EXPECT_NE(fault({"--over", "train.lambda=1,1"}).find("twice"), std::string::npos);
}

}  // namespace
}  // namespace vic
