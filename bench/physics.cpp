// The rows of vic bench about simulation: the same options, stepped in turn as a learner steps
// them, and one after the other in a loop that does nothing but set the controls and call mj_step;
// and an update of implicit VIC beside the steps that it takes.
#include "bench/physics.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/print.h"
#include "base/process.h"
#include "bench/parts.h"
#include "run/run_folder.h"
#include "sim/mujoco/mujoco_world.h"
#include "sim/survey.h"

namespace vic {
namespace {

constexpr int B = 128;  // as many options as an update has

struct Measure {
  double wall = 0, processor = 0;  // seconds
  std::vector<double> end;         // (B, n) final states
};

// the options one after the other; a free thread takes the next
Measure bare(const MujocoModel& model, const std::vector<int>& levels, int threads) {
  std::vector<MujocoData> data;
  for (int i = 0; i < threads; ++i) data.push_back(make_data(model));
  Measure measure;
  const Stopwatch watch;
  measure.end = run_bare_loop(model, data, levels, B);
  measure.wall = watch.seconds();
  measure.processor = watch.processor_seconds();
  return measure;
}

// all options together, action by action
Measure together(const Simulator& world, std::span<const int> levels, int threads) {
  const auto episodes = world.make_episodes(B, threads);
  Measure measure;
  const Stopwatch watch;
  const std::size_t step = static_cast<std::size_t>(B) * world.spec().F();
  for (int t = 0; t < world.spec().T; ++t) episodes->step(levels.subspan(t * step, step));
  measure.wall = watch.seconds();
  measure.processor = watch.processor_seconds();
  for (int b = 0; b < B; ++b) {
    const auto state = episodes->state(b);
    measure.end.insert(measure.end.end(), state.begin(), state.end());
  }
  return measure;
}

}  // namespace

Json physics_speed(int rounds, const Progress& progress) {
  Overrides none;
  const auto world = load_mujoco_world("half-cheetah", none);
  // the bare loop steps the model as it was written
  MujocoModel plain = world->model();
  plain.model = plain.plain;
  const int T = world->spec().T, F = world->spec().F();
  std::vector<int> levels(static_cast<std::size_t>(T) * B * F);
  for (int t = 0; t < T; ++t) {
    for (int b = 0; b < B; ++b) {
      random_levels(*world, 1, b, t, std::span(levels).subspan((t * B + b) * F, F));
    }
  }
  Json rows = Json::array();
  for (int threads : {1, 2}) {
    std::vector<double> ours, theirs, wall, processor;
    for (int round = 0; round < rounds; ++round) {
      progress(fmt::format("half-cheetah {} thread(s) round {}", threads, round + 1));
      const Measure bare_loop = bare(plain, levels, threads);
      const Measure batch = together(*world, levels, threads);
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
  for (int threads : {1, 2}) {
    const Run run = make_run(Overrides({{"run.world", "half-cheetah", "bench"},
                                        {"train.algorithm", "implicit", "bench"},
                                        {"train.warm_up", "0", "bench"},
                                        {"train.threads", std::to_string(threads), "bench"}}));
    Learner& learner = *run.learner;
    const Simulator& world = *simulator_in(run.world);
    learner.update();
    std::vector<double> seconds, physics, ratio;
    for (int round = 0; round < rounds; ++round) {
      progress(fmt::format("half-cheetah update {} thread(s) round {}", threads, round + 1));
      const Stopwatch watch;
      learner.update();
      seconds.push_back(watch.seconds());
      // the same actions once more, and nothing else
      physics.push_back(together(world, learner.batch().codes->levels, threads).wall);
      ratio.push_back(seconds.back() / physics.back());
    }
    rows.push_back({{"world", world.spec().name},
                    {"algorithm", "implicit"},
                    {"threads", threads},
                    {"update_seconds", median(seconds)},
                    {"physics_seconds", median(physics)},
                    {"ratio", median(ratio)}});
  }
  return rows;
}

void print_physics_update_speed(const Json& rows, std::ostream& out) {
  print(out, "\n{:<22} {:>7} {:>12} {:>14} {:>8}\n", "update", "threads", "seconds",
        "physics alone", "ratio");
  for (const auto& row : rows) {
    print(out, "{:<22} {:>7} {:>12.3f} {:>14.3f} {:>8.3f}\n",
          row["world"].get<std::string>() + " implicit", row["threads"].get<int>(),
          row["update_seconds"].get<double>(), row["physics_seconds"].get<double>(),
          row["ratio"].get<double>());
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
