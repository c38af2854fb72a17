#include "experiment/estimate.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <list>
#include <mutex>
#include <set>

#include "base/file.h"
#include "experiment/verdict.h"

namespace vic {
namespace {

constexpr const char* two_worlds = R"(
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
  const Experiment experiment = read_experiment(two_worlds, "small.toml");
  std::mutex mutex;
  std::set<std::size_t> done;
  const SweepWatch watch{.done = [&](std::size_t run, const Json&) {
    const std::scoped_lock lock(mutex);
    EXPECT_TRUE(done.insert(run).second);
  }};
  EXPECT_EQ(sweep(experiment, plan_sweep(experiment, folder_ + "/two"), {.jobs = 2}, watch), 0u);
  EXPECT_EQ(done.size(), 8);
  // everything is done: nothing is trained again
  EXPECT_EQ(sweep(experiment, plan_sweep(experiment, folder_ + "/two"), {.jobs = 2}, watch), 0u);
  done.clear();
  EXPECT_EQ(sweep(experiment, plan_sweep(experiment, folder_ + "/one"), {}, watch), 0u);
  EXPECT_EQ(done.size(), 8);
  for (const RunPlan& run : experiment.runs) {
    for (const char* file : {"metrics.jsonl", "evaluation.json", "truth.json"}) {
      EXPECT_EQ(read_file(fmt::format("{}/one/{}/{}", folder_, run.name, file)),
                read_file(fmt::format("{}/two/{}/{}", folder_, run.name, file)))
          << run.name;
    }
  }
}

// a longer training is evaluated by more options, and compared with more random ones
TEST_F(Sweep, ComparesRunsWithAsManyRandomOptionsAsTheirOwn) {
  const Experiment experiment = read_experiment(R"(
title = "two lengths"
[[runs]]
worlds = ["noisy-mass"]
algorithms = ["random"]
seeds = 1
settings.train.updates = [20, 60]
)",
                                                "lengths.toml");
  EXPECT_EQ(sweep(experiment, plan_sweep(experiment, folder_), {}, {}), 0u);
  ASSERT_EQ(experiment.runs.size(), 2u);
  std::set<std::string> truths;
  for (const RunPlan& run : experiment.runs) {
    truths.insert(read_file(fmt::format("{}/{}/truth.json", folder_, run.name)));
  }
  EXPECT_EQ(truths.size(), 2u);
}

TEST_F(Sweep, GoesOnWhereItWasStopped) {
  const Experiment experiment = read_experiment(two_worlds, "small.toml");
  EXPECT_EQ(sweep(experiment, plan_sweep(experiment, folder_ + "/whole"), {}, {}), 0u);
  // stop in the middle of the third run
  const SweepPlan plan = plan_sweep(experiment, folder_ + "/parts");
  const std::vector<std::size_t> order = longest_first(plan.durations(), {});
  StopRequest stop;
  const SweepWatch stopping{
      .progress =
          [&](std::size_t run, const Training& training) {
            if (run == order[2] && training.run.learner->state().update == 17) {
              stop.wanted = true;
            }
          },
      .stop = Stop(stop)};
  EXPECT_EQ(sweep(experiment, plan, {}, stopping), 6u);
  const std::vector<SweepRun> left = plan_sweep(experiment, folder_ + "/parts").runs;
  EXPECT_TRUE(left[order[1]].done);
  EXPECT_FALSE(left[order[2]].done);
  EXPECT_TRUE(read_evaluations(experiment, folder_ + "/parts")[order[3]].is_null());
  EXPECT_EQ(sweep(experiment, plan_sweep(experiment, folder_ + "/parts"), {}, {}), 0u);
  for (const RunPlan& run : experiment.runs) {
    for (const char* file : {"metrics.jsonl", "evaluation.json", "checkpoint.safetensors"}) {
      EXPECT_EQ(read_file(fmt::format("{}/whole/{}/{}", folder_, run.name, file)),
                read_file(fmt::format("{}/parts/{}/{}", folder_, run.name, file)))
          << run.name;
    }
  }
}

TEST_F(Sweep, StoppedWhileItPlansOrSolvesHasWrittenNothing) {
  const Experiment experiment = read_experiment(two_worlds, "small.toml");
  StopRequest stop;
  const SweepPlan plan = plan_sweep(experiment, folder_, Stop(stop));
  stop.wanted = true;
  EXPECT_THROW(plan_sweep(experiment, folder_, Stop(stop)), Interrupted);
  EXPECT_EQ(sweep(experiment, plan, {.jobs = 2}, {.stop = Stop(stop)}), 8u);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

// the program reports it in a sentence of its own, which an Error with the run's name would hide
TEST_F(Sweep, PassesOnThatThereIsNoMemory) {
  const Experiment experiment = read_experiment(two_worlds, "small.toml");
  const SweepWatch full{.progress = [](std::size_t, const Training&) { throw std::bad_alloc(); }};
  EXPECT_THROW(sweep(experiment, plan_sweep(experiment, folder_), {.jobs = 2}, full),
               std::bad_alloc);
}

TEST_F(Sweep, DoesNotMixRunsOfOtherSettings) {
  Experiment experiment = read_experiment(two_worlds, "small.toml");
  experiment.runs.resize(1);
  EXPECT_EQ(sweep(experiment, plan_sweep(experiment, folder_), {}, {}), 0u);
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
  Experiment experiment = read_experiment(two_worlds, "small.toml");
  experiment.runs.back().assignments.push_back({"train.batch", "-1", "test"});
  EXPECT_THROW(sweep(experiment, plan_sweep(experiment, folder_), {}, {}), UsageError);
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

// no experiment of the repository has a setting that is wrong, or that its runs would ignore
TEST_F(Sweep, ExperimentsOfTheRepositoryCanBePlanned) {
  int planned = 0;
  for (const auto& file : std::filesystem::directory_iterator(VIC_SOURCE_DIR "/experiments")) {
    if (file.path().extension() != ".toml") continue;
    const std::string path = file.path().string();
    const Experiment experiment = quick(read_experiment(read_file(path), path));
    EXPECT_NO_THROW(plan_sweep(experiment, folder_)) << path;
    ++planned;
  }
  EXPECT_GE(planned, 7);
}

// a process that trains runs, and writes their indices to a pipe as bytes
class Racer {
 public:
  Racer(const Experiment& experiment, const std::string& folder, const SweepShare& share) {
    EXPECT_EQ(::pipe(ends_), 0);
    process_ = ::fork();
    if (process_ != 0) {
      ::close(std::exchange(ends_[1], -1));
      return;
    }
    const SweepWatch watch{.done = [&](std::size_t run, const Json&) {
      const char byte = static_cast<char>(run);
      if (::write(ends_[1], &byte, 1) != 1) ::_exit(2);
    }};
    const std::size_t left = sweep(experiment, plan_sweep(experiment, folder), share, watch);
    ::_exit(left == 0 ? 0 : 3);
  }
  ~Racer() { ::close(ends_[0]); }

  std::vector<int> runs() {
    std::vector<int> all;
    for (char byte = 0; ::read(ends_[0], &byte, 1) == 1;) all.push_back(byte);
    ::waitpid(process_, nullptr, 0);
    return all;
  }

 private:
  int ends_[2] = {};
  pid_t process_ = 0;
};

TEST_F(Sweep, ProcessesShareTheRunsAndNoneIsTrainedTwice) {
  const Experiment experiment = read_experiment(two_worlds, "small.toml");
  std::vector<int> all;
  {
    std::list<Racer> racers;
    for (int i = 0; i < 3; ++i) {
      // all begin at the same run: only the locks keep them apart
      racers.emplace_back(experiment, folder_,
                          SweepShare{.jobs = 2, .shard = SweepShard{0, 3, "test"}});
    }
    for (Racer& racer : racers) {
      for (const int run : racer.runs()) all.push_back(run);
    }
  }
  std::ranges::sort(all);
  EXPECT_EQ(all, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

// a process that was killed while it trained, and one that still does
TEST_F(Sweep, TakesOverTheRunsOfADeadProcessAndWaitsForThoseOfTheLiving) {
  Experiment experiment = read_experiment(two_worlds, "small.toml");
  experiment.runs.resize(2);
  const std::string whole = folder_ + "/whole", shared = folder_ + "/shared";
  EXPECT_EQ(sweep(experiment, plan_sweep(experiment, whole), {}, {}), 0u);
  const SweepPlan plan = plan_sweep(experiment, shared);
  const pid_t killed = ::fork();
  if (killed == 0) {
    sweep(experiment, plan, {.holder = "dead"},
          {.progress = [](std::size_t, const Training& training) {
            if (training.run.learner->state().update == 7) std::raise(SIGKILL);
          }});
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(killed, nullptr, 0), killed);
  const std::size_t first = longest_first(plan.durations(), {})[0];
  EXPECT_EQ(FolderLock::last_holder(plan.runs[first].folder), "dead");

  // another process holds the other run: a shard leaves it, the whole sweep waits
  std::optional<FolderLock> held;
  make_folders(plan.runs[1 - first].folder);
  held = FolderLock::take(plan.runs[1 - first].folder);
  EXPECT_EQ(sweep(experiment, plan, {.shard = SweepShard{0, 2, "test"}}, {}), 1u);
  int waited = 0;
  const SweepWatch watch{.waiting = [&](std::size_t runs) {
    EXPECT_EQ(runs, 1u);
    if (++waited == 1) held.reset();
  }};
  EXPECT_EQ(sweep(experiment, plan_sweep(experiment, shared), {}, watch), 0u);
  EXPECT_EQ(waited, 1);
  for (const RunPlan& run : experiment.runs) {
    for (const char* file : {"metrics.jsonl", "evaluation.json", "checkpoint.safetensors"}) {
      EXPECT_EQ(read_file(fmt::format("{}/{}/{}", whole, run.name, file)),
                read_file(fmt::format("{}/{}/{}", shared, run.name, file)))
          << run.name;
    }
  }
}

TEST_F(Sweep, EndsAfterAsManyRunsAsItMayTrain) {
  Experiment experiment = read_experiment(two_worlds, "small.toml");
  experiment.runs.resize(4);
  for (const std::size_t left : {1u, 0u}) {
    EXPECT_EQ(sweep(experiment, plan_sweep(experiment, folder_), {.jobs = 2, .most_runs = 3}, {}),
              left);
  }
}

TEST_F(Sweep, ExpectsRunsToTakeAsLongAsThoseLikeThem) {
  Experiment experiment = read_experiment(two_worlds, "small.toml");
  const SweepPlan unknown = plan_sweep(experiment, folder_);
  // more updates, more work; seeds cost the same
  EXPECT_EQ(unknown.runs[0].work, unknown.runs[1].work);
  EXPECT_GT(unknown.runs[2].work, unknown.runs[0].work);  // transition has two more models
  EXPECT_EQ(unknown.durations()[0], unknown.runs[0].work);

  const SweepShare one{.most_runs = 1};
  EXPECT_EQ(sweep(experiment, unknown, one, {}), 7u);
  const std::size_t first = longest_first(unknown.durations(), {})[0];
  write_file(unknown.runs[first].folder + "/timing.jsonl",
             "{\"update\":10,\"seconds\":2}\n{\"update\":20,\"seconds\":3.5}\n"
             "{\"update\":30,\"seconds\":1.5}\n"
             "{\"update\":40,\"seconds\":2.5,\"peak_megabytes\":64}\n");
  const SweepPlan known = plan_sweep(experiment, folder_);
  EXPECT_EQ(known.left(), 7u);
  const std::size_t like = first ^ 1;  // the other seed
  EXPECT_DOUBLE_EQ(known.runs[like].seconds.value(), 6);
  EXPECT_DOUBLE_EQ(known.runs[like].megabytes.value(), 64);
  EXPECT_DOUBLE_EQ(known.durations()[like], 6);
  const std::size_t other = first < 4 ? 4 : 0;
  EXPECT_FALSE(known.runs[other].seconds);
  EXPECT_DOUBLE_EQ(known.durations()[other], 6 * known.runs[other].work / known.runs[first].work);
  // a damaged log counts as none
  write_file(unknown.runs[first].folder + "/timing.jsonl", "seconds");
  EXPECT_FALSE(plan_sweep(experiment, folder_).runs[like].seconds);
}

// the memory is that of this process; times are measured on a few updates
TEST_F(Sweep, EstimatesWhatARunTakesByAFewUpdatesOrByThoseThatAreFinished) {
  Experiment experiment = read_experiment(two_worlds, "small.toml");
  experiment.runs.resize(2);
  const RunEstimate measured = estimate_runs(experiment, plan_sweep(experiment, folder_));
  EXPECT_EQ(measured.origin, "by a few updates");
  EXPECT_GT(measured.seconds, 0.001);
  EXPECT_LT(measured.seconds, 60);
  EXPECT_GT(measured.megabytes, 5);
  EXPECT_EQ(sweep(experiment, plan_sweep(experiment, folder_), {.most_runs = 1}, {}), 1u);
  const SweepPlan plan = plan_sweep(experiment, folder_);
  const RunEstimate known = estimate_runs(experiment, plan);
  EXPECT_EQ(known.origin, "in runs that are finished");
  EXPECT_DOUBLE_EQ(known.seconds, plan.runs[0].seconds.value());
  EXPECT_GT(known.seconds, 0);
  EXPECT_GT(known.megabytes, 5);
}

}  // namespace
}  // namespace vic
