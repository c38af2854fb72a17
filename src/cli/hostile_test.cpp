// Folders from elsewhere: no command opens what a link in them leads to, a pipe or a device.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "base/file.h"
#include "support/program_run.h"

namespace vic {
namespace {

// Knows whether a file was opened.
class OpenWatch {
 public:
  explicit OpenWatch(const std::string& path) : queue_(::inotify_init1(IN_NONBLOCK)) {
    EXPECT_GE(::inotify_add_watch(queue_, path.c_str(), IN_OPEN), 0);
  }
  ~OpenWatch() { ::close(queue_); }
  OpenWatch(const OpenWatch&) = delete;
  OpenWatch& operator=(const OpenWatch&) = delete;

  // Since the last question.
  bool opened() const {
    std::array<char, 4096> events{};
    return ::read(queue_, events.data(), events.size()) > 0;
  }

 private:
  int queue_;
};

class Hostile : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    ASSERT_EQ(run({"train", "line-noisy", "--out", run_, "--updates", "2", "--set",
                   "train.warm_up=1", "--set", "train.hidden=8"})
                  .code,
              exit_done);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // every command that reads a run
  std::vector<std::vector<std::string>> commands() const {
    return {{"train", "--resume", run_},
            {"eval", run_},
            {"reach", run_, "--all"},
            {"report", run_},
            {"film", run_},
            {"report", folder_},
            {"bench", "--run", run_},
            {"eval", run_, "--from", "all"}};
  }

  std::string folder_ =
      testing::TempDir() + "vic_" + testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string run_ = folder_ + "/run";
};

// all files that a run may have
const std::array names = {"settings.toml",
                          "world.toml",
                          "world.xml",
                          "build.json",
                          "metrics.jsonl",
                          "timing.jsonl",
                          "behaviours.jsonl",
                          "events.out.tfevents.vic",
                          "checkpoint.safetensors",
                          "checkpoint.previous.safetensors",
                          "truth.json",
                          "films.json",
                          "evaluation.json",
                          "evaluation.part.safetensors"};

TEST_F(Hostile, LinksPipesAndDevicesAreNotOpened) {
  const std::string outside = folder_ + "-outside";
  for (const char* name : names) {
    const std::string path = run_ + "/" + name, kept = folder_ + "-kept";
    const bool had = path_exists(path);
    if (had) std::filesystem::rename(path, kept);
    // a copy, so that nothing but the link itself is wrong
    std::filesystem::copy_file(had ? kept : run_ + "/build.json", outside,
                               std::filesystem::copy_options::overwrite_existing);
    for (const std::string kind : {"link", "pipe", "link to a device"}) {
      SCOPED_TRACE(kind + " as " + name);
      if (kind == "pipe") {
        ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
      } else {
        std::filesystem::create_symlink(kind == "link" ? outside : "/dev/zero", path);
      }
      const OpenWatch target(kind == "pipe" ? path : outside);
      for (const auto& command : commands()) {
        const Result result = run(command);
        EXPECT_EQ(result.code, exit_usage) << command[0] << ": " << result.out;
        EXPECT_EQ(result.err,
                  "vic: " + path +
                      (kind == "pipe" ? " is a device or a pipe; put a file in its place.\n"
                                      : " is a symbolic link, which may lead anywhere; put a file "
                                        "in its place.\n"));
        EXPECT_FALSE(target.opened()) << command[0];
      }
      std::filesystem::remove(path);
    }
    if (had) std::filesystem::rename(kept, path);
  }
  std::filesystem::remove(outside);
  EXPECT_EQ(run({"report", run_}).code, exit_done);
}

// what an experiment, a report of one and a folder of runs lead to
TEST_F(Hostile, NeitherAreThoseOfExperiments) {
  const std::string outside = folder_ + "-outside.toml", beside = folder_ + "/maze.toml";
  write_file(outside, read_file(std::string(VIC_SOURCE_DIR) + "/examples/ferry.toml"));
  std::filesystem::create_symlink(outside, beside);
  const OpenWatch target(outside);
  for (const std::string& world : {outside, std::string("maze.toml"), "../" + outside}) {
    write_file(folder_ + "/e.toml", "title = \"t\"\n[[runs]]\nworlds = [\"" + world +
                                        "\"]\nalgorithms = [\"implicit\"]\nseeds = 1\n");
    EXPECT_EQ(run({"sweep", folder_ + "/e.toml", "--out", folder_ + "/out"}).code, exit_usage);
    EXPECT_FALSE(target.opened()) << world;
  }
  std::filesystem::create_symlink(outside, folder_ + "/verdict.json");
  EXPECT_EQ(run({"report", folder_}).code, exit_usage);
  EXPECT_FALSE(target.opened());
  // a folder that is a link is not searched for runs
  std::filesystem::remove(folder_ + "/verdict.json");
  std::filesystem::create_directory(folder_ + "-elsewhere");
  std::filesystem::rename(run_, folder_ + "-elsewhere/run");
  std::filesystem::create_directory_symlink(folder_ + "-elsewhere", folder_ + "/link");
  EXPECT_NE(run({"report", folder_}).err.find("There is no run in"), std::string::npos);
  std::filesystem::remove_all(folder_ + "-elsewhere");
  std::filesystem::remove(outside);
}

}  // namespace
}  // namespace vic
