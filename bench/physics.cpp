// The rows of vic bench about simulation: the same options, stepped in shards as a learner steps
// them, and one after the other in a loop that only sets the controls and calls mj_step; and
// updates compared with the steps that they take.
#include "bench/physics.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "base/print.h"
#include "base/process.h"
#include "bench/parts.h"
#include "bench/stepping.h"
#include "run/run_folder.h"
#include "sim/mujoco/mujoco_world.h"

namespace vic {
namespace {

constexpr int B = 128;  // the options of an update

// the options one after the other; a free thread takes the next
Stepping bare(const MujocoModel& model, const Levels& levels, int threads) {
  std::vector<MujocoData> data;
  for (int i = 0; i < threads; ++i) data.push_back(make_data(model));
  Stepping stepping;
  const Stopwatch watch;
  stepping.end = run_bare_loop(model, data, levels, B);
  stepping.wall = watch.seconds();
  stepping.processor = watch.processor_seconds();
  return stepping;
}

// an update of a learner, and its steps alone
struct SimulatedCase {
  const char* name;
  const char* algorithm;
  const char* critic;
};
constexpr SimulatedCase simulated_cases[] = {{"marginal", "marginal", "none"},
                                             {"marginal, critic", "marginal", "belief"},
                                             {"implicit", "implicit", "none"},
                                             {"belief", "belief", "belief"}};

Run run_of(const SimulatedCase& c, int threads) {
  return make_run(Overrides({{"run.world", "half-cheetah", "bench"},
                             {"train.algorithm", c.algorithm, "bench"},
                             {"train.critic", c.critic, "bench"},
                             {"train.batch", std::to_string(B), "bench"},
                             {"train.warm_up", "0", "bench"},
                             {"train.threads", std::to_string(threads), "bench"}}));
}

struct SimulatedMeasure {
  std::vector<double> wall, processor;                  // seconds of an update
  std::vector<double> physics_wall, physics_processor;  // of its steps
  std::vector<double> ratio, wall_ratio;                // of processor seconds, of wall time
};

void measure_update(SimulatedMeasure& measure, const Run& run, int threads) {
  Learner& learner = *run.learner;
  const Stopwatch watch;
  learner.update();
  measure.wall.push_back(watch.seconds());
  measure.processor.push_back(watch.processor_seconds());
  // the steps alone: the same actions again
  std::vector<Levels> levels;
  for (const Shard& shard : learner.shards()) levels.push_back(shard.batch.codes->levels);
  const Stepping physics = step_shards(*simulator_in(run.world), levels, threads);
  measure.physics_wall.push_back(physics.wall);
  measure.physics_processor.push_back(physics.processor);
  measure.ratio.push_back(measure.processor.back() / physics.processor);
  measure.wall_ratio.push_back(measure.wall.back() / physics.wall);
}

}  // namespace

Json physics_speed(int rounds, const Progress& progress) {
  Overrides none;
  const auto world = load_mujoco_world("half-cheetah", none);
  // the bare loop steps the unmodified model
  MujocoModel plain = world->model();
  plain.model = plain.plain;
  const int T = world->spec().T;
  const Levels levels = draw_levels(*world, B);
  const std::vector<Levels> shards = cut_levels(*world, levels);
  Json rows = Json::array();
  for (int threads : {1, 2}) {
    std::vector<double> ours, theirs, wall, processor;
    for (int round = 0; round < rounds; ++round) {
      progress(fmt::format("half-cheetah {} thread(s) round {}", threads, round + 1));
      const Stepping bare_loop = bare(plain, levels, threads);
      const Stepping batch = step_shards(*world, shards, threads);
      if (batch.end != bare_loop.end) {
        throw Error("The episodes and the bare loop of mj_step end in different states.");
      }
      ours.push_back(B * T / batch.wall);
      theirs.push_back(B * T / bare_loop.wall);
      wall.push_back(bare_loop.wall / batch.wall);
      processor.push_back(bare_loop.processor / batch.processor);
    }
    rows.push_back({{"world", world->spec().name},
                    {"threads", threads},
                    {"actions_per_second", median(ours)},
                    {"bare_actions_per_second", median(theirs)},
                    {"ratio", median(wall)},
                    {"ratio_processor", median(processor)}});
  }
  return rows;
}

Json physics_update_speed(int rounds, const Progress& progress) {
  Json rows = Json::array();
  for (const SimulatedCase& c : simulated_cases) {
    const std::array runs = {run_of(c, 1), run_of(c, 2)};
    std::array<SimulatedMeasure, 2> measures;
    std::vector<double> gain, work;  // the second thread's gain in wall time, and its extra work
    for (const Run& run : runs) run.learner->update();
    for (int round = 0; round < rounds; ++round) {
      progress(fmt::format("half-cheetah update, {}, round {}", c.name, round + 1));
      for (std::size_t k = 0; k < runs.size(); ++k) {
        measure_update(measures[k], runs[k], static_cast<int>(k) + 1);
      }
      gain.push_back(measures[0].wall.back() / measures[1].wall.back());
      work.push_back(measures[1].processor.back() / measures[0].processor.back());
    }
    for (std::size_t k = 0; k < runs.size(); ++k) {
      const SimulatedMeasure& m = measures[k];
      Json row = {{"world", "half-cheetah"},
                  {"algorithm", c.name},
                  {"threads", k + 1},
                  {"update_seconds", median(m.wall)},
                  {"physics_seconds", median(m.physics_wall)},
                  {"wall_ratio", median(m.wall_ratio)},
                  {"update_processor_seconds", median(m.processor)},
                  {"physics_processor_seconds", median(m.physics_processor)},
                  {"ratio", median(m.ratio)}};
      if (k == 1) {
        row["gain"] = median(gain);
        row["work"] = median(work);
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

void print_physics_update_speed(const Json& rows, std::ostream& out) {
  print(out, "\n{:<30} {:>7} {:>10} {:>10} {:>7} {:>11} {:>10} {:>7} {:>6} {:>6}\n", "update",
        "threads", "seconds", "physics", "ratio", "processor s", "physics", "ratio", "gain",
        "work");
  for (const auto& row : rows) {
    const auto number = [&](const char* name) { return row[name].get<double>(); };
    print(out,
          "{:<30} {:>7} {:>10.3f} {:>10.3f} {:>7.3f} {:>11.3f} {:>10.3f} {:>7.3f} {:>6} {:>6}\n",
          row["world"].get<std::string>() + " " + row["algorithm"].get<std::string>(),
          row["threads"].get<int>(), number("update_seconds"), number("physics_seconds"),
          number("wall_ratio"), number("update_processor_seconds"),
          number("physics_processor_seconds"), number("ratio"),
          row.contains("gain") ? fmt::format("{:.2f}", number("gain")) : "",
          row.contains("work") ? fmt::format("{:.2f}", number("work")) : "");
  }
}

void print_physics_speed(const Json& rows, std::ostream& out) {
  print(out, "{:<22} {:>7} {:>12} {:>14} {:>8} {:>16}\n", "world", "threads", "actions/s",
        "bare mj_step's", "ratio", "processor ratio");
  for (const auto& row : rows) {
    print(out, "{:<22} {:>7} {:>12.0f} {:>14.0f} {:>8.3f} {:>16.3f}\n",
          row["world"].get<std::string>(), row["threads"].get<int>(),
          row["actions_per_second"].get<double>(), row["bare_actions_per_second"].get<double>(),
          row["ratio"].get<double>(), row["ratio_processor"].get<double>());
  }
}

}  // namespace vic
