#include "run/alarm_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"

namespace vic {
namespace {

class AlarmLogTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    make_folders(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // a run that has done this many updates, with its metrics in the folder
  vic::Run run_at(long update) const {
    vic::Run run = make_run(Overrides({{"run.world", "line-noisy", "test"},
                                       {"run.metrics_every", "7", "test"},
                                       {"train.warm_up", "0", "test"},
                                       {"train.hidden", "8", "test"}}));
    run.learner->state().update = update;
    std::string metrics;
    for (long at = 7; at <= update; at += 7) metrics += metrics_line(metrics_at(at));
    write_file(folder_ + "/metrics.jsonl", metrics);
    return run;
  }

  // metrics whose reward jumps at update 400 to a value impossible for nine states
  static Metrics metrics_at(long update) {
    Metrics metrics;
    metrics.update = update;
    metrics.I_hat = 2;
    metrics.baseline = update < 400 ? 1.5 : 17.25;
    return metrics;
  }

  // follows a training between two updates
  void follow(long from, long to) {
    const vic::Run run = run_at(from);
    const Warn keep = [this](const std::string& sentence) { warnings_.push_back(sentence); };
    AlarmLog log(run, folder_, keep);
    for (long at = from / 7 * 7 + 7; at <= to; at += 7) {
      log.follow(run.learner->agent(), metrics_at(at), keep);
    }
  }

  std::string folder_ = testing::TempDir() + "vic_alarm_log_" +
                        testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string path_ = folder_ + "/alarms.jsonl";
  std::vector<std::string> warnings_;
};

TEST_F(AlarmLogTest, LooksAtLinesOfMetricsAndSaysEachCauseOnce) {
  follow(0, 399);
  EXPECT_FALSE(path_exists(path_)) << "nothing to warn of, no file";
  follow(0, 2000);
  const std::string text = read_file(path_);
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
  // 203 is the first multiple of 7 that is no shorter than 200
  EXPECT_TRUE(text.starts_with("{\"update\":406,")) << text;
  ASSERT_EQ(warnings_.size(), 2u);
  EXPECT_TRUE(warnings_[0].starts_with("After update 406: The mean reward is 17.25 nats"));
  EXPECT_NE(warnings_[1].find("it moved from 1.50 to 17.25"), std::string::npos) << warnings_[1];
}

TEST_F(AlarmLogTest, IsTheSameToTheByteWhereverItWasInterrupted) {
  follow(0, 2000);
  const std::string whole = read_file(path_);
  for (const long killed : {210L, 402L, 405L, 406L, 500L, 700L}) {
    for (const long back : {0L, 5L, 100L}) {  // updates since the last checkpoint that are lost
      std::filesystem::remove(path_);
      follow(0, killed);
      follow(killed - back, 2000);
      EXPECT_EQ(read_file(path_), whole) << killed << " " << back;
    }
  }
}

TEST_F(AlarmLogTest, ResumingWarnsAgain) {
  follow(0, 500);
  warnings_.clear();
  follow(500, 2000);
  ASSERT_EQ(warnings_.size(), 2u);
  EXPECT_TRUE(warnings_[0].starts_with("After update 406: "));
  write_file(path_, "{\"update\":406,\"alarms\":[{\"cause\":1}]}\n");
  EXPECT_THROW(follow(500, 600), UsageError);
}

}  // namespace
}  // namespace vic
