// vic bench: the speed of the program, as ratios to other ways of doing the same work.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/json.h"
#include "base/print.h"
#include "base/process.h"
#include "bench/against.h"
#include "bench/envpool.h"
#include "bench/floor.h"
#include "bench/physics.h"
#include "bench/ranks.h"
#include "bench/scaling.h"
#include "bench/script.h"
#include "bench/threads.h"
#include "bench/time_to.h"
#include "bench/updates.h"
#include "cli/command.h"
#include "cli/text.h"
#include "run/run_folder.h"

namespace vic {
namespace {

struct BenchOptions {
  std::string run;      // a folder: measure only that run
  std::string against;  // another build of the program: measure only the time that users wait
  std::string envpool;  // a Python with EnvPool: measure only the simulation, compared with it
  bool scaling = false, threads = false, physics = false, floor = false, ranks = false;
  double to = 0;  // a share of the optimum: measure only the time to reach it
  BenchPlan plan;

  // a batch of options takes little time: more rounds than learners need
  int physics_rounds() const { return 3 * plan.rounds; }
};

// shows what is being measured; throws Interrupted if the user wants to stop
Progress show_on(ProgressLine& line, Stop stop) {
  return [&line, stop](const std::string& text) {
    stop.check();
    if (line.due()) line.show(text);
  };
}

// the speed at which a trained run goes on; its folder stays as it is
void bench_run(const BenchOptions& options, const Console& console) {
  const Run run = load_trained_run(options.run, warning_to(console));
  const Speed speed = measure_learner(*run.learner, options.plan.updates, console.stop);
  const std::string& algorithm = run.learner->settings().algorithm;
  const auto json = [&] {
    return Json{{"world", world_name(run.world)},
                {"algorithm", algorithm},
                {"moves", speed.moves},
                {"updates_per_second", speed.updates_per_second}};
  };
  console.show(json, [&] {
    print(console.out, "{}, {}: options of {:.1f} moves, {:.1f} updates per second\n",
          world_name(run.world), algorithm, speed.moves, speed.updates_per_second);
  });
}

// the simulation compared with a bare loop, and an update compared with the simulation
Json physics_json(const BenchOptions& options, ProgressLine& line) {
  const Progress show = show_on(line, options.plan.stop);
  Json json = {{"physics", physics_speed(options.physics_rounds(), show)}};
  json["physics_updates"] = physics_update_speed(options.physics_rounds(), show);
  line.show("");
  return json;
}

void print_physics(const Json& json, std::ostream& out) {
  print_physics_speed(json["physics"], out);
  print_physics_update_speed(json["physics_updates"], out);
}

void bench_physics(const BenchOptions& options, const Console& console) {
  ProgressLine line(console);
  const Json json = physics_json(options, line);
  console.show([&] { return json; }, [&] { print_physics(json, console.out); });
}

// the simulation, compared with EnvPool's
void bench_envpool(const BenchOptions& options, const Console& console) {
  require_python(options.envpool, "envpool");
  ProgressLine line(console);
  Json rows = Json::array();
  console.note(envpool_head());
  for (const EnvpoolCase& c : envpool_cases()) {
    rows.push_back(
        measure_envpool(c, options.envpool, options.plan.rounds, show_on(line, options.plan.stop)));
    line.show("");
    console.note(envpool_lines(rows.back()));
    console.out << std::flush;
  }
  console.show([&] { return Json{{"envpool", rows}}; }, [] {});
}

// measures all cases; in text output each row appears as soon as it is known
Json bench_updates(const BenchPlan& plan, ProgressLine& line, const Console& console) {
  Json list = Json::array();
  const auto note = [&](const auto&... cells) {
    console.note(fmt::format("{:<22} {:<11} {:>6} {:>12} {:>12} {:>8}", cells...));
  };
  note("world", "algorithm", "moves", "updates/s", "peer's", "ratio");
  for (const UpdateCase& c : update_cases()) {
    const UpdateRow row = measure_updates(c, plan, show_on(line, plan.stop));
    list.push_back({{"world", c.name()},
                    {"algorithm", c.algorithm},
                    {"moves", row.speed.moves},
                    {"updates_per_second", row.speed.updates_per_second},
                    {"peer_updates_per_second", maybe(row.peer_updates_per_second)},
                    {"ratio", maybe(row.ratio)}});
    line.show("");
    note(c.name(), c.algorithm, number_text(row.speed.moves, 1),
         number_text(row.speed.updates_per_second, 1), number_text(row.peer_updates_per_second, 1),
         number_text(row.ratio, 1));
    console.out << std::flush;
  }
  return list;
}

void bench_all(const BenchOptions& options, const Console& console) {
  ProgressLine line(console);
  const Json updates = bench_updates(options.plan, line, console);
  const OptimumCase c;
  show_on(line, console.stop)("time to 99 % of H_max");
  const OptimumTime time = measure_optimum(c, options.plan);
  const Json physics = physics_json(options, line);
  const auto json = [&] {
    Json all = {{"speed", updates},
                {"until",
                 {{"world", c.world},
                  {"algorithm", c.algorithm},
                  {"seconds_to_99_percent", time.seconds},
                  {"peer_seconds_to_99_percent", maybe(time.peer_seconds)}}}};
    all.update(physics);
    all["peak_MB"] = static_cast<long>(peak_megabytes());
    return all;
  };
  console.show(json, [&] {
    print(console.out, "\n{} on {} reaches 99 % of H_max in {:.2f} s", c.algorithm, c.world,
          time.seconds);
    if (options.plan.peer.measured) {
      print(console.out, ", the peer in {}",
            time.peer_seconds ? number_text(time.peer_seconds, 1) + " s" : "more");
    }
    print(console.out, "; resident memory at most {:.0f} MB\n\n", peak_megabytes());
    print_physics(physics, console.out);
  });
}

// the time to a share of the optimum, case by case: the median of the seeds and the longest
void bench_time_to(const BenchOptions& options, const Console& console) {
  ProgressLine line(console);
  Json list = Json::array();
  const auto note = [&](const auto&... cells) {
    console.note(fmt::format("{:<11} {:<11} {:<8} {:>6} {:>8} {:>8} {:>8} {:>10}", cells...));
  };
  note("world", "algorithm", "measure", "seeds", "there", "seconds", "longest", "least");
  std::optional<KnownWorld> known;  // cases of a world follow each other
  std::string world;
  for (const TimeToCase& c : time_to_cases()) {
    if (world != c.world) known.emplace(world = c.world, options.plan);
    const std::vector<TimeTo> seeds =
        measure_time_to(c, *known, options.to, options.plan, show_on(line, options.plan.stop));
    std::vector<double> seconds;
    double least = 1;
    for (const TimeTo& seed : seeds) {
      if (seed.seconds) seconds.push_back(*seed.seconds);
      least = std::min(least, options.to * seed.share);
      list.push_back({{"world", c.world},
                      {"algorithm", c.algorithm},
                      {"lambda", c.lambda},
                      {"measure", c.measure()},
                      {"seconds", maybe(seed.seconds)},
                      {"updates", seed.updates},
                      {"share", options.to * seed.share}});
    }
    std::sort(seconds.begin(), seconds.end());
    const bool all = seconds.size() == seeds.size();
    line.show("");
    note(c.world, c.algorithm, c.measure(), seeds.size(), seconds.size(),
         all ? number_text(median(seconds), 2) : "-", all ? number_text(seconds.back(), 2) : "-",
         number_text(least, 4));
    console.out << std::flush;
  }
  console.show([&] { return Json{{"to", options.to}, {"runs", list}}; }, [] {});
}

// updates compared with the time of their matrix products alone
void bench_floor(const BenchOptions& options, const Console& console) {
  ProgressLine line(console);
  const double rate = product_rate(options.plan.stop);
  Json list = Json::array();
  const auto note = [&](const auto&... cells) {
    console.note(fmt::format("{:<16} {:<11} {:>6} {:>10} {:>14} {:>9}", cells...));
  };
  console.note(fmt::format("a large product: {:.1f} GFLOP/s", 1e-9 * rate));
  note("world", "algorithm", "moves", "ms/update", "MFLOP/update", "share");
  for (const UpdateCase& c : update_cases()) {
    const FloorRow row = measure_floor(c, rate, options.plan, show_on(line, options.plan.stop));
    list.push_back({{"world", c.name()},
                    {"algorithm", c.algorithm},
                    {"moves", row.moves},
                    {"milliseconds", row.milliseconds},
                    {"operations", row.operations},
                    {"share", row.share}});
    line.show("");
    note(c.name(), c.algorithm, number_text(row.moves, 1), number_text(row.milliseconds, 3),
         number_text(1e-6 * row.operations, 2), number_text(100 * row.share, 1) + " %");
    console.out << std::flush;
  }
  console.show([&] { return Json{{"operations_per_second", rate}, {"updates", list}}; }, [] {});
}

// commands of this program and of another one, alternately
void bench_against(const BenchOptions& options, const Console& console) {
  require_program(options.against);
  const std::string own = std::filesystem::read_symlink("/proc/self/exe").string();
  ProgressLine line(console);
  Json list = Json::array();
  const auto note = [&](const auto&... cells) {
    console.note(fmt::format("{:<28} {:>9} {:>9} {:>7} {:>9} {:>9} {:>7}", cells...));
  };
  note("", "processor", "other's", "ratio", "wall", "other's", "ratio");
  const auto json_of = [](const ProgramTime& time) {
    return Json{{"processor", time.processor}, {"wall", time.wall}};
  };
  for (const AgainstCase& c : against_cases()) {
    const AgainstRow row = measure_against(c, own, options.against, options.plan.rounds,
                                           show_on(line, options.plan.stop));
    list.push_back({{"answer", c.answer},
                    {"seconds", json_of(row.ours)},
                    {"other_seconds", json_of(row.theirs)},
                    {"ratio", json_of(row.ratio)}});
    line.show("");
    note(c.answer, number_text(row.ours.processor, 2), number_text(row.theirs.processor, 2),
         number_text(row.ratio.processor, 2), number_text(row.ours.wall, 2),
         number_text(row.theirs.wall, 2), number_text(row.ratio.wall, 2));
    console.out << std::flush;
  }
  console.show([&] { return Json{{"against", options.against}, {"answers", list}}; }, [] {});
}

void run_bench(BenchOptions options, const UserSettings& given, const Console& console) {
  options.plan.stop = console.stop;
  if (options.scaling) return print_scaling(console.out, console.stop);
  if (options.threads) return print_threads(console.out, console.stop);
  if (options.ranks) return print_ranks(console.out, console.stop);
  if (!options.run.empty()) return bench_run(options, console);
  if (options.physics) return bench_physics(options, console);
  if (!options.envpool.empty()) return bench_envpool(options, console);
  if (options.floor) return bench_floor(options, console);
  if (!options.against.empty()) return bench_against(options, console);
  options.plan.assignments = given.assignments();
  if (options.to > 0) return bench_time_to(options, console);
  Peer& peer = options.plan.peer;
  if (!peer.jax.empty()) require_python(peer.jax, "jax");
  peer.measured = peer.measured || !peer.jax.empty();
  bench_all(options, console);
}

}  // namespace

Action declare_bench(Arguments& arguments) {
  auto options = std::make_shared<BenchOptions>();
  arguments.flag("--scaling", options->scaling,
                 "only time and memory as T_max, hidden size and batch double");
  arguments.option("--run RUN", options->run, "only the speed at which a trained run goes on");
  arguments.flag("--threads", options->threads, "only the gain of a second thread");
  arguments.flag("--ranks", options->ranks,
                 "only the messages of an update of half-cheetah, with mpirun");
  arguments.flag("--physics", options->physics, "only the simulation, compared with mj_step");
  arguments.option("--envpool PYTHON", options->envpool,
                   "only the simulation, compared with EnvPool's, by a Python that has envpool");
  arguments.option(
      "--to SHARE", options->to, Range{0.01, 0.9999},
      "only the time until D or H is this share of its largest value; --rounds is the number of "
      "seeds");
  arguments.flag(
      "--floor", options->floor,
      "only the share of an update that its matrix products would take at the speed of a "
      "large one");
  arguments.option("--against PROGRAM", options->against,
                   "only the time that users wait, compared with another build of vic");
  Peer& peer = options->plan.peer;
  arguments.flag("--peer", peer.measured, "measure the PyTorch program too; ./vic installs it");
  arguments.option("--jax PYTHON", peer.jax,
                   "measure the JAX program in its place, with a Python that has jax");
  arguments.flag(
      "--gather", peer.gathers,
      "let that program run its heads only on the steps that were taken, not on padding");
  arguments.option("--updates N", options->plan.updates, Range{1, 1000000},
                   "updates per measurement");
  arguments.option("--rounds N", options->plan.rounds, Range{1, 1000},
                   "measurements per case; the median counts");
  return action(options, run_bench);
}

}  // namespace vic
