// Folders from elsewhere: no command opens what a link in them leads to, a pipe or a device.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "base/file.h"
#include "base/json.h"
#include "support/program_run.h"

namespace vic {
namespace {

// Detects whether a file was opened.
class OpenWatch {
 public:
  explicit OpenWatch(const std::string& path) : queue_(::inotify_init1(IN_NONBLOCK)) {
    EXPECT_GE(::inotify_add_watch(queue_, path.c_str(), IN_OPEN), 0);
  }
  ~OpenWatch() { ::close(queue_); }
  OpenWatch(const OpenWatch&) = delete;
  OpenWatch& operator=(const OpenWatch&) = delete;

  // Since the last call.
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
                   "train.warm_up=1", "--set", "train.hidden=8", "--set", "run.metrics_every=1"})
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
            {"export", run_, "--options", "3"},
            {"export", run_, "--curves"},
            {"report", folder_},
            {"bench", "--run", run_},
            {"eval", run_, "--from", "all"}};
  }

  std::string folder_ =
      testing::TempDir() + "vic_" + testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string run_ = folder_ + "/run";
};

// all files that a run may have
const std::array run_file_names = {"settings.toml",
                                   "world.toml",
                                   "world.xml",
                                   "build.json",
                                   "metrics.jsonl",
                                   "timing.jsonl",
                                   "behaviours.jsonl",
                                   "control.jsonl",
                                   "alarms.jsonl",
                                   "events.out.tfevents.vic",
                                   "checkpoint.safetensors",
                                   "checkpoint.previous.safetensors",
                                   "truth.json",
                                   "films.json",
                                   "evaluation.json",
                                   "evaluation.part.safetensors"};

TEST_F(Hostile, LinksPipesAndDevicesAreNotOpened) {
  const std::string outside = folder_ + "-outside";
  for (const char* name : run_file_names) {
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
      // a list reports what is damaged and goes on
      EXPECT_EQ(run({"runs", folder_}).code, exit_done);
      EXPECT_FALSE(target.opened());
      std::filesystem::remove(path);
    }
    if (had) std::filesystem::rename(kept, path);
  }
  std::filesystem::remove(outside);
  EXPECT_EQ(run({"report", run_}).code, exit_done);
}

// every text of a document, prefixed with characters that control a terminal
Json poisoned(const Json& json) {
  if (json.is_string()) return "\x1b[31m\u202e\u0085" + json.get<std::string>();
  if (json.is_array()) {
    Json list = Json::array();
    for (const Json& element : json) list.push_back(poisoned(element));
    return list;
  }
  if (!json.is_object()) return json;
  Json object = Json::object();
  for (const auto& [key, value] : json.items()) {
    object["\x1b]0;" + key] = poisoned(value);
    object[key] = key == "run_id" || key == "metrics_crc32c" ? value : poisoned(value);
  }
  return object;
}

// the same for a whole file: all of its JSON, its first line, or the texts of its settings
std::string poisoned_file(const std::string& path, const std::string& kept) {
  if (path.ends_with(".json")) return poisoned(Json::parse(kept)).dump();
  if (path.ends_with(".jsonl")) {
    return poisoned(Json::parse(kept.substr(0, kept.find('\n')))).dump() + "\n";
  }
  std::string text = kept;
  for (std::size_t at = 0; (at = text.find(" = \"", at)) != std::string::npos; at += 4) {
    text.insert(at + 4, "\\u001b[31m\\u202E\\u0085");
  }
  return text;
}

// the verdict of one claim, with a text for every text
constexpr const char* verdict =
    R"({"title":"t","claims":[{"text":"c","source":"s","see":"e","group":"g","algorithm":"a",)"
    R"("measure":"m","wanted":"w","verdict":"holds","measured":1,"measured_as":"mean",)"
    R"("seeds":1}]})";

TEST_F(Hostile, ControlCharactersReachNeitherTerminalNorFiles) {
  ASSERT_EQ(run({"train",       "half-cheetah",       "--out",     folder_ + "/body",
                 "--algorithm", "implicit",           "--updates", "1",
                 "--set",       "train.warm_up=0",    "--set",     "train.batch=4",
                 "--set",       "world.T=3",          "--set",     "run.survey_options=100",
                 "--set",       "run.survey_every=1", "--set",     "run.metrics_every=1"})
                .code,
            exit_done);
  write_file(folder_ + "/run/verdict.json", verdict);
  for (const char* name : {"/run", "/body"}) {
    write_file(folder_ + name + "/alarms.jsonl",
               R"({"update":1,"alarms":[{"cause":"c","sentence":"s"}]})"
               "\n");
  }
  const auto expect_clean = [](const std::string& text, const std::string& where) {
    for (const std::string bad : {"\x1b", "\u202e", "\u0085"}) {
      EXPECT_EQ(text.find(bad), std::string::npos) << where;
    }
  };
  int poisoned_files = 0;
  for (const std::string& folder : {folder_ + "/run", folder_ + "/body"}) {
    for (const char* name :
         {"evaluation.json", "truth.json", "films.json", "build.json", "verdict.json",
          "behaviours.jsonl", "metrics.jsonl", "alarms.jsonl", "settings.toml"}) {
      const std::string path = folder + "/" + name;
      if (!path_exists(path)) continue;
      SCOPED_TRACE(path);
      const std::string kept = read_file(path);
      const std::string text = poisoned_file(path, kept);
      ASSERT_NE(text, kept);
      write_file(path, text);
      ++poisoned_files;
      const std::string out = folder_ + "-out";
      for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
               {"report", folder},
               {"report", folder, "--json"},
               {"report", folder, "-o", out + "/page.html", "--svg", out, "--csv", out + "/t.csv"},
               {"film", folder, "--out", out},
               {"eval", folder},
               {"runs", folder},
               {"runs", folder, "--json"},
               {"reach", folder, "--all"},
               {"train", "--resume", folder}}) {
        std::filesystem::create_directories(out);
        const Result result = run(command);
        EXPECT_TRUE(result.code == exit_done || result.code == exit_usage) << result.err;
        expect_clean(result.out + result.err, command[0]);
        for (const auto& file : std::filesystem::directory_iterator(out)) {
          expect_clean(read_file(file.path()), file.path());
        }
        std::filesystem::remove_all(out);
      }
      write_file(path, kept);
    }
  }
  EXPECT_EQ(poisoned_files, 15);
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
