#include "method/practice.h"

#include "method/decisions.h"

namespace vic {
namespace {

// How often each goal was reached lately. A goal begins with what its first options did.
class Baselines {
 public:
  explicit Baselines(std::span<const PracticeGoal> goals) {
    for (const PracticeGoal& goal : goals) {
      const auto told = static_cast<std::size_t>(goal.beginning.told);
      if (of_.size() <= told) of_.resize(told + 1);
      of_[told].cell = goal.cell;
    }
  }

  // what an option gains by ending in a row
  double gain(const Batch& batch, int row) {
    const Goal& goal = goal_of(batch, row);
    return (batch.cell[row] == goal.cell ? 1 : 0) - goal.b;
  }

  // counts a batch; its goals are known afterwards, those that are new by what they did in it
  void count(const Batch& batch) {
    for (Goal& goal : of_) goal.sent = goal.reached = 0;
    for (int r = 0; r < batch.histories.rows(); ++r) {
      Goal& goal = goal_of(batch, r);
      goal.sent += batch.ended[r];
      if (batch.cell[r] == goal.cell) goal.reached += batch.ended[r];
    }
    for (Goal& goal : of_) {
      if (goal.b < 0 && goal.sent > 0) goal.b = goal.share();
    }
  }

  // follows the batch that was counted
  void follow() {
    constexpr double rate = 0.05;
    for (Goal& goal : of_) {
      if (goal.sent > 0) goal.b += rate * (goal.share() - goal.b);
    }
  }

 private:
  struct Goal {
    int cell = 0;
    double b = -1;                 // below 0: not sent for yet
    double sent = 0, reached = 0;  // in the last batch
    double share() const { return reached / sent; }
  };
  Goal& goal_of(const Batch& batch, int row) { return of_[batch.told[batch.histories.root[row]]]; }

  std::vector<Goal> of_;  // by what is told
};

}  // namespace

void practise(const Actor& actor, Stage& stage, std::span<const PracticeGoal> goals,
              const PracticeSettings& settings, const std::function<void(int update)>& progress) {
  std::vector<Beginning> beginnings(settings.batch);
  Batch batch;
  HistoryInputs<float> inputs;
  Decisions decisions;
  Baselines baselines(goals);
  std::vector<float> log_p;
  std::vector<double> gain;
  for (int u = 0; u < settings.updates; ++u) {
    const RolloutAddress address{static_cast<std::uint64_t>(settings.seed),
                                 static_cast<std::uint32_t>(u)};
    draw_beginnings(beginnings, address, extra_step::goal,
                    [&](double x) { return pick_alike(goals, x).beginning; });
    stage.draw(batch, inputs, actor, beginnings, address, {});
    baselines.count(batch);
    gain.resize(batch.histories.rows());
    for (int r = 0; r < batch.histories.rows(); ++r) gain[r] = baselines.gain(batch, r);
    decisions.read(batch, stage.states.actions);
    decisions.weigh(batch, gain);
    const Asked asked{batch.histories, inputs.view(), batch.tree()};
    actor.kept_log_p(log_p, decisions.queries, decisions.outcomes, asked);
    actor.policy.add_gradient(decisions.queries, decisions.outcomes, decisions.scale, asked, {});
    const double left = 1 - static_cast<double>(u) / settings.updates;
    actor.policy.model().step({.learning_rate = settings.learning_rate * (0.1 + 0.9 * left)}, u);
    baselines.follow();
    if (progress) progress(u);
  }
}

}  // namespace vic
