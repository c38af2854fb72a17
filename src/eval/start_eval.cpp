#include "eval/start_eval.h"

#include "base/error.h"
#include "eval/policy_table.h"
#include "info/entropy.h"

namespace vic {
namespace {

StartControl sample(int start, const Agent& agent, const EvalSettings& settings, int options) {
  const TabularWorld& world = agent.table();
  Batch batch;
  ActorWorkspace work;
  std::vector<Beginning> beginnings;
  const RolloutAddress address{stream_seed(Stream::start_map, settings.seed),
                               static_cast<std::uint32_t>(start)};
  agent.algorithm->objective->begin(beginnings, agent, options, address);
  for (Beginning& one : beginnings) one.state = start;
  make_sampler(agent)->sample(batch, policy_of(agent), work, beginnings, address);
  std::vector<long> counts(world.S, 0);
  for (int r = 0; r < batch.histories.rows(); ++r) {
    counts[batch.histories.state[r]] += batch.count(r);
  }
  const EntropyEstimate estimate = estimate_entropy(counts);
  StartControl control{.start = start, .H = estimate.H, .ci95 = estimate.ci95, .D = {}, .N = {}};
  if (world.deterministic()) {
    control.D = control.H;
    control.N = 0;
  }
  return control;
}

}  // namespace

std::vector<StartControl> evaluate_starts(const Agent& agent, const EvalSettings& settings,
                                          int options, const Step& step) {
  if (agent.settings.starts != Starts::all) {
    fail_usage(
        "The run was trained from one start only; for a map of all of them train with "
        "--set train.starts=all.");
  }
  std::vector<StartControl> list;
  for (int s = 0; s < agent.table().S; ++s) {
    if (agent.table().absorbing[s]) continue;
    const TabularWorld world = started_at(agent.table(), s);
    if (const auto tree = enumerate_tree(world, settings.histories)) {
      const Control exact = measure(tree->unrolled, tabulate(agent, *tree).policy);
      list.push_back({s, /*exact=*/true, exact.H, /*ci95=*/0, exact.D, exact.N});
    } else {
      list.push_back(sample(s, agent, settings, options));
    }
    if (step) step(static_cast<int>(list.size()), agent.table().S);
  }
  return list;
}

}  // namespace vic
