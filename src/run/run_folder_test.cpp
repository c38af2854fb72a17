// Runs on disk: what is written can be read, and a run that was saved goes on as if it had not
// been.
#include "run/run_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "run/checkpoint.h"

namespace vic {
namespace {

class RunFolder : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  vic::Run make(const std::string& algorithm, int seed) const {
    return make_run(Overrides({{"run.world", "line-noisy", "test"},
                               {"train.algorithm", algorithm, "test"},
                               {"train.seed", std::to_string(seed), "test"},
                               {"train.warm_up", "5", "test"},
                               {"world.noise", "0.2", "test"}}));
  }

  // tests run side by side, each in a folder of its own
  std::string folder_ =
      testing::TempDir() + "vic_" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

void advance(Run& run, int updates) {
  for (int i = 0; i < updates; ++i) run.learner->update();
}

std::string bytes_of(const Run& run) {
  return write_tensors(snapshot(*run.learner));
}

TEST_F(RunFolder, SavedRunGoesOnToTheSameBytes) {
  for (const char* algorithm : {"implicit", "transition", "mixture", "marginal"}) {
    SCOPED_TRACE(algorithm);
    std::filesystem::remove_all(folder_);
    vic::Run undisturbed = make(algorithm, 3);
    advance(undisturbed, 30);

    vic::Run first = make(algorithm, 3);
    begin_run_folder(first, folder_);
    advance(first, 12);
    save_checkpoint(first, folder_);
    vic::Run second = load_run(folder_);
    EXPECT_EQ(bytes_of(second), bytes_of(first));
    advance(second, 18);
    EXPECT_EQ(bytes_of(second), bytes_of(undisturbed));
    EXPECT_NE(bytes_of(second), bytes_of(first));
  }
}

TEST_F(RunFolder, KeepsEverySettingThatWasInForce) {
  vic::Run run = make("mixture", 9);
  begin_run_folder(run, folder_);
  save_checkpoint(run, folder_);
  const vic::Run again = load_run(folder_);
  EXPECT_EQ(again.learner->settings().seed, 9);
  EXPECT_EQ(again.learner->settings().algorithm, "mixture");
  EXPECT_EQ(again.world->p, run.world->p);
  EXPECT_EQ(settings_text(again.resolved), settings_text(run.resolved));
}

TEST_F(RunFolder, CopiesTheWorldFileItCameFrom) {
  const std::string file = std::string(VIC_SOURCE_DIR) + "/examples/ferry.toml";
  vic::Run run =
      make_run(Overrides({{"run.world", file, "test"}, {"train.algorithm", "implicit", "test"}}));
  begin_run_folder(run, folder_);
  save_checkpoint(run, folder_);
  EXPECT_EQ(read_file(folder_ + "/world.toml"), read_file(file));
  EXPECT_EQ(load_run(folder_).world->name, "ferry");
}

TEST_F(RunFolder, IsNeverOverwritten) {
  const vic::Run run = make("implicit", 1);
  begin_run_folder(run, folder_);
  EXPECT_THROW(begin_run_folder(run, folder_), UsageError);
}

TEST_F(RunFolder, NamesWhatIsWrongWithIt) {
  EXPECT_THROW(load_run(folder_), UsageError);
  vic::Run run = make("transition", 1);
  begin_run_folder(run, folder_);
  EXPECT_THROW(load_run(folder_), UsageError) << "there is no checkpoint yet";
  save_checkpoint(run, folder_);
  EXPECT_NO_THROW(load_run(folder_));
  const std::string settings = read_file(folder_ + "/settings.toml");
  write_file(folder_ + "/settings.toml",
             settings.substr(0, settings.rfind("\n", settings.size() - 2)));
  EXPECT_THROW(load_run(folder_), UsageError) << "a setting is gone";
  write_file(folder_ + "/settings.toml", settings);
  // a checkpoint of other settings does not fit
  write_file(folder_ + "/checkpoint.safetensors", bytes_of(make("implicit", 1)));
  EXPECT_THROW(load_run(folder_), Error);
}

TEST(Metrics, AreOneLineOfJsonWithoutATime) {
  Metrics metrics;
  metrics.update = 7;
  metrics.reward = 1.5;
  const std::string line = metrics_line(metrics);
  EXPECT_EQ(line.back(), '\n');
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json["update"], 7);
  EXPECT_EQ(json["reward"], 1.5);
  EXPECT_FALSE(json.contains("time"));
}

}  // namespace
}  // namespace vic
