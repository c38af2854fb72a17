// A training that was interrupted in any way ends in the same bytes as one that was not.
#include "run/training.h"

#include <thread>

#include "run/result_mark.h"
#include "support/training_fixture.h"

namespace vic {
namespace {

TEST_F(TrainingTest, StoppedAnywhereGoesOnToTheSameBytes) {
  const std::string other = undisturbed();
  EXPECT_TRUE(is_done(other));
  for (const long at : {1L, 9L, 10L, 33L, 59L}) {
    SCOPED_TRACE(at);
    std::filesystem::remove_all(run_);
    StopRequest stop;
    {
      Training training = begin(run_);
      const auto watch = [&](const Learner& learner) {
        stop.wanted = learner.state().update == at;
      };
      EXPECT_FALSE(train(training, reference_, {.progress = watch, .stop = Stop(stop)}));
      EXPECT_EQ(training.run.learner->state().update, at);
    }
    EXPECT_FALSE(is_done(run_));
    EXPECT_EQ(load_run(run_, no_warning).learner->state().update, at) << "it was saved";
    finish(run_);
    expect_same(run_, other);
  }
}

TEST_F(TrainingTest, CrashedAnywhereGoesOnToTheSameBytes) {
  const std::string other = undisturbed();
  // before the first checkpoint, right at one, and between two; then again
  for (const long at : {3L, 10L, 38L}) {
    SCOPED_TRACE(at);
    std::filesystem::remove_all(run_);
    crash(begin(run_), reference_, at);
    crash(resume_training(run_), reference_, at + 15);
    // lines that the checkpoint does not have, and half of one
    write_file(run_ + "/metrics.jsonl",
               read_file(run_ + "/metrics.jsonl") + "{\"update\":58,\"reward\":9}\n{\"upd");
    finish(run_);
    expect_same(run_, other);
  }
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(TrainingTest, OnSeveralThreadsIsTheSame) {
  const std::string first = undisturbed(1), second = undisturbed(2);
  {
    std::vector<std::jthread> threads;
    for (int seed = 1; seed <= 2; ++seed) {
      threads.emplace_back([this, seed] {
        Training training = begin(run_ + std::to_string(seed), seed);
        EXPECT_TRUE(train(training, reference_, {}));
      });
    }
  }
  expect_same(run_ + "1", first);
  expect_same(run_ + "2", second);
}

TEST_F(TrainingTest, GoesOnFromTheOlderCheckpointWhereTheNewestIsDamaged) {
  const std::string other = undisturbed(), newest = run_ + "/checkpoint.safetensors";
  crash(begin(run_), reference_, 38);
  const std::string bytes = read_file(newest);
  // every hundredth byte
  for (std::size_t i = 0; i < bytes.size(); i += 100) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    EXPECT_THROW(unseal_tensors(changed, newest), Error) << i;
  }
  write_file(newest, bytes.substr(0, bytes.size() / 2));
  EXPECT_EQ(load_run(run_, no_warning).learner->state().update, 20);
  finish(run_);
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_TRUE(warnings_[0].starts_with(newest + " is damaged")) << warnings_[0];
  expect_same(run_, other);
}

TEST_F(TrainingTest, FinishedAndThenDamagedTrainsOnToTheSameBytes) {
  const std::string other = undisturbed();
  {
    Training training = begin(run_);
    EXPECT_TRUE(train(training, reference_, {}));
    EXPECT_TRUE(is_finished(training));
  }
  EXPECT_TRUE(is_finished(resume_training(run_)));
  const std::string newest = run_ + "/checkpoint.safetensors";
  write_file(newest, read_file(newest).substr(0, 1000));
  EXPECT_FALSE(is_finished(resume_training(run_))) << "its weights are those of update 50";
  EXPECT_TRUE(path_exists(run_ + "/checkpoint.damaged.safetensors"));
  finish(run_);
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_EQ(warnings_[0], run_ +
                              "/evaluation.json and the checkpoint are of updates 60 and 50; vic "
                              "train --resume " +
                              run_ + " repairs it.");
  expect_same(run_, other);
}

TEST_F(TrainingTest, ResultsOfAnotherRunAreNamedAndMadeAnew) {
  const std::string other = undisturbed(1), seed_2 = undisturbed(2);
  const std::string path = other + "/evaluation.json", mine = read_file(path);
  write_file(path, read_file(seed_2 + "/evaluation.json"));
  EXPECT_FALSE(is_finished(resume_training(other)));
  finish(other);
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_TRUE(warnings_[0].starts_with(path + " is of another run: its run id and "))
      << warnings_[0];
  EXPECT_EQ(read_file(path), mine);
  // the id is the same on any number of threads and in every repetition
  const vic::Run run = load_run(other, no_warning);
  std::vector<Assignment> settings = run.resolved;
  std::reverse(settings.begin(), settings.end());
  settings.push_back({"train.threads", "7", "test"});
  EXPECT_EQ(run_id(settings, ""), Json::parse(mine)["run_id"].get<std::string>());
  EXPECT_NE(run_id(settings, "x"), run_id(settings, ""));
}

}  // namespace
}  // namespace vic
