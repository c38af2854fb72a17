#include "bench/time_to.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/process.h"
#include "eval/policy_table.h"
#include "oracle/truth.h"
#include "run/run_folder.h"

namespace vic {
namespace {

Run run_of(const TimeToCase& c, int seed, const BenchPlan& plan) {
  std::vector<Assignment> list = plan.assignments;
  const auto set = [&](const char* key, const std::string& value) {
    list.push_back({key, value, "bench"});
  };
  set("run.world", c.world);
  set("train.algorithm", c.algorithm);
  set("train.seed", fmt::format("{}", seed));
  if (find_algorithm(c.algorithm).reads("lambda")) set("train.lambda", fmt::format("{}", c.lambda));
  return make_run(Overrides(list));
}

// the largest D or H of a world
double largest(const TimeToCase& c, const TabularWorld& world, Stop stop) {
  const Truth truth = find_truth(world, {.stop = stop});
  if (c.lambda > 0) return truth.H_max.value;
  if (!truth.D_max) throw Error(fmt::format("D_max of {} is not known.", c.world));
  return truth.D_max->value;
}

TimeTo train_to(Run& run, const HistoryTree& tree, const TimeToCase& c, double target, Stop stop) {
  const long all = run.learner->settings().all_updates();
  TimeTo out;
  double seconds = 0;
  while (out.updates < all) {
    stop.check();
    // often enough for two digits
    const long block = std::clamp<long>(out.updates / 50, 5, all - out.updates);
    const Stopwatch watch;
    for (long k = 0; k < block; ++k) run.learner->update();
    seconds += watch.processor_seconds();
    out.updates += block;
    if (out.updates <= run.learner->settings().warm_up) continue;
    const Control now = measure(tree.unrolled, tabulate(run.learner->agent(), tree).policy);
    out.share = (c.lambda > 0 ? now.H : now.D) / target;
    if (out.share >= 1) {
      out.seconds = seconds;
      break;
    }
  }
  return out;
}

}  // namespace

const std::vector<TimeToCase>& time_to_cases() {
  static const std::vector<TimeToCase> cases = [] {
    std::vector<TimeToCase> list;
    for (const char* world : {"line-noisy", "grid-noisy", "tree-noisy"}) {
      for (const char* algorithm : {"implicit", "belief"}) list.push_back({world, algorithm, 0});
      for (const char* algorithm : {"transition", "mixture", "marginal", "belief"}) {
        list.push_back({world, algorithm, 1});
      }
    }
    return list;
  }();
  return cases;
}

std::vector<TimeTo> measure_time_to(const TimeToCase& c, double share, const BenchPlan& plan,
                                    const Progress& progress) {
  std::vector<TimeTo> seeds;
  std::optional<HistoryTree> tree;
  double target = 0;
  for (int seed = 1; seed <= plan.rounds; ++seed) {
    progress(fmt::format("{} {} seed {}", c.world, c.algorithm, seed));
    Run run = run_of(c, seed, plan);
    if (!tree) {
      tree = enumerate_tree(run.table(), 1000000);
      target = share * largest(c, run.table(), plan.stop);
    }
    seeds.push_back(train_to(run, *tree, c, target, plan.stop));
  }
  return seeds;
}

}  // namespace vic
