#include "experiment/sweep.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <mutex>
#include <set>

#include "base/file.h"
#include "experiment/verdict.h"

namespace vic {
namespace {

constexpr const char* small = R"(
title = "small"
[[runs]]
worlds = ["line", "tree-noisy"]
algorithms = ["implicit", "transition"]
seeds = 2
settings.train.updates = 30
settings.train.warm_up = 10
settings.run.metrics_every = 5
)";

class Sweep : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_ = testing::TempDir() + "vic_sweep_" +
                        testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(Sweep, TrainsEveryRunOnceAndTheSameOnAnyNumberOfThreads) {
  const Experiment experiment = read_experiment(small, "small.toml");
  std::mutex mutex;
  std::set<std::size_t> done;
  const SweepWatch watch{.done = [&](std::size_t run, const Json&) {
    const std::scoped_lock lock(mutex);
    EXPECT_TRUE(done.insert(run).second);
  }};
  EXPECT_TRUE(sweep(experiment, plan_sweep(experiment, folder_ + "/two"), 2, watch));
  EXPECT_EQ(done.size(), 8);
  // all is done: nothing is trained again
  EXPECT_TRUE(sweep(experiment, plan_sweep(experiment, folder_ + "/two"), 2, watch));
  done.clear();
  EXPECT_TRUE(sweep(experiment, plan_sweep(experiment, folder_ + "/one"), 1, watch));
  EXPECT_EQ(done.size(), 8);
  for (const RunPlan& run : experiment.runs) {
    for (const char* file : {"metrics.jsonl", "evaluation.json", "truth.json"}) {
      EXPECT_EQ(read_file(fmt::format("{}/one/{}/{}", folder_, run.name, file)),
                read_file(fmt::format("{}/two/{}/{}", folder_, run.name, file)))
          << run.name;
    }
  }
}

TEST_F(Sweep, GoesOnWhereItWasStopped) {
  const Experiment experiment = read_experiment(small, "small.toml");
  EXPECT_TRUE(sweep(experiment, plan_sweep(experiment, folder_ + "/whole"), 1, {}));
  // stop in the middle of the third run
  StopRequest stop;
  const SweepWatch stopping{.progress =
                                [&](std::size_t run, const Training& training) {
                                  if (run == 2 && training.run.learner->state().update == 17) {
                                    stop.wanted = true;
                                  }
                                },
                            .stop = Stop(stop)};
  EXPECT_FALSE(sweep(experiment, plan_sweep(experiment, folder_ + "/parts"), 1, stopping));
  const std::vector<SweepRun> left = plan_sweep(experiment, folder_ + "/parts").runs;
  EXPECT_TRUE(left[1].done);
  EXPECT_FALSE(left[2].done);
  EXPECT_TRUE(read_evaluations(experiment, folder_ + "/parts")[3].is_null());
  EXPECT_TRUE(sweep(experiment, plan_sweep(experiment, folder_ + "/parts"), 1, {}));
  for (const RunPlan& run : experiment.runs) {
    for (const char* file : {"metrics.jsonl", "evaluation.json", "checkpoint.safetensors"}) {
      EXPECT_EQ(read_file(fmt::format("{}/whole/{}/{}", folder_, run.name, file)),
                read_file(fmt::format("{}/parts/{}/{}", folder_, run.name, file)))
          << run.name;
    }
  }
}

TEST_F(Sweep, StoppedWhileItPlansOrSolvesHasWrittenNothing) {
  const Experiment experiment = read_experiment(small, "small.toml");
  StopRequest stop;
  const SweepPlan plan = plan_sweep(experiment, folder_, Stop(stop));
  stop.wanted = true;
  EXPECT_THROW(plan_sweep(experiment, folder_, Stop(stop)), Interrupted);
  EXPECT_FALSE(sweep(experiment, plan, 2, {.stop = Stop(stop)}));
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

// the program has a sentence for it, and an Error with its name would hide that
TEST_F(Sweep, PassesOnThatThereIsNoMemory) {
  const Experiment experiment = read_experiment(small, "small.toml");
  const SweepWatch full{.progress = [](std::size_t, const Training&) { throw std::bad_alloc(); }};
  EXPECT_THROW(sweep(experiment, plan_sweep(experiment, folder_), 2, full), std::bad_alloc);
}

TEST_F(Sweep, DoesNotMixRunsOfOtherSettings) {
  Experiment experiment = read_experiment(small, "small.toml");
  experiment.runs.resize(1);
  EXPECT_TRUE(sweep(experiment, plan_sweep(experiment, folder_), 1, {}));
  experiment.runs[0].assignments.push_back({"train.hidden", "32", "test"});
  try {
    plan_sweep(experiment, folder_);
    FAIL() << "the settings differ";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.what(),
              folder_ +
                  "/line-implicit-1 was trained with train.hidden = 64, and the experiment "
                  "wants 32; choose another --out.");
  }
}

TEST_F(Sweep, FindsWrongSettingsBeforeAnythingIsTrained) {
  Experiment experiment = read_experiment(small, "small.toml");
  experiment.runs.back().assignments.push_back({"train.batch", "-1", "test"});
  EXPECT_THROW(sweep(experiment, plan_sweep(experiment, folder_), 1, {}), UsageError);
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

// no experiment of the repository has a setting that is wrong, or that its runs would ignore
TEST_F(Sweep, ExperimentsOfTheRepositoryCanBePlanned) {
  int planned = 0;
  for (const auto& file : std::filesystem::directory_iterator(VIC_SOURCE_DIR "/experiments")) {
    const std::string path = file.path().string();
    const Experiment experiment = quick(read_experiment(read_file(path), path));
    EXPECT_NO_THROW(plan_sweep(experiment, folder_)) << path;
    ++planned;
  }
  EXPECT_GE(planned, 7);
}

}  // namespace
}  // namespace vic
