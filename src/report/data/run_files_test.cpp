#include "report/data/run_files.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

// the error of reading the folder
std::string complaint(const std::string& folder) {
  try {
    read_run_files(folder);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(RunFiles, ReadsWhatTheFilesSay) {
  const FixtureFolder folder("reads");
  write_fixture(folder / "a", {.H = 1.6});
  const RunFiles run = read_run_files(folder / "a");
  EXPECT_EQ(run.world, "line-noisy");
  EXPECT_EQ(run.algorithm, "implicit");
  EXPECT_EQ(run.seed, 1);
  EXPECT_EQ(run.setting("world.noise"), "0.3");
  ASSERT_EQ(run.curve.update.size(), 10u);
  EXPECT_EQ(run.curve.update.back(), 100);
  EXPECT_DOUBLE_EQ(run.curve.I_hat.back(), 1.6);
  ASSERT_TRUE(run.result && run.truth && run.truth->p_f_at_D_max);
  EXPECT_EQ(run.result->measures["H"], 1.6);
  EXPECT_EQ(run.result->measures["calibration.bias"], -0.5);
  EXPECT_EQ(run.truth->optima["D_max"], 1.25);
  EXPECT_FALSE(run.truth->optima["C_open"]);
  EXPECT_EQ(run.truth->picture.cells.size(), 3u);
  EXPECT_EQ(run.truth->picture_states.size(), 3u);
}

TEST(RunFiles, UnfinishedRunIsNotAnError) {
  const FixtureFolder folder("unfinished");
  write_fixture(folder / "a", {.finished = false});
  const RunFiles run = read_run_files(folder / "a");
  EXPECT_FALSE(run.result);
  // its last line was cut off
  EXPECT_EQ(run.curve.update.size(), 4u);
}

TEST(RunFiles, ControlAndAlarmsOfTheTraining) {
  const FixtureFolder folder("logs");
  const std::string a = folder / "a";
  write_fixture(a, {.finished = false});
  EXPECT_TRUE(read_run_files(a).control.update.empty());
  const std::string first = R"({"update":20,"exact":true,"H":1.25,"D":1.0,"N":0.25})"
                            "\n";
  write_file(a + "/control.jsonl", first + "{\"update\":4");
  write_file(a + "/alarms.jsonl", R"({"update":20,"alarms":[{"cause":"a","sentence":"No."},)"
                                  R"({"cause":"b","sentence":"Never."}]})"
                                  "\n");
  const RunFiles run = read_run_files(a);
  EXPECT_EQ(run.control.update, std::vector<long>{20});
  EXPECT_EQ(run.control.D, std::vector<double>{1.0});
  EXPECT_EQ(run.alarms,
            (std::vector<std::string>{"After update 20: No.", "After update 20: Never."}));
  // a curve with a gap in one line is not drawn at all
  write_file(a + "/control.jsonl", first +
                                       R"({"update":40,"exact":false,"H":1.5,"D":null,"N":null})"
                                       "\n");
  EXPECT_EQ(read_run_files(a).control.H.size(), 2u);
  EXPECT_TRUE(read_run_files(a).control.D.empty());
  write_file(a + "/alarms.jsonl", "{\"update\":20}\n");
  EXPECT_EQ(complaint(a), a + "/alarms.jsonl:1 is damaged: it lacks \"alarms\".");
}

TEST(RunFiles, DamageIsOneSentenceThatNamesTheFile) {
  const FixtureFolder folder("damage");
  const std::string a = folder / "a";
  write_fixture(a, {});
  write_file(a + "/evaluation.json", "{\"world\":");
  EXPECT_EQ(complaint(a), a + "/evaluation.json is damaged: it is no JSON object; measure the run "
                              "again with vic eval.");
  write_fixture(a, {});
  write_file(a + "/evaluation.json", "{\"updates\":100,\"exact\":1}");
  EXPECT_EQ(complaint(a), a + "/evaluation.json is damaged: \"exact\" is not true or false.");
  write_fixture(a, {});
  write_file(a + "/metrics.jsonl", "{\"update\":10,\"I_hat\":1.0}\n{\"update\":20}\n");
  EXPECT_EQ(complaint(a), a + "/metrics.jsonl:2 is damaged: it lacks \"I_hat\".");
  write_file(a + "/metrics.jsonl", "{\"update\":10,\"I_hat\":1.0}\n{\"update\":10,\"I_hat\":1}\n");
  EXPECT_EQ(complaint(a), a + "/metrics.jsonl:2 is damaged: update 10 does not come after 10.");
  write_fixture(a, {});
  write_file(a + "/settings.toml",
             "[run]\nformat = 3\n[train]\nalgorithm = \"implicit\"\nseed = \"x\"\n");
  EXPECT_EQ(complaint(a), a + "/settings.toml is damaged: it has no whole number for train.seed.");
}

}  // namespace
}  // namespace vic
