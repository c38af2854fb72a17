// vic runs: the list of runs as people and scripts see it.
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

}  // namespace
}  // namespace vic
