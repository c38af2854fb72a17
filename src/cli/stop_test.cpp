// Stop means stop: in every phase of every command a signal ends it, with its exit code, and work
// in progress can be continued later.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.h"
#include "cli/signals.h"
#include "support/signal_run.h"

namespace vic {
namespace {

using Words = std::vector<std::string>;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class StopTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Words train(const std::string& folder, const Words& more = {}) const {
    return Words{"train", "line-noisy", "--out",           folder,  "--updates",
                 "3",     "--set",      "train.warm_up=2", "--set", "train.hidden=8"} +
           more;
  }

  // the signal comes once the command shows the text; it ends with one sentence
  static void expect_stop(const std::string& text, const Words& args,
                          const std::string& says = "vic: Stopped.\n") {
    SCOPED_TRACE(text);
    const std::vector<std::pair<int, int>> codes = {{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}};
    for (const auto& [signal, code] : codes) {
      const SignalResult stopped = run_until(text, args, {signal});
      EXPECT_GE(stopped.seconds, 0) << "the phase never came";
      EXPECT_LT(stopped.seconds, 10) << "2 on a machine that does nothing else";
      EXPECT_EQ(stopped.code, code) << stopped.err;
      EXPECT_EQ(stopped.err, says);
      EXPECT_EQ(stopped.out, "");
    }
  }

  std::string folder_ =
      testing::TempDir() + "vic_" + testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string run_ = folder_ + "/run";
};

TEST_F(StopTest, Exact) {
  // neither gap nor budget would end it
  expect_stop("H_max",
              {"exact", "grid-noisy", "--set", "exact.gap=1e-12", "--set", "exact.budget=1e15"});
  expect_stop("starts", {"exact", "grid-noisy", "--from", "all"});
  expect_stop("lambdas", {"exact", "line-noisy", "--frontier", "--threads", "2"});
}

TEST_F(StopTest, TrainBeforeItBegins) {
  expect_stop("solving the world", train(run_));
  EXPECT_FALSE(path_exists(run_)) << "nothing was written yet";
}

TEST_F(StopTest, EvaluationAfterTrainingGoesOnWhereItWas) {
  const Words more = {"--algorithm", "transition"};
  const std::string whole = folder_ + "/whole";
  ASSERT_EQ(run(train(whole, more)).code, exit_done);
  const Words parts = {"exact measures", "sampled options", "bounds of D and N",
                       "calibration",    "reach",           "greedy reach"};
  // interrupted in each part in turn: on resuming, that part is the first to be shown
  for (const std::string& part : parts) {
    SCOPED_TRACE(part);
    const bool first = part == parts[0];
    const Result stopped =
        run_until("evaluating: " + part,
                  first ? train(run_, more) : Words{"train", "--resume", run_}, {SIGTERM});
    EXPECT_EQ(stopped.code, 143);
    EXPECT_EQ(stopped.err,
              "vic: Stopped in the evaluation after update 5 of 5; vic train --resume " + run_ +
                  " goes on.\n");
    EXPECT_FALSE(path_exists(run_ + "/evaluation.json"));
    EXPECT_EQ(path_exists(run_ + "/evaluation.part.safetensors"), !first);
  }
  ASSERT_EQ(run({"train", "--resume", run_}).code, exit_done);
  for (const char* name : {"evaluation.json", "truth.json", "checkpoint.safetensors"}) {
    EXPECT_EQ(read_file(run_ + "/" + name), read_file(whole + "/" + name)) << name;
  }
  EXPECT_FALSE(path_exists(run_ + "/evaluation.part.safetensors"));
}

TEST_F(StopTest, Eval) {
  ASSERT_EQ(run(train(run_)).code, exit_done);
  expect_stop("solving the world", {"eval", run_, "--again"});
  expect_stop("evaluating: reach", {"eval", run_, "--again"});
  // a limit of one history: bounds are trained
  expect_stop("evaluating: bounds", {"eval", run_, "--set", "eval.histories=1"});
  ASSERT_EQ(run(train(run_ + "-all", {"--set", "train.starts=all"})).code, exit_done);
  expect_stop("starts", {"eval", run_ + "-all", "--from", "all"});
}

TEST_F(StopTest, Reach) {
  ASSERT_EQ(run(train(run_)).code, exit_done);
  expect_stop("goals", {"reach", run_, "--all"});
  expect_stop("fine-tuning", {"reach", run_, "--all", "--set", "reach.fine_tune=1000000"});
  const std::string swing = run_ + "-swing";
  ASSERT_EQ(run({"train", std::string(VIC_SOURCE_DIR) + "/examples/pendulum.xml", "--out", swing,
                 "--algorithm", "implicit", "--updates", "1", "--set", "train.warm_up=1", "--set",
                 "train.batch=8", "--set", "world.T=5", "--set", "run.survey_options=100", "--set",
                 "world.bin=0.01"})
                .code,
            exit_done);
  expect_stop("cells", {"reach", swing, "--all"});
}

TEST_F(StopTest, SweepAndReproduce) {
  std::filesystem::create_directories(folder_);
  const std::string file = folder_ + "/small.toml";
  write_file(file,
             "title = \"small\"\n[[runs]]\nworlds = [\"line-noisy\"]\nalgorithms = "
             "[\"implicit\", \"marginal\"]\nseeds = 1\nsettings = { train.warm_up = 2, "
             "train.updates = 100000, train.hidden = 8 }\n");
  for (const char* command : {"sweep", "reproduce"}) {
    expect_stop(
        " left", {command, file, "--out", run_, "--jobs", "2"},
        "vic: Stopped; all runs in " + run_ + " are saved, and the same command goes on.\n");
  }
  EXPECT_TRUE(path_exists(run_ + "/line-noisy-implicit-1/checkpoint.safetensors"));
}

TEST_F(StopTest, Bench) {
  expect_stop("round 1", {"bench", "--updates", "1000000", "--json"});
}

// work that never polls the request is ended all the same: a step of an hour, a library's loop
TEST(SignalStop, EndsWhatDoesNotNotice) {
  const auto ignore = [] {
    const SignalStop stop({.to_notice = 1, .to_end = 100});
    std::raise(SIGTERM);
    for (;;) ::pause();
  };
  EXPECT_EXIT(ignore(), testing::ExitedWithCode(143), "Stopped in the middle of a long step");
}

TEST(SignalStop, EndsWhatDoesNotEnd) {
  const auto dawdle = [] {
    const SignalStop stop({.to_notice = 1, .to_end = 1});
    std::raise(SIGINT);
    if (stop.token().wanted()) {
      for (;;) ::pause();
    }
  };
  EXPECT_EXIT(dawdle(), testing::ExitedWithCode(130), "Stopped in the middle of a long step");
}

}  // namespace
}  // namespace vic
