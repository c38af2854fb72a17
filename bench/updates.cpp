#include "bench/updates.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/process.h"
#include "bench/peer.h"
#include "eval/policy_table.h"
#include "nn/operations.h"
#include "oracle/truth.h"
#include "run/run_folder.h"
#include "world/registry.h"

namespace vic {
namespace {

// seconds of training until the policy has this H, by the exact measure
double seconds_until(const OptimumCase& c, double H_target, Stop stop) {
  const Run run = make_run(Overrides({{"run.world", c.world, "bench"},
                                      {"train.algorithm", c.algorithm, "bench"},
                                      {"train.warm_up", fmt::format("{}", c.warm_up), "bench"}}));
  const HistoryTree tree = *enumerate_tree(run.table(), 1000000);
  double seconds = 0;
  constexpr int block = 50;
  for (int updates = 0; updates < c.most_updates; updates += block) {
    stop.check();
    const Stopwatch watch;
    for (int k = 0; k < block; ++k) run.learner->update();
    seconds += watch.processor_seconds();
    const PolicyTable table = tabulate(run.learner->agent(), tree);
    if (measure(tree.unrolled, table.policy).H >= H_target) return seconds;
  }
  throw Error(
      fmt::format("The learner did not come to 99 % of H_max in {} updates.", c.most_updates));
}

}  // namespace

const std::vector<UpdateCase>& update_cases() {
  static const std::vector<UpdateCase> cases = [] {
    std::vector<UpdateCase> list;
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
  return cases;
}

Speed measure_case(const UpdateCase& c, const BenchPlan& plan) {
  std::vector<Assignment> list = plan.assignments;
  for (const auto& [key, value] : {std::pair{"run.world", c.world},
                                   {"train.algorithm", c.algorithm},
                                   {"train.warm_up", "20"},
                                   {"train.encoding", "onehot"},
                                   {"train.learning_rate", still_rate}}) {
    list.push_back({key, value, "bench"});
  }
  const Run run = make_run(Overrides(list));
  // termination rare, the move to the right frequent
  if (c.long_options) bias_policy(*run.learner, 6, 1);
  return measure_learner(*run.learner, plan.updates, plan.stop);
}

Speed measure_learner(Learner& learner, int updates, Stop stop) {
  for (int i = 0; i < 20; ++i) learner.update();
  // blocks long enough for the clock, and many enough for a median
  constexpr int block = 20;
  std::vector<double> seconds;
  double moves = 0;
  const std::uint64_t before = product_operations();
  for (int i = 0; i < std::max(1, updates / block); ++i) {
    stop.check();
    const Stopwatch watch;
    for (int k = 0; k < block; ++k) learner.update();
    seconds.push_back(watch.processor_seconds());
    moves += learner.metrics().length - 1;
  }
  const auto blocks = static_cast<double>(seconds.size());
  return {.updates_per_second = block / median(seconds),
          .moves = moves / blocks,
          .operations = static_cast<double>(product_operations() - before) / (block * blocks)};
}

UpdateRow measure_updates(const UpdateCase& c, const BenchPlan& plan, const Progress& progress) {
  std::vector<double> ours, theirs, ratios;
  UpdateRow row;
  for (int round = 0; round < plan.rounds; ++round) {
    progress(fmt::format("{} {} round {}", c.name(), c.algorithm, round + 1));
    const Speed vic = measure_case(c, plan);
    ours.push_back(vic.updates_per_second);
    row.speed.moves = vic.moves;
    if (!plan.peer.measured) continue;
    // a slow peer needs fewer updates for a median
    const Speed peer = measure_peer(c, std::max(20, plan.updates / 5), plan.peer);
    theirs.push_back(peer.updates_per_second);
    ratios.push_back(ours.back() / theirs.back());
  }
  row.speed.updates_per_second = median(ours);
  if (!plan.peer.measured) return row;
  row.peer_updates_per_second = median(theirs);
  row.ratio = median(ratios);
  return row;
}

OptimumTime measure_optimum(const OptimumCase& c, const BenchPlan& plan) {
  Overrides none;
  const TabularWorld world = load_world(c.world, none);
  const double H_max = find_truth(world, {.stop = plan.stop}).H_max.value;
  OptimumTime time{.seconds = seconds_until(c, 0.99 * H_max, plan.stop), .peer_seconds = {}};
  if (plan.peer.measured) time.peer_seconds = peer_seconds_to_optimum(c, H_max, plan.peer);
  return time;
}

}  // namespace vic
