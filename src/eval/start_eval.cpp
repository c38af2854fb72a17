#include "eval/start_eval.h"

#include "base/error.h"
#include "eval/policy_table.h"
#include "info/entropy.h"

namespace vic {
namespace {

void count_exactly(StartControl& control, Learner& learner, const TabularWorld& world,
                   const Histories& histories) {
  const Unrolled unrolled = *unroll_histories(world, histories.rows());
  const Control measured = measure(unrolled, tabulate(learner, unrolled, histories).policy);
  control.exact = true;
  control.H = measured.H;
  control.D = measured.D;
  control.N = measured.N;
}

void draw(StartControl& control, Learner& learner, const EvalSettings& settings, int options) {
  const TabularWorld& world = learner.world();
  Rollout rollout(world, learner.encoding());
  Batch batch;
  HistoryInputs<float> inputs;
  const std::vector<Beginning> beginnings(options, {.state = control.start});
  // far from the addresses of training and of other evaluations
  const std::uint64_t seed = (std::uint64_t{7} << 40) + static_cast<std::uint64_t>(settings.seed);
  rollout.draw(batch, inputs, learner.pi_p(), beginnings,
               {seed, static_cast<std::uint32_t>(control.start)});
  std::vector<long> counts(world.S, 0);
  for (int r = 0; r < batch.histories.rows(); ++r) {
    counts[batch.histories.state[r]] += batch.ended[r];
  }
  const EntropyEstimate estimate = estimate_entropy(counts);
  control.H = estimate.H;
  control.ci95 = estimate.ci95;
  if (world.deterministic()) {
    control.D = control.H;
    control.N = 0;
  }
}

}  // namespace

std::vector<StartControl> evaluate_starts(Learner& learner, const EvalSettings& settings,
                                          int options, const std::function<void(int)>& done) {
  if (learner.settings().starts != "all") {
    fail_usage(
        "The run knows one start only; for a map of all of them train with "
        "--set train.starts=all.");
  }
  std::vector<StartControl> list;
  for (int s = 0; s < learner.world().S; ++s) {
    if (learner.world().absorbing[s]) continue;
    StartControl control;
    control.start = s;
    const TabularWorld world = started_at(learner.world(), s);
    if (const auto histories = enumerate_histories(world, settings.histories)) {
      count_exactly(control, learner, world, *histories);
    } else {
      draw(control, learner, settings, options);
    }
    list.push_back(control);
    if (done) done(static_cast<int>(list.size()));
  }
  return list;
}

}  // namespace vic
