// A training that was interrupted, however, ends in the bytes of the one that was not.
#include "run/training.h"

#include <sys/stat.h>

#include <filesystem>
#include <thread>

#include "base/file.h"
#include "run/result_mark.h"
#include "support/event_reader.h"
#include "support/file_size_limit.h"

namespace vic {
namespace {

Reference reference() {
  return find_reference(make_run(Overrides({{"run.world", "line-noisy", "test"}})).world);
}

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
  Reference reference_ = reference();
  std::vector<std::string> warnings_;
};

struct Crash {};

// trains, and is gone at once after that update
void crash(Training training, const Reference& reference, long at) {
  const auto end = [&](const Learner& learner) {
    if (learner.state().update == at) throw Crash();
  };
  EXPECT_THROW(train(training, reference, {.progress = end}), Crash);
}

void expect_same(const std::string& a, const std::string& b) {
  for (const char* name : {"checkpoint.safetensors", "metrics.jsonl", "control.jsonl",
                           "evaluation.json", "truth.json", "settings.toml"}) {
    EXPECT_EQ(read_file(a + "/" + name), read_file(b + "/" + name)) << name;
  }
  // TensorBoard's records but for their times, which are the nine bytes in front
  const std::string events = "/events.out.tfevents.vic";
  auto left = messages_of(read_file(a + events)), right = messages_of(read_file(b + events));
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) EXPECT_EQ(left[i].substr(9), right[i].substr(9));
}

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
    // lines that the checkpoint does not know of, and half of one
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
                              run_ + " mends it.");
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

TEST_F(TrainingTest, AFolderThatWasReplacedIsNotWrittenAnyMore) {
  Training training = begin(run_);
  const auto replace = [&](const Learner& learner) {
    if (learner.state().update != 15) return;
    std::filesystem::rename(run_, run_ + "-moved");
    std::filesystem::copy(run_ + "-moved", run_);
  };
  try {
    train(training, reference_, {.progress = replace});
    FAIL() << "two trainings wrote into one folder";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              run_ +
                  " was moved or replaced while it was trained; vic train --resume goes on "
                  "where it is now.");
  }
  EXPECT_EQ(load_run(run_, no_warning).learner->state().update, 10);
  finish(run_);
  expect_same(run_, undisturbed());
}

TEST_F(TrainingTest, NorIsOneThatWasReplacedDuringTheEvaluation) {
  StopRequest stop;
  {
    Training training = begin(run_);
    const auto replace = [&](std::string_view part, double) {
      if (part != "calibration" || stop.wanted) return;
      std::filesystem::rename(run_, run_ + "-moved");
      std::filesystem::copy(run_ + "-moved", run_);
      stop.wanted = true;
    };
    EXPECT_THROW(train(training, reference_, {.evaluating = replace, .stop = Stop(stop)}), Error);
  }
  EXPECT_FALSE(path_exists(run_ + "/evaluation.part.safetensors"));
  EXPECT_FALSE(path_exists(run_ + "/evaluation.json"));
  finish(run_);
  expect_same(run_, undisturbed());
}

TEST_F(TrainingTest, LinksInTheFolderAreNotFollowed) {
  const std::string other = undisturbed(), outside = folder_ + "/outside";
  crash(begin(run_), reference_, 38);
  write_file(outside, "mine");
  std::filesystem::create_symlink(outside, run_ + "/evaluation.json");
  EXPECT_THROW(resume_training(run_), UsageError);
  std::filesystem::remove(run_ + "/evaluation.json");
  {
    // those that come later are not followed either
    Training training = resume_training(run_);
    std::filesystem::create_symlink(outside, run_ + "/evaluation.json");
    std::filesystem::create_symlink(outside, run_ + "/checkpoint.next.safetensors");
    std::filesystem::remove(run_ + "/timing.jsonl");
    std::filesystem::create_symlink(outside, run_ + "/timing.jsonl");
    try {
      train(training, reference_, {});
      FAIL() << "a log was written through a link";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), "Cannot write " + run_ +
                                               "/timing.jsonl: it is a symbolic link, which may "
                                               "lead anywhere; put a file in its place.");
    }
  }
  std::filesystem::remove(run_ + "/timing.jsonl");
  {
    std::filesystem::remove(run_ + "/evaluation.json");
    Training training = resume_training(run_);
    std::filesystem::create_symlink(outside, run_ + "/evaluation.json");
    EXPECT_TRUE(train(training, reference_, {}));
  }
  EXPECT_EQ(read_file(outside), "mine");
  expect_same(run_, other);
}

TEST_F(TrainingTest, WithoutASoundCheckpointSaysSoAndTouchesNothing) {
  crash(begin(run_), reference_, 38);
  const std::string metrics = read_file(run_ + "/metrics.jsonl");
  for (const char* name : {"/checkpoint.safetensors", "/checkpoint.previous.safetensors"}) {
    write_file(run_ + name, "gone");
  }
  EXPECT_THROW(resume_training(run_), Error);
  EXPECT_EQ(read_file(run_ + "/metrics.jsonl"), metrics);
  EXPECT_EQ(read_file(run_ + "/checkpoint.safetensors"), "gone");
}

TEST_F(TrainingTest, NoticesMetricsThatWereChanged) {
  crash(begin(run_), reference_, 38);
  const std::string path = run_ + "/metrics.jsonl", text = read_file(path);
  std::string changed = text;
  changed[20] = static_cast<char>(changed[20] ^ 1);
  for (const std::string& wrong : {changed, text.substr(0, 100), std::string()}) {
    write_file(path, wrong);
    Training training = resume_training(run_);
    EXPECT_THROW(train(training, reference_, {}), UsageError);
    EXPECT_EQ(read_file(path), wrong);
  }
  write_file(path, text);
  finish(run_);
  expect_same(run_, undisturbed());
}

TEST_F(TrainingTest, SaysThatAnotherBuildBeganIt) {
  crash(begin(run_), reference_, 38);
  const std::string path = run_ + "/build.json", text = read_file(path);
  Json build = Json::parse(text);
  build["cpu"] = "another";
  write_file(path, build.dump());
  finish(run_);
  EXPECT_TRUE(warnings_.empty()) << "the machine does not count";
  build["compiler"] = "Other 1.0";
  for (const std::string& other : {build.dump(), std::string("{"), std::string("[]")}) {
    write_file(path, other);
    finish(run_);
  }
  ASSERT_EQ(warnings_.size(), 3U);
  EXPECT_NE(warnings_[0].find("the compiler was Other 1.0 and is "), std::string::npos);
  EXPECT_NE(warnings_[1].find("the version is not known"), std::string::npos);
}

TEST_F(TrainingTest, BeginsTensorBoardsFileAnewWhereItIsLost) {
  crash(begin(run_), reference_, 38);
  std::filesystem::remove(run_ + "/events.out.tfevents.vic");
  finish(run_);
  EXPECT_EQ(warnings_.size(), 1U);
  // from update 35 on, the checkpoint being that of update 30
  const auto messages = messages_of(read_file(run_ + "/events.out.tfevents.vic"));
  ASSERT_EQ(messages.size(), 5U);
  EXPECT_NE(decoded(messages[1]).find("step: 35\n"), std::string::npos);
}

TEST_F(TrainingTest, OnADiskThatIsFullKeepsWhatItHad) {
  const std::string other = undisturbed();
  crash(begin(run_), reference_, 38);
  const std::string checkpoint = read_file(run_ + "/checkpoint.safetensors");
  {
    const FileSizeLimit limit(checkpoint.size() / 2);
    Training training = resume_training(run_);
    try {
      train(training, reference_, {});
      FAIL() << "half a checkpoint was enough";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()),
                "Cannot write " + run_ + "/checkpoint.next.safetensors: File too large.");
    }
  }
  EXPECT_EQ(read_file(run_ + "/checkpoint.safetensors"), checkpoint);
  EXPECT_FALSE(std::filesystem::exists(run_ + "/checkpoint.next.safetensors.vic-tmp"));
  finish(run_);
  expect_same(run_, other);
}

// root may write everywhere: be nobody for the time of the scope
class Nobody {
 public:
  Nobody() : before_(::geteuid()) {
    if (before_ == 0 && ::seteuid(65534) != 0) ADD_FAILURE() << "cannot be nobody";
  }
  ~Nobody() {
    if (::seteuid(before_) != 0) ADD_FAILURE() << "cannot be who it was";
  }

 private:
  uid_t before_;
};

TEST_F(TrainingTest, InAFolderThatCannotBeWrittenSaysSo) {
  const std::string other = undisturbed();
  crash(begin(run_), reference_, 38);
  const auto state = [&] {
    return read_file(run_ + "/checkpoint.safetensors") + read_file(run_ + "/metrics.jsonl");
  };
  const std::string before = state();
  // the files belong to another, and nothing can be made or renamed
  ASSERT_EQ(::chmod(run_.c_str(), 0555), 0);
  for (const auto& entry : std::filesystem::directory_iterator(run_)) {
    ASSERT_EQ(::chmod(entry.path().c_str(), 0444), 0);
  }
  {
    const Nobody nobody;
    Training training = resume_training(run_);
    EXPECT_THROW(train(training, reference_, {}), Error);
    EXPECT_THROW(
        begin_training(make_run(Overrides({{"run.world", "line", "test"}})), run_ + "/new"), Error);
  }
  EXPECT_EQ(state(), before);
  ASSERT_EQ(::chmod(run_.c_str(), 0755), 0);
  for (const auto& entry : std::filesystem::directory_iterator(run_)) {
    ASSERT_EQ(::chmod(entry.path().c_str(), 0644), 0);
  }
  finish(run_);
  expect_same(run_, other);
}

}  // namespace
}  // namespace vic
