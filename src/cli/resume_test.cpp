// vic train and its signals: its output, its files, its exit codes.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/folder_lock.h"
#include "base/json.h"
#include "support/signal_run.h"

namespace vic {
namespace {

Result run_with_signals(const std::vector<std::string>& args, std::vector<int> signals) {
  return run_until(" left", args, std::move(signals));
}

Result run_with_signal(const std::vector<std::string>& args, int signal) {
  return run_with_signals(args, {signal});
}

class Resume : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<std::string> train(const std::string& folder) const {
    return {"train", "line-noisy",      "--out",     folder, "--set", "train.warm_up=20",
            "--set", "train.hidden=16", "--updates", "30"};
  }
  std::vector<std::string> resume() const { return {"train", "--resume", run_}; }

  // tests run side by side, each in a folder of its own
  std::string folder_ =
      testing::TempDir() + "vic_" + testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string run_ = folder_ + "/run";
};

TEST_F(Resume, AfterCtrlCAndTermEndsAsIfNothingHadHappened) {
  const Result whole = run(train(folder_ + "/whole"));
  ASSERT_EQ(whole.code, exit_done) << whole.err;
  const Result stopped = run_with_signal(train(run_), SIGINT);
  EXPECT_EQ(stopped.code, 130);
  EXPECT_EQ(stopped.out, "");
  EXPECT_EQ(stopped.err,
            "vic: Stopped after update 1 of 50; vic train --resume " + run_ + " goes on.\n");
  const Result terminated = run_with_signal(resume(), SIGTERM);
  EXPECT_EQ(terminated.code, 143);
  EXPECT_EQ(terminated.err,
            "vic: Stopped after update 2 of 50; vic train --resume " + run_ + " goes on.\n");
  const Result hung_up = run_with_signal(resume(), SIGHUP);
  EXPECT_EQ(hung_up.code, 129);
  EXPECT_EQ(hung_up.err,
            "vic: Stopped after update 3 of 50; vic train --resume " + run_ + " goes on.\n");
  const Result finished = run(resume());
  EXPECT_EQ(finished.code, exit_done) << finished.err;
  EXPECT_EQ(finished.out.substr(0, finished.out.find("kept in")),
            whole.out.substr(0, whole.out.find("kept in")));
  for (const char* name : {"checkpoint.safetensors", "metrics.jsonl", "evaluation.json"}) {
    EXPECT_EQ(read_file(run_ + "/" + name), read_file(folder_ + "/whole/" + name)) << name;
  }
}

TEST_F(Resume, ASecondSignalOfAnyKindEndsAtOnce) {
  const auto expect = [this](int first, int second) {
    EXPECT_EXIT(run_with_signals(train(run_), {first, second}), testing::KilledBySignal(second),
                "");
    std::filesystem::remove_all(run_);
  };
  expect(SIGINT, SIGINT);
  expect(SIGINT, SIGTERM);
  expect(SIGTERM, SIGHUP);
}

TEST_F(Resume, OfAFinishedRunSaysSo) {
  ASSERT_EQ(run(train(run_)).code, exit_done);
  const Result again = run(resume());
  EXPECT_EQ(again.code, exit_done);
  EXPECT_EQ(again.out, "");
  EXPECT_EQ(again.err, run_ + " is finished, all 50 updates; vic eval " + run_ +
                           " shows it. A new run goes on from it with vic train --from " + run_ +
                           " --updates N.\n");
  const Result json = run({"train", "--resume", run_, "--json"});
  EXPECT_EQ(Json::parse(json.out)["updates"], 50);
}

TEST_F(Resume, NamesWhatIsWrong) {
  const auto expect = [](const Result& result, int code, const std::string& message) {
    EXPECT_EQ(result.code, code);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "vic: " + message + "\n");
  };
  expect(run({"train"}), exit_usage,
         "vic train needs a world, --settings of a run, --from with a run to go on from, or "
         "--resume with one that was interrupted; see vic train --help.");
  expect(
      run(resume()), exit_usage,
      "'" + run_ + "' is not a run folder: settings.toml is missing. Create one with vic train.");
  ASSERT_EQ(run_with_signal(train(run_), SIGINT).code, 130);
  expect(run(train(run_)), exit_usage,
         run_ + " has a run already; vic train --resume " + run_ +
             " goes on with it, --out chooses another folder, --force replaces it.");
  expect(run({"train", "--resume", run_, "--updates", "60"}), exit_usage,
         "--resume goes on with the settings of " + run_ +
             ", which cannot be changed; use it alone or with --json. A new run that goes on from "
             "its weights is made with --from.");
  {
    const auto lock = FolderLock::take(run_);
    expect(run(resume()), exit_failed,
           run_ + " is in use: another vic trains there; wait until it ends.");
  }
  const std::string settings = read_file(run_ + "/settings.toml");
  std::string changed = settings;
  changed.replace(changed.find("batch = 128"), 11, "batch = 129");
  write_file(run_ + "/settings.toml", changed);
  expect(run(resume()), exit_usage,
         run_ +
             "/settings.toml was changed after the run began: train.batch is 129 and was 128; "
             "put it back.");
  write_file(run_ + "/settings.toml", settings);
  write_file(run_ + "/checkpoint.safetensors", "x");
  expect(run(resume()), exit_failed,
         run_ +
             "/checkpoint.safetensors is damaged or not a safetensors file: it ends after 1 "
             "bytes. No checkpoint of " +
             run_ + " is sound; train again in another folder.");
}

TEST_F(Resume, OfAFinishedRunWhoseCheckpointIsDamagedTrainsItAgain) {
  std::vector<std::string> args = train(run_);
  args.insert(args.end(), {"--set", "run.checkpoint_every=20"});
  ASSERT_EQ(run(args).code, exit_done);
  const std::string newest = run_ + "/checkpoint.safetensors", sound = read_file(newest);
  const std::string evaluation = read_file(run_ + "/evaluation.json");
  EXPECT_EQ(run({"eval", run_, "--json", "--again"}).out, evaluation);
  write_file(newest, "x");
  const Result eval = run({"eval", run_});
  EXPECT_EQ(eval.code, exit_done);
  EXPECT_NE(eval.err.find("warning: " + run_ + " has done 40 of its 50 updates"), std::string::npos)
      << eval.err;
  EXPECT_NE(eval.err.find("evaluation.json and the checkpoint are of updates 50 and 40"),
            std::string::npos);
  const Result again = run({"train", "--resume", run_, "--json"});
  EXPECT_EQ(again.code, exit_done) << again.err;
  EXPECT_EQ(again.out, evaluation);
  EXPECT_EQ(read_file(newest), sound);
}

TEST_F(Resume, ReportNamesResultsOfAnotherRun) {
  std::vector<std::string> other = train(folder_ + "/other");
  other.insert(other.end(), {"--seed", "2"});
  ASSERT_EQ(run(train(run_)).code, exit_done);
  ASSERT_EQ(run(other).code, exit_done);
  EXPECT_EQ(run({"report", run_}).code, exit_done);
  for (const char* name : {"/metrics.jsonl", "/evaluation.json"}) {
    const std::string mine = read_file(run_ + name);
    write_file(run_ + name, read_file(folder_ + "/other" + name));
    const Result mixed = run({"report", run_});
    EXPECT_EQ(mixed.code, exit_usage);
    EXPECT_TRUE(mixed.err.starts_with("vic: " + run_ + "/evaluation.json ")) << mixed.err;
    write_file(run_ + name, mine);
  }
  // the text of a foreign result never reaches a terminal
  std::string hostile = read_file(run_ + "/evaluation.json");
  hostile.replace(hostile.find("line-noisy"), 10, "\\u001b[31m");
  write_file(run_ + "/evaluation.json", hostile);
  const Result shown = run({"report", run_});
  EXPECT_EQ((shown.out + shown.err).find('\x1b'), std::string::npos);
}

TEST_F(Resume, RefusesBytesThatAreNoTextBeforeItWritesAnything) {
  for (const std::string bad : {"\xff\xfe", "a\x1b[31mb", "a\u202eb"}) {
    std::vector<std::string> args = train(run_);
    args.insert(args.end(), {"--set", "run.group=" + bad});
    const Result result = run(args);
    EXPECT_EQ(result.code, exit_usage);
    EXPECT_FALSE(path_exists(run_));
    EXPECT_NE(result.err.find("run.group = "), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find(bad), std::string::npos) << result.err;
  }
}

TEST_F(Resume, RefusesAWorldWhosePathIsNoText) {
  std::filesystem::create_directories(folder_);
  const std::string world = folder_ + "/\xff.toml";
  write_file(world, read_file(std::string(VIC_SOURCE_DIR) + "/examples/ferry.toml"));
  const Result result = run({"train", world, "--out", run_, "--updates", "1"});
  EXPECT_EQ(result.code, exit_usage);
  EXPECT_FALSE(path_exists(run_));
  EXPECT_NE(result.err.find("\\xff.toml"), std::string::npos) << result.err;
}

TEST_F(Resume, OfAFinishedRunIsNotOverwritten) {
  ASSERT_EQ(run(train(run_)).code, exit_done);
  const Result again = run(train(run_));
  EXPECT_EQ(again.code, exit_usage);
  EXPECT_EQ(again.err,
            "vic: " + run_ +
                " has a finished run already; choose another folder with --out, or replace it with "
                "--force.\n");
}

TEST_F(Resume, EvalOfARunWithoutACheckpointSaysWhatToDo) {
  ASSERT_EQ(run_with_signal(train(run_), SIGINT).code, 130);
  EXPECT_EQ(run({"eval", run_, "--json"}).code, exit_done) << "half a run can be looked at";
  std::filesystem::remove(run_ + "/checkpoint.safetensors");
  const Result result = run({"eval", run_});
  EXPECT_EQ(result.code, exit_usage);
  EXPECT_EQ(result.err, "vic: '" + run_ + "' has no checkpoint yet; vic train --resume " + run_ +
                            " goes on with its training.\n");
}

}  // namespace
}  // namespace vic
