// Folders of runs with known numbers, for tests.
#pragma once

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/file.h"

namespace vic {

// A temporary folder, removed with this object.
class FixtureFolder {
 public:
  explicit FixtureFolder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("vic-report-{}-{}", name, ::getpid())) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~FixtureFolder() { std::filesystem::remove_all(path_); }
  FixtureFolder(const FixtureFolder&) = delete;
  FixtureFolder& operator=(const FixtureFolder&) = delete;

  std::string path() const { return path_.string(); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

struct FixtureRun {
  std::string world = "line-noisy", algorithm = "implicit";
  int seed = 1;
  double H = 1.5;
  std::string more = {};  // further lines of [train]
  bool finished = true;
  std::string group = {};  // run.group
};

// Three states; H of the metrics rises from 0.1 to H in ten lines.
inline void write_fixture(const std::string& folder, const FixtureRun& run) {
  std::filesystem::create_directories(folder);
  write_file(
      folder + "/settings.toml",
      fmt::format(
          "[run]\nformat = 3\nworld = \"{}\"\nmetrics_every = 10\n{}[world]\nnoise = 0.3\n[train]\n"
          "algorithm = \"{}\"\nseed = {}\nupdates = 80\nwarm_up = 20\n{}",
          run.world, run.group.empty() ? "" : fmt::format("group = \"{}\"\n", run.group),
          run.algorithm, run.seed, run.more));
  std::string lines;
  for (int i = 1; i <= (run.finished ? 10 : 4); ++i) {
    lines += fmt::format("{{\"update\":{},\"external\":0.0,\"I_hat\":{}}}\n", 10 * i,
                         0.1 + (run.H - 0.1) * i / 10);
  }
  write_file(folder + "/metrics.jsonl", lines + (run.finished ? "" : "{\"update\":5"));
  write_file(folder + "/truth.json",
             R"({"world":"line-noisy","T_max":5,"states_reachable":3,"H_max":2.0,"H_max_gap":1e-6,
             "D_max":1.25,"D_max_gap":1e-6,"H_at_D_max":1.5,"C_open":null,"C_open_gap":null,
             "reward_max":null,"uniform":{"H":1.0,"D":0.75,"N":0.25},
             "s_f":[{"state":"-1","p":0.25},{"state":"0","p":0.5},{"state":"1","p":0.25}],
             "s_f_at_D_max":[{"state":"-1","p":0.5},{"state":"1","p":0.5}],"start":"0",
             "picture":{"lines":["..."],"cells":[{"state":"-1","row":0,"column":0},
             {"state":"0","row":0,"column":1},{"state":"1","row":0,"column":2}]},"notes":[]})");
  if (!run.finished) return;
  write_file(folder + "/evaluation.json",
             fmt::format(R"({{"world":"{}","algorithm":"{}","seed":{},"updates":100,"I_hat":{},
      "exact":true,"H":{},"D":1.0,"N":{},"ci95":0.0,"H_max":2.0,"H_max_gap":1e-6,"D_max":1.25,
      "H_at_D_max":1.5,"external":0.0,"states":2,"calibration":{{"bias":-0.5,"deviation":0.25,
      "correlation":0.75}},"s_f":[{{"state":"0","p":0.75}},{{"state":"1","p":0.25}}]}})",
                         run.world, run.algorithm, run.seed, run.H, run.H, run.H - 1));
}

}  // namespace vic
