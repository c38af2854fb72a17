// A training whose folder was replaced, damaged, linked elsewhere or cannot be written.
#include "run/training.h"

#include <sys/stat.h>
#include <unistd.h>

#include "support/file_size_limit.h"
#include "support/training_fixture.h"

namespace vic {
namespace {

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
    // links made later are not followed either
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

// root may write anywhere: become nobody for the scope
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
