// Runs on disk: what is written can be read, and a run that was saved continues as if it had not
// been.
#include "run/run_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/file.h"
#include "base/json.h"
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
    vic::Run second = load_run(folder_, no_warning);
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
  const vic::Run again = load_run(folder_, no_warning);
  EXPECT_EQ(again.learner->settings().seed, 9);
  EXPECT_EQ(again.learner->settings().algorithm, "mixture");
  EXPECT_EQ(again.table().p, run.table().p);
  EXPECT_EQ(settings_text(again.resolved), settings_text(run.resolved));
}

// the error of make_run; "" if there is none
std::string refusal(const char* world, const char* algorithm, const Assignment& more) {
  try {
    make_run(
        Overrides({{"run.world", world, "test"}, {"train.algorithm", algorithm, "test"}, more}));
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

// a setting without effect is a mistake of the user's; settings.toml has all defaults, though
TEST(MakeRun, RefusesSettingsThatWouldBeIgnored) {
  const auto expect_ignored = [](const char* world, const char* algorithm, const char* key,
                                 const char* value, const char* by_default) {
    const std::string said = refusal(world, algorithm, {key, value, "test"});
    EXPECT_NE(said.find(fmt::format("{} = {} would be ignored", key, value)), std::string::npos)
        << said;
    EXPECT_EQ(refusal(world, algorithm, {key, by_default, "test"}), "");
  };
  expect_ignored("half-cheetah", "implicit", "train.encoding", "onehot", "axes");
  expect_ignored("half-cheetah", "implicit", "train.alpha", "1", "0");
  expect_ignored("line-noisy", "implicit", "train.sigma", "1", "0.25");
  EXPECT_EQ(refusal("line-noisy", "mixture", {"train.sigma", "1", "test"}), "");
  EXPECT_EQ(refusal("line-noisy", "implicit", {"train.encoding", "onehot", "test"}), "");
}

// the sizes of surveys, and of the warm-up, if the user set the length of training
struct Sizes {
  int during, after, warm_up;
  bool operator==(const Sizes&) const = default;
};

Sizes sizes_of(std::vector<Assignment> settings) {
  const vic::Run run = make_run(Overrides(settings));
  // a run that is read again has the same sizes
  const vic::Run again = make_run(Overrides(run.resolved));
  EXPECT_EQ(settings_text(again.resolved), settings_text(run.resolved));
  EXPECT_EQ(again.eval.survey, run.eval.survey);
  return {run.settings.survey_options, run.eval.survey, run.learner->settings().warm_up};
}

TEST(MakeRun, SurveysAHundredthOfWhatASimulatedWorldIsTrainedOn) {
  const auto sizes = [](const char* algorithm, const char* updates, std::vector<Assignment> more) {
    std::vector<Assignment> list = {{"run.world", "noisy-mass", "test"},
                                    {"train.algorithm", algorithm, "test"},
                                    {"train.updates", updates, "test"},
                                    {"train.batch", "64", "test"}};
    list.insert(list.end(), more.begin(), more.end());
    return sizes_of(std::move(list));
  };
  EXPECT_EQ(sizes("random", "400", {}), (Sizes{51, 256, 0}));
  EXPECT_EQ(sizes("random", "400", {{"run.survey_every", "50", "test"}}), (Sizes{32, 256, 0}));
  EXPECT_EQ(sizes("random", "2000", {}), (Sizes{128, 1024, 0}));
  EXPECT_EQ(sizes("random", "10", {}), (Sizes{32, 32, 0}));
  EXPECT_EQ(sizes("random", "400", {{"eval.survey", "500", "test"}}), (Sizes{51, 500, 0}));
  EXPECT_EQ(sizes("random", "400", {{"run.survey_options", "300", "test"}}), (Sizes{300, 300, 0}));
  // the warm-up samples options, too: a fifth of the updates, 200 at most
  EXPECT_EQ(sizes("implicit", "400", {}), (Sizes{61, 307, 80}));
  EXPECT_EQ(sizes("implicit", "4000", {}), (Sizes{128, 1024, 200}));
  EXPECT_EQ(sizes("belief", "8000", {}), (Sizes{128, 1024, 100}));
  EXPECT_EQ(sizes("marginal", "400", {}).warm_up, 3);
  EXPECT_EQ(sizes("marginal", "400", {{"train.critic", "none", "test"}}).warm_up, 0);
  EXPECT_EQ(sizes("random", "20", {}).warm_up, 0);
  EXPECT_EQ(sizes("implicit", "20", {{"train.warm_up", "7", "test"}}).warm_up, 7);
}

TEST(MakeRun, LeavesTablesTheirSurveysAndWarmUp) {
  for (const char* algorithm : {"implicit", "marginal", "random"}) {
    EXPECT_EQ(sizes_of({{"run.world", "line-noisy", "test"},
                        {"train.algorithm", algorithm, "test"},
                        {"train.updates", "20", "test"}}),
              (Sizes{1024, 1024, 2000}));
  }
}

TEST_F(RunFolder, CopiesTheWorldFileItCameFrom) {
  const std::string file = std::string(VIC_SOURCE_DIR) + "/examples/ferry.toml";
  vic::Run run =
      make_run(Overrides({{"run.world", file, "test"}, {"train.algorithm", "implicit", "test"}}));
  begin_run_folder(run, folder_);
  save_checkpoint(run, folder_);
  EXPECT_EQ(read_file(folder_ + "/world.toml"), read_file(file));
  EXPECT_EQ(load_run(folder_, no_warning).table().name, "ferry");
}

// the settings of a foreign run could name any file of this disk
TEST_F(RunFolder, OpensNoWorldFileOutsideOfIt) {
  const std::string file = std::string(VIC_SOURCE_DIR) + "/examples/ferry.toml";
  begin_run_folder(make_run(Overrides({{"run.world", file, "test"}})), folder_);
  std::filesystem::remove(folder_ + "/world.toml");
  EXPECT_THROW(load_run(folder_, no_warning), UsageError);
}

TEST_F(RunFolder, RefusesACheckpointWithNumbersThatCannotBe) {
  vic::Run run = make("transition", 1);
  const auto refused = [&](const std::string& name, const Tensor& tensor) {
    TensorFile file = snapshot(*run.learner);
    for (auto& [key, value] : file.tensors) {
      if (key == name) value = tensor;
    }
    EXPECT_THROW(restore(*run.learner, file), Error) << name;
  };
  for (const std::int64_t update : {INT64_MIN, std::int64_t{-1}, std::int64_t{1} << 40}) {
    refused("learner/update", make_tensor(std::span(&update, 1), {1}));
  }
  std::vector<double> p_f = run.learner->state().p_f.sum;
  p_f[0] = std::nan("");
  refused("learner/p_f",
          make_tensor(std::span<const double>(p_f), {static_cast<std::int64_t>(p_f.size())}));
}

TEST_F(RunFolder, IsNeverOverwritten) {
  const vic::Run run = make("implicit", 1);
  begin_run_folder(run, folder_);
  EXPECT_THROW(begin_run_folder(run, folder_), UsageError);
}

TEST_F(RunFolder, WithoutACheckpointIsAtItsBeginning) {
  EXPECT_THROW(load_run(folder_, no_warning), UsageError) << "there is no run yet";
  const vic::Run run = make("transition", 1);
  begin_run_folder(run, folder_);
  EXPECT_EQ(bytes_of(load_run(folder_, no_warning)), bytes_of(run));
}

// the error of load_run; "" if there is none
std::string load_complaint(const std::string& folder) {
  try {
    load_run(folder, no_warning);
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST_F(RunFolder, NamesTheSettingThatWasChangedUnderIt) {
  vic::Run run = make("transition", 1);
  begin_run_folder(run, folder_);
  save_checkpoint(run, folder_);
  EXPECT_EQ(load_complaint(folder_), "");
  const std::string path = folder_ + "/settings.toml", settings = read_file(path);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = settings;
    text.replace(text.find(from), from.size(), to);
    write_file(path, text);
    return load_complaint(folder_);
  };
  const std::string begin = path + " was changed after the run began: ";
  EXPECT_EQ(changed("seed = 1", "seed = 2"), begin + "train.seed is 2 and was 1; put it back.");
  EXPECT_EQ(changed("noise = 0.2", "noise = 0.25"),
            begin + "world.noise is 0.25 and was 0.2; put it back.");
  EXPECT_EQ(changed("\"transition\"", "\"implicit\""),
            begin + "train.algorithm is implicit and was transition; put it back.");
  EXPECT_EQ(changed("seed = 1\n", ""),
            path +
                " lacks train.seed: it was changed after the run was made, or vic had no such "
                "setting then. Its build.json names the commit that reads it.");
  // the same value in another notation is the same
  EXPECT_EQ(changed("seed = 1", "seed = \"1\""), "");
}

TEST_F(RunFolder, NoticesAWorldFileThatWasChangedUnderIt) {
  const std::string file = std::string(VIC_SOURCE_DIR) + "/examples/ferry.toml";
  const vic::Run run = make_run(Overrides({{"run.world", file, "test"}}));
  begin_run_folder(run, folder_);
  save_checkpoint(run, folder_);
  EXPECT_EQ(load_complaint(folder_), "");
  write_file(folder_ + "/world.toml", read_file(file) + "\n# another\n");
  EXPECT_EQ(load_complaint(folder_),
            folder_ + "/world.toml was changed after the run began; put it back.");
}

TEST_F(RunFolder, IsHeldByOneTrainerAtATime) {
  const vic::Run run = make("implicit", 1);
  {
    const FolderLock lock = begin_run_folder(run, folder_);
    EXPECT_THROW(lock_run(folder_), Error);
  }
  EXPECT_NO_THROW(lock_run(folder_));
}

TEST(Metrics, AreOneLineOfJsonWithoutATime) {
  Metrics metrics;
  metrics.update = 7;
  metrics.reward = 1.5;
  const std::string line = metrics_line(metrics);
  EXPECT_EQ(line.back(), '\n');
  const auto json = Json::parse(line);
  EXPECT_EQ(json["update"], 7);
  EXPECT_EQ(json["reward"], 1.5);
  EXPECT_FALSE(json.contains("time"));
}

TEST(RunFolderFormat, IsNamedWhereItIsNotThisOne) {
  const std::string folder = testing::TempDir() + "vic_older_format";
  std::filesystem::create_directories(folder);
  const auto message = [&] {
    try {
      load_run(folder, no_warning);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  write_file(folder + "/settings.toml", "[run]\nworld = \"line\"\n");
  EXPECT_NE(message().find("was written by an older vic: its format is 1"), std::string::npos)
      << message();
  write_file(folder + "/settings.toml", "[run]\nformat = 2\nworld = \"line\"\n");
  EXPECT_NE(message().find("was written by another vic: its format is 2"), std::string::npos)
      << message();
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace vic
