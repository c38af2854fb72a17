#include "method/practice.h"

#include "method/decisions.h"

namespace vic {
namespace {

// How often each goal was reached lately. A goal begins with what its first options did.
class Baselines {
 public:
  explicit Baselines(int S) : b_(S, -1), sent_(S), reached_(S) {}

  double of(int goal) const { return b_[goal]; }

  // counts a batch; its goals are known afterwards, those that are new by what they did in it
  void count(const Batch& batch) {
    for (int goal : batch.told) sent_[goal] = reached_[goal] = 0;
    for (int r = 0; r < batch.histories.rows(); ++r) {
      const int goal = batch.told[batch.histories.root[r]];
      sent_[goal] += batch.ended[r];
      if (batch.histories.state[r] == goal) reached_[goal] += batch.ended[r];
    }
    for (int goal : batch.told) {
      if (b_[goal] < 0) b_[goal] = reached_[goal] / sent_[goal];
    }
  }

  // follows the batch that was counted
  void follow(const Batch& batch) {
    constexpr double rate = 0.05;
    for (int goal : batch.told) b_[goal] += rate * (reached_[goal] / sent_[goal] - b_[goal]);
  }

 private:
  std::vector<double> b_;               // (S) below 0: not sent for yet
  std::vector<double> sent_, reached_;  // (S) in the last batch
};

}  // namespace

void practise(Predictor& policy, const TabularWorld& world, const Encoding& encoding,
              std::span<const int> goals, const PracticeSettings& settings) {
  Rollout rollout(world, encoding);
  std::vector<Beginning> beginnings(settings.batch);
  Batch batch;
  HistoryInputs<float> inputs;
  Decisions decisions;
  Baselines baselines(world.S);
  std::vector<float> log_p;
  std::vector<double> gain;
  for (int u = 0; u < settings.updates; ++u) {
    const RolloutAddress address{static_cast<std::uint64_t>(settings.seed),
                                 static_cast<std::uint32_t>(u)};
    draw_beginnings(beginnings, address, extra_step::goal, [&](double x) {
      return Beginning{.state = world.s_0, .told = pick_alike(goals, x)};
    });
    rollout.draw(batch, inputs, policy, beginnings, address);
    baselines.count(batch);
    const Histories& tree = batch.histories;
    gain.resize(tree.rows());
    for (int r = 0; r < tree.rows(); ++r) {
      const int goal = batch.told[tree.root[r]];
      gain[r] = (tree.state[r] == goal ? 1 : 0) - baselines.of(goal);
    }
    decisions.read(batch, encoding.actions);
    decisions.weigh(batch, gain);
    policy.kept_log_p(log_p, decisions.outcomes);
    policy.add_gradient(decisions.queries, decisions.outcomes, decisions.scale,
                        {tree, inputs.view(), batch.tree()}, {});
    const double left = 1 - static_cast<double>(u) / settings.updates;
    policy.model().step({.learning_rate = settings.learning_rate * (0.1 + 0.9 * left)}, u);
    baselines.follow(batch);
  }
}

}  // namespace vic
