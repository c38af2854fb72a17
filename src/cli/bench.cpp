// vic bench: updates a second, beside the straightforward PyTorch program in bench/peer.py.
//
// Both are measured in seconds of their own process, case by case in turn, because machines are
// shared: the ratio is the message.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>

#include "base/json.h"
#include "bench/parts.h"
#include "bench/physics.h"
#include "bench/scaling.h"
#include "bench/threads.h"
#include "cli/command.h"
#include "eval/policy_table.h"
#include "oracle/truth.h"
#include "run/run_folder.h"
#include "world/registry.h"

namespace vic {
namespace {

struct BenchOptions {
  CommonOptions common;
  std::string run;  // a folder: measure that run and nothing else
  bool peer = false, scaling = false, threads = false, physics = false;
  bool gather = false;  // the peer's heads run on taken steps only
  int updates = 200;
  int rounds = 3;
};

struct Case {
  const char* world;
  const char* algorithm;
  bool long_options;  // the policy is biased so that options have at least 14 moves
};

const std::vector<Case> cases = [] {
  std::vector<Case> list;
  for (const auto& [world, long_options] : {std::pair{"line-noisy", false},
                                            {"grid-noisy", false},
                                            {"rooms-35", false},
                                            {"rooms-35", true}}) {
    for (const char* algorithm : {"implicit", "transition", "mixture"}) {
      list.push_back({world, algorithm, long_options});
    }
  }
  return list;
}();

struct Speed {
  double updates_per_second = 0;
  double moves = 0;  // a mean option
};

Speed measure_learner(Learner& learner, int updates) {
  for (int i = 0; i < 20; ++i) learner.update();
  // blocks long enough for the clock, and many enough for a median
  constexpr int block = 20;
  std::vector<double> seconds;
  double moves = 0;
  for (int i = 0; i < std::max(1, updates / block); ++i) {
    const double begin = own_seconds();
    for (int k = 0; k < block; ++k) learner.update();
    seconds.push_back(own_seconds() - begin);
    moves += learner.metrics().length - 1;
  }
  return {block / median(seconds), moves / static_cast<double>(seconds.size())};
}

Speed measure_vic(const Case& c, int updates, const std::vector<Assignment>& assignments) {
  const std::vector<Assignment> fixed = {{"run.world", c.world, "bench"},
                                         {"train.algorithm", c.algorithm, "bench"},
                                         {"train.warm_up", "20", "bench"},
                                         {"train.encoding", "onehot", "bench"},
                                         {"train.learning_rate", still_rate, "bench"}};
  std::vector<Assignment> list = assignments;
  list.insert(list.end(), fixed.begin(), fixed.end());
  const Run run = make_run(Overrides(list));
  Learner& learner = *run.learner;
  // termination rare, the move to the right frequent
  if (c.long_options) bias_policy(learner, 6, 1);
  return measure_learner(learner, updates);
}

// runs bench/peer.py with these arguments and returns what it prints
Json run_peer(const std::string& arguments) {
  const std::string command = fmt::format(
      "/usr/bin/python3 '{}/bench/peer.py' --json {} 2>/dev/null", VIC_SOURCE_DIR, arguments);
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw Error("The peer cannot be started: no process can be made.");
  std::string text;
  std::array<char, 4096> chunk{};
  while (const std::size_t n = std::fread(chunk.data(), 1, chunk.size(), pipe)) {
    text.append(chunk.data(), n);
  }
  if (pclose(pipe) != 0) {
    throw Error("The peer failed; it needs python3-torch, which ./vic bench --peer installs.");
  }
  return Json::parse(text);
}

Speed measure_peer(const Case& c, int updates, bool gather) {
  const Json json = run_peer(
      fmt::format("--world {} --algorithm {} --updates {} --learning-rate {}{}{}", c.world,
                  c.algorithm, updates, still_rate, c.long_options ? " --options-length 14" : "",
                  gather ? " --gather-heads" : ""));
  return {json.at("updates_per_own_second").get<double>(), json.at("mean_moves").get<double>()};
}

// Seconds of training until a policy has 99 % of H_max, here by the exact measure.
constexpr const char* until_world = "line-noisy";
constexpr const char* until_algorithm = "transition";
constexpr const char* until_warm_up = "200";

double seconds_until(double H_target) {
  const Run run = make_run(Overrides({{"run.world", until_world, "bench"},
                                      {"train.algorithm", until_algorithm, "bench"},
                                      {"train.warm_up", until_warm_up, "bench"}}));
  const Histories histories = *enumerate_histories(*run.world, 1000000);
  const Unrolled unrolled = *unroll_histories(*run.world, 1000000);
  double seconds = 0;
  for (int updates = 0; updates < 20000; updates += 50) {
    const double begin = own_seconds();
    for (int k = 0; k < 50; ++k) run.learner->update();
    seconds += own_seconds() - begin;
    const PolicyTable table = tabulate(*run.learner, unrolled, histories);
    if (measure(unrolled, table.policy).H >= H_target) return seconds;
  }
  throw Error("The learner did not come to 99 % of H_max in 20000 updates.");
}

Json until_json(const BenchOptions& options) {
  Overrides none;
  const TabularWorld world = load_world(until_world, none);
  const double H_max = find_truth(world, {}).H_max.value;
  Json json = {{"world", until_world},
               {"algorithm", until_algorithm},
               {"seconds_to_99_percent", seconds_until(0.99 * H_max)},
               {"peer_seconds_to_99_percent", nullptr}};
  if (options.peer) {
    const Json peer =
        run_peer(fmt::format("--world {} --algorithm {} --updates 20000 --warm-up {} "
                             "--until 0.99 --h-max {}{}",
                             until_world, until_algorithm, until_warm_up, H_max,
                             options.gather ? " --gather-heads" : ""));
    json["peer_seconds_to_99_percent"] = peer.at("own_seconds_until");
  }
  return json;
}

// a batch is short: more rounds than the learners need
Json measure_physics(const BenchOptions& options, ProgressLine& progress) {
  return physics_speed(3 * options.rounds, progress);
}

// how fast a trained run goes on; its folder stays as it is
void bench_run(const BenchOptions& options, const Console& console) {
  const Run run = load_trained_run(options.run, warning_to(console));
  const Speed speed = measure_learner(*run.learner, options.updates);
  const Json json = {{"world", run.world_name()},
                     {"algorithm", run.learner->settings().algorithm},
                     {"moves", speed.moves},
                     {"updates_per_second", speed.updates_per_second}};
  if (options.common.json) {
    fmt::print(console.out, "{}\n", json.dump(2));
  } else {
    fmt::print(console.out, "{}, {}: options of {:.1f} moves, {:.1f} updates a second\n",
               run.world_name(), run.learner->settings().algorithm, speed.moves,
               speed.updates_per_second);
  }
}

void bench_physics(const BenchOptions& options, const Console& console) {
  Json rows, updates;
  {
    ProgressLine progress(console);
    rows = measure_physics(options, progress);
    updates = physics_update_speed(3 * options.rounds, progress);
  }
  if (options.common.json) {
    fmt::print(console.out, "{}\n", Json{{"physics", rows}, {"physics_updates", updates}}.dump(2));
  } else {
    print_physics_speed(rows, console);
    print_physics_update_speed(updates, console);
  }
}

void run_bench(const BenchOptions& options, const Console& console) {
  Json list = Json::array();
  if (!options.common.json) {
    fmt::print(console.out, "{:<22} {:<11} {:>6} {:>12} {:>12} {:>8}\n", "world", "algorithm",
               "moves", "updates/s", "peer's", "ratio");
  }
  ProgressLine progress(console);
  for (const Case& c : cases) {
    const std::string name = std::string(c.world) + (c.long_options ? ", long" : "");
    std::vector<double> ours, theirs, ratios;
    double moves = 0;
    for (int round = 0; round < options.rounds; ++round) {
      progress.show(fmt::format("{} {} round {}", name, c.algorithm, round + 1));
      const Speed vic = measure_vic(c, options.updates, options.common.assignments());
      ours.push_back(vic.updates_per_second);
      moves = vic.moves;
      if (!options.peer) continue;
      // a slow peer needs fewer updates for a median
      const Speed peer = measure_peer(c, std::max(20, options.updates / 5), options.gather);
      theirs.push_back(peer.updates_per_second);
      ratios.push_back(ours.back() / theirs.back());
    }
    Json row = {{"world", name},
                {"algorithm", c.algorithm},
                {"moves", moves},
                {"updates_per_second", median(ours)},
                {"peer_updates_per_second", options.peer ? Json(median(theirs)) : Json(nullptr)},
                {"ratio", options.peer ? Json(median(ratios)) : Json(nullptr)}};
    if (options.common.json) {
      list.push_back(row);
    } else {
      progress.show("");
      fmt::print(console.out, "{:<22} {:<11} {:>6.1f} {:>12.1f} {:>12} {:>8}\n", name, c.algorithm,
                 moves, median(ours), options.peer ? fmt::format("{:.1f}", median(theirs)) : "-",
                 options.peer ? fmt::format("{:.1f}", median(ratios)) : "-");
      console.out << std::flush;
    }
  }
  progress.show("time to 99 % of H_max");
  const Json until = until_json(options);
  const Json physics = measure_physics(options, progress);
  const Json physics_updates = physics_update_speed(3 * options.rounds, progress);
  progress.show("");
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  if (options.common.json) {
    const Json all = {{"speed", list},
                      {"until", until},
                      {"physics", physics},
                      {"physics_updates", physics_updates},
                      {"peak_MB", usage.ru_maxrss / 1000}};
    fmt::print(console.out, "{}\n", all.dump(2));
    return;
  }
  fmt::print(console.out, "\n{} on {} comes to 99 % of H_max in {:.2f} s", until_algorithm,
             until_world, until.at("seconds_to_99_percent").get<double>());
  if (options.peer) {
    const Json& peer = until.at("peer_seconds_to_99_percent");
    fmt::print(console.out, ", the peer in {}",
               peer.is_null() ? "more" : fmt::format("{:.1f} s", peer.get<double>()));
  }
  fmt::print(console.out, "; resident memory at most {} MB\n\n", usage.ru_maxrss / 1000);
  print_physics_speed(physics, console);
  print_physics_update_speed(physics_updates, console);
}

}  // namespace

Action declare_bench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  app.add_flag("--scaling", options->scaling,
               "time and memory as T_max, hidden size and batch double, and nothing else");
  app.add_option("--run", options->run, "how fast a trained run goes on, and nothing else")
      ->type_name("RUN");
  app.add_flag("--threads", options->threads, "what a second thread buys, and nothing else");
  app.add_flag("--physics", options->physics, "the simulation beside mj_step, and nothing else");
  app.add_flag("--peer", options->peer, "measure the PyTorch program too; ./vic installs it");
  app.add_flag("--gather", options->gather,
               "let that program run its heads on the steps that were taken only, not on padding");
  app.add_option("--updates", options->updates, "updates a measurement")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--rounds", options->rounds, "measurements of a case; the median counts")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  options->common.add_to(app);
  return [options](const Console& console) {
    if (options->scaling) return print_scaling(console);
    if (options->threads) return print_threads(console);
    if (!options->run.empty()) return bench_run(*options, console);
    if (options->physics) return bench_physics(*options, console);
    run_bench(*options, console);
  };
}

}  // namespace vic
