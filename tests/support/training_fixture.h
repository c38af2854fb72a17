// For the tests: short trainings, and their folders.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "run/training.h"
#include "support/event_reader.h"

namespace vic {

class TrainingTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Training begin(const std::string& folder, int seed = 1) const {
    return begin_training(make_run(Overrides({{"run.world", "line-noisy", "test"},
                                              {"run.metrics_every", "7", "test"},
                                              {"run.checkpoint_every", "10", "test"},
                                              {"run.survey_every", "4", "test"},
                                              {"train.hidden", "16", "test"},
                                              {"train.seed", std::to_string(seed), "test"},
                                              {"train.warm_up", "20", "test"},
                                              {"train.updates", "40", "test"}})),
                          folder);
  }

  // the run that nothing disturbed
  std::string undisturbed(int seed = 1) const {
    std::string folder = folder_ + "/undisturbed-" + std::to_string(seed);
    Training training = begin(folder, seed);
    EXPECT_TRUE(train(training, reference_, {}));
    return folder;
  }

  // resumes to the end; warnings are kept
  void finish(const std::string& folder) {
    const Warn keep = [this](const std::string& sentence) { warnings_.push_back(sentence); };
    Training training = resume_training(folder, keep);
    EXPECT_TRUE(train(training, reference_, {.warn = keep}));
  }

  // tests run side by side, each in a folder of its own
  std::string folder_ =
      testing::TempDir() + "vic_" + testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string run_ = folder_ + "/run";
  Reference reference_ =
      find_reference(make_run(Overrides({{"run.world", "line-noisy", "test"}})).world);
  std::vector<std::string> warnings_;
};

struct Crash {};

// trains, and stops without a save after that update
inline void crash(Training training, const Reference& reference, long at) {
  const auto end = [&](const Learner& learner) {
    if (learner.state().update == at) throw Crash();
  };
  EXPECT_THROW(train(training, reference, {.progress = end}), Crash);
}

// the folders of the two runs are the same
inline void expect_same(const std::string& a, const std::string& b) {
  for (const char* name : {"checkpoint.safetensors", "metrics.jsonl", "control.jsonl",
                           "evaluation.json", "truth.json", "settings.toml"}) {
    EXPECT_EQ(read_file(a + "/" + name), read_file(b + "/" + name)) << name;
  }
  // TensorBoard's records except for their times, which are the first nine bytes
  const std::string events = "/events.out.tfevents.vic";
  auto left = messages_of(read_file(a + events)), right = messages_of(read_file(b + events));
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) EXPECT_EQ(left[i].substr(9), right[i].substr(9));
}

}  // namespace vic
