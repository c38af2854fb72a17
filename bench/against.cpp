#include "bench/against.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/process.h"
#include "base/spawn.h"

namespace vic {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// a folder that is removed with its owner
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "vic-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw Error(fmt::format("Cannot make a folder like {}: {}.", name, std::strerror(errno)));
    }
    folder_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string run() const { return (folder_ / "run").string(); }

 private:
  std::filesystem::path folder_;
};

ProgramTime time_program(const std::string& program, const AgainstCase& c) {
  const Scratch scratch;
  std::vector<std::string> words = {program};
  for (const std::string& word : c.arguments) {
    words.push_back(word == "{}" ? scratch.run() : word);
  }
  const Stopwatch watch;
  const pid_t process = spawn(words, -1, -1, Session::same);
  if (process == -1) {
    throw Error(fmt::format("Cannot start {}: {}.", program, std::strerror(errno)));
  }
  int status = 0;
  rusage used{};
  retried([&] { return ::wait4(process, &status, 0, &used); });
  if (status != 0) {
    throw Error(fmt::format("{} failed; run it by itself to see why.", fmt::join(words, " ")));
  }
  return {seconds_of(used.ru_utime) + seconds_of(used.ru_stime), watch.seconds()};
}

}  // namespace

const std::vector<AgainstCase>& against_cases() {
  static const std::vector<AgainstCase> cases = [] {
    std::vector<AgainstCase> list;
    const auto train = [&](const char* world, const char* algorithm, const char* updates) {
      list.push_back({fmt::format("train {} {}", world, algorithm),
                      {"train", world, "--algorithm", algorithm, "--updates", updates, "--set",
                       "train.warm_up=100", "--out", "{}"}});
    };
    for (const char* world : {"line-noisy", "grid-noisy", "rooms-35"}) {
      for (const char* algorithm : {"implicit", "transition", "mixture", "marginal"}) {
        train(world, algorithm, std::strcmp(world, "rooms-35") == 0 ? "100" : "500");
      }
    }
    list.push_back({"train half-cheetah marginal",
                    {"train", "half-cheetah", "--algorithm", "marginal", "--updates", "3", "--set",
                     "train.warm_up=0", "--out", "{}"}});
    for (const char* world : {"line-noisy", "grid-noisy", "tree-noisy", "four-rooms", "rooms-35"}) {
      list.push_back({fmt::format("exact {}", world), {"exact", world}});
    }
    return list;
  }();
  return cases;
}

AgainstRow measure_against(const AgainstCase& c, const std::string& ours, const std::string& theirs,
                           int rounds, const Progress& progress) {
  std::vector<ProgramTime> own, other;
  for (int round = 0; round < rounds; ++round) {
    progress(fmt::format("{} round {}", c.answer, round + 1));
    // the second program finds the files in the cache: they alternate
    if (round % 2 == 0) own.push_back(time_program(ours, c));
    other.push_back(time_program(theirs, c));
    if (round % 2 == 1) own.push_back(time_program(ours, c));
  }
  AgainstRow row;
  for (const auto field : {&ProgramTime::processor, &ProgramTime::wall}) {
    std::vector<double> here, there, ratios;
    for (std::size_t k = 0; k < own.size(); ++k) {
      here.push_back(own[k].*field);
      there.push_back(other[k].*field);
      ratios.push_back(there.back() / here.back());
    }
    row.ours.*field = median(here);
    row.theirs.*field = median(there);
    row.ratio.*field = median(ratios);
  }
  return row;
}

void require_program(const std::string& program) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(program, ignored) && ::access(program.c_str(), X_OK) == 0) {
    return;
  }
  fail_usage("{} is not a program that can be run; name the vic of another build.", program);
}

}  // namespace vic
