#include "report/data/run_list.h"

#include <gtest/gtest.h>

#include "base/folder_lock.h"
#include "support/run_fixture.h"

namespace vic {
namespace {

// the one run of the folder
RunStatus only_run(RunList& list) {
  const std::vector<RunStatus> runs = list.refresh();
  EXPECT_EQ(runs.size(), 1u);
  return runs.empty() ? RunStatus{} : runs[0];
}

void add_timing(const std::string& folder, int first, int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) {
    // 5 updates per second, though the last second had only one
    text += fmt::format(
        "{{\"update\":{},\"seconds\":{},\"updates_per_second\":1.0,\"wall_time\":1e9}}\n",
        first + 5 * i, i + 1);
  }
  write_file(folder + "/timing.jsonl", text + "{\"update\":99");
}

TEST(RunList, FinishedRunHasItsEvaluation) {
  const FixtureFolder folder("list-finished");
  write_fixture(folder / "a", {.seed = 7, .H = 1.6});
  RunList list({folder.path()});
  const RunStatus run = only_run(list);
  EXPECT_EQ(run.folder, folder / "a");
  EXPECT_EQ(run.world, "line-noisy");
  EXPECT_EQ(run.algorithm, "implicit");
  EXPECT_EQ(run.seed, 7);
  EXPECT_EQ(run.state, RunState::finished);
  EXPECT_EQ(run.update, 100);
  EXPECT_EQ(run.updates, 100);
  EXPECT_EQ(run.H, 1.6);
  EXPECT_EQ(run.H_max, 2.0);
  EXPECT_FALSE(run.seconds_left);
  const Json json = status_json(run);
  EXPECT_EQ(json["state"].get<std::string>(), "finished");
  EXPECT_TRUE(json["seconds_left"].is_null());
  EXPECT_FALSE(json.contains("problem"));
}

TEST(RunList, LockOfTheFolderTellsTrainingFromInterrupted) {
  const FixtureFolder folder("list-lock");
  write_fixture(folder / "a", {.H = 2.1, .finished = false});
  add_timing(folder / "a", 25, 3);
  RunList list({folder.path()});
  RunStatus run = only_run(list);
  EXPECT_EQ(run.state, RunState::interrupted);
  EXPECT_EQ(run.update, 40);  // metrics.jsonl is ahead
  EXPECT_NEAR(*run.I_hat, 0.9, 1e-12);
  EXPECT_EQ(run.H_max, 2.0);
  EXPECT_FALSE(run.H);
  EXPECT_FALSE(run.phase);
  {
    const auto lock = FolderLock::take(folder / "a");
    ASSERT_TRUE(lock);
    run = only_run(list);
    EXPECT_EQ(run.state, RunState::training);
    EXPECT_EQ(run.phase, RunPhase::learning);
    EXPECT_DOUBLE_EQ(*run.seconds_left, (100 - 40) / 5.0);
    // refreshing neither takes the lock nor blocks it
    EXPECT_TRUE(FolderLock::is_held(folder / "a"));
  }
  EXPECT_FALSE(FolderLock::is_held(folder / "a"));
  EXPECT_TRUE(FolderLock::take(folder / "a"));
}

TEST(RunList, NamesThePhaseOfARunThatTrains) {
  const FixtureFolder folder("list-phase");
  write_fixture(folder / "a", {.finished = false});
  write_file(folder / "a/metrics.jsonl", "");
  const auto lock = FolderLock::take(folder / "a");
  RunList list({folder.path()});
  EXPECT_EQ(only_run(list).phase, RunPhase::warm_up);
  add_timing(folder / "a", 20, 1);
  EXPECT_EQ(only_run(list).phase, RunPhase::learning);
  add_timing(folder / "a", 95, 2);
  const RunStatus last = only_run(list);
  EXPECT_EQ(last.phase, RunPhase::evaluation);
  EXPECT_FALSE(last.seconds_left);
}

TEST(RunList, TimeLeftIsThatOfThisStartAlone) {
  const FixtureFolder folder("list-starts");
  write_fixture(folder / "a", {.finished = false});
  // the first start was fast, and its updates after the checkpoint are lost
  write_file(folder / "a/timing.jsonl",
             "{\"update\":30,\"seconds\":1,\"updates_per_second\":30,\"wall_time\":1}\n"
             "{\"update\":60,\"seconds\":2,\"updates_per_second\":30,\"wall_time\":2}\n"
             "{\"update\":42,\"seconds\":1,\"updates_per_second\":2,\"wall_time\":9}\n"
             "{\"update\":44,\"seconds\":2,\"updates_per_second\":2,\"wall_time\":10}\n");
  const auto lock = FolderLock::take(folder / "a");
  RunList list({folder.path()});
  EXPECT_DOUBLE_EQ(*only_run(list).seconds_left, (100 - 44) / 2.0);
}

TEST(RunList, ReadsAgainWhatHasChanged) {
  const FixtureFolder folder("list-changes");
  RunList list({folder.path()});
  EXPECT_TRUE(list.refresh().empty());
  write_fixture(folder / "a", {.finished = false});
  EXPECT_EQ(only_run(list).state, RunState::interrupted);
  write_fixture(folder / "a", {.H = 1.75});
  EXPECT_EQ(only_run(list).H, 1.75);
  // its evaluation is removed: the logs count again
  std::filesystem::remove(folder / "a/evaluation.json");
  only_run(list);
  const RunStatus run = only_run(list);
  EXPECT_EQ(run.state, RunState::interrupted);
  EXPECT_FALSE(run.H);
  EXPECT_NEAR(*run.I_hat, 1.75, 1e-12);
  std::filesystem::remove_all(folder / "a");
  EXPECT_TRUE(list.refresh().empty());
}

TEST(RunList, WarningsOfTheTrainingAreThereWhileItLasts) {
  const FixtureFolder folder("list-alarms");
  write_fixture(folder / "a", {.finished = false});
  RunList list({folder.path()});
  EXPECT_TRUE(only_run(list).warnings.empty());
  EXPECT_EQ(status_json(only_run(list))["warnings"].dump(), "[]");
  const std::string alarm = R"({"update":20,"alarms":[{"cause":"a","sentence":"No."}]})";
  write_file(folder / "a/alarms.jsonl", alarm + "\n{\"upd");
  write_file(folder / "a/control.jsonl", R"({"update":20,"exact":true,"H":1.25,"D":1.0,"N":0.25})"
                                         "\n");
  const RunStatus run = only_run(list);
  EXPECT_EQ(run.warnings, std::vector<std::string>{"After update 20: No."});
  EXPECT_EQ(status_json(run)["warnings"].dump(), R"(["After update 20: No."])");
  EXPECT_EQ(run.H, 1.25) << "of the last survey";
  // the evaluation takes precedence
  write_fixture(folder / "a", {.H = 1.75});
  EXPECT_TRUE(only_run(list).warnings.empty());
  EXPECT_EQ(only_run(list).H, 1.75);
}

TEST(RunList, ARunThatTookThePlaceOfAnotherHasNothingOfIt) {
  const FixtureFolder folder("list-force");
  write_fixture(folder / "a", {.finished = false});
  write_file(folder / "a/alarms.jsonl", R"({"update":20,"alarms":[{"cause":"a","sentence":"No."}]})"
                                        "\n");
  RunList list({folder.path()});
  EXPECT_EQ(only_run(list).warnings.size(), 1u);
  std::filesystem::remove_all(folder / "a");
  write_fixture(folder / "a", {.seed = 2, .finished = false});
  std::filesystem::remove(folder / "a/metrics.jsonl");
  const RunStatus run = only_run(list);
  EXPECT_EQ(run.seed, 2);
  EXPECT_TRUE(run.warnings.empty());
  EXPECT_EQ(run.update, 0);
  EXPECT_FALSE(run.I_hat);
}

TEST(RunList, DamageIsPartOfTheAnswer) {
  const FixtureFolder folder("list-damage");
  for (const char* name : {"a", "b", "c", "d", "e"}) write_fixture(folder / name, {});
  write_file(folder / "a/settings.toml", "[run]\nformat = 1\n");
  write_file(folder / "b/evaluation.json", "{");
  std::filesystem::remove(folder / "c/metrics.jsonl");
  std::filesystem::create_symlink("/etc/passwd", folder / "c/metrics.jsonl");
  write_file(folder / "d/evaluation.json",
             R"({"world":"line","run_id":"0","updates":100,"H":1,"I_hat":1})");
  RunList list({folder.path()});
  const std::vector<RunStatus> runs = list.refresh();
  ASSERT_EQ(runs.size(), 5u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(runs[i].state, RunState::damaged) << i;
    EXPECT_NE(runs[i].problem, "") << i;
  }
  EXPECT_NE(runs[3].problem.find("is of another run"), std::string::npos) << runs[3].problem;
  EXPECT_EQ(runs[4].state, RunState::finished);
  // repaired damage is gone, the rest stays
  write_fixture(folder / "b", {});
  EXPECT_EQ(list.refresh()[1].state, RunState::finished);
  EXPECT_EQ(list.refresh()[0].state, RunState::damaged);
}

TEST(RunList, LongLogsAreReadAtTheirEndOnly) {
  const FixtureFolder folder("list-long");
  write_fixture(folder / "a", {.finished = false});
  // damage in a part that is not read goes unnoticed
  write_file(folder / "a/metrics.jsonl",
             std::string(1 << 20, 'x') + "\n{\"update\":50,\"I_hat\":1.25}\n");
  RunList list({folder.path()});
  const RunStatus run = only_run(list);
  EXPECT_EQ(run.state, RunState::interrupted) << run.problem;
  EXPECT_EQ(run.I_hat, 1.25);
}

}  // namespace
}  // namespace vic
