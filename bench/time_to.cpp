#include "bench/time_to.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/process.h"
#include "oracle/truth.h"
#include "run/run_folder.h"
#include "world/registry.h"

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

TimeTo train_to(Run& run, const KnownWorld& known, const TimeToCase& c, double target, Stop stop) {
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
    const Control now =
        measure(known.tree->unrolled, tabulate(run.learner->agent(), *known.tree).policy);
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

KnownWorld::KnownWorld(const std::string& name, const BenchPlan& plan)
    : world([&] {
        Overrides overrides(plan.assignments);
        return load_world(name, overrides);
      }()),
      tree(enumerate_tree(world, 1000000)) {
  const Truth truth = find_truth(world, {.stop = plan.stop});
  if (!tree || !truth.D_max) throw Error(fmt::format("{} is too large to be enumerated.", name));
  H_max = truth.H_max.value;
  D_max = truth.D_max->value;
}

std::vector<TimeTo> measure_time_to(const TimeToCase& c, const KnownWorld& known, double share,
                                    const BenchPlan& plan, const Progress& progress) {
  std::vector<TimeTo> seeds;
  const double target = share * (c.lambda > 0 ? known.H_max : known.D_max);
  for (int seed = 1; seed <= plan.rounds; ++seed) {
    progress(fmt::format("{} {} seed {}", c.world, c.algorithm, seed));
    Run run = run_of(c, seed, plan);
    seeds.push_back(train_to(run, known, c, target, plan.stop));
  }
  return seeds;
}

}  // namespace vic
