#include "method/fine_tuning.h"

#include <algorithm>

#include "base/error.h"

namespace vic {
namespace {

// The running share of options that reached each goal, which begins at that of its first batch.
class Baselines {
 public:
  explicit Baselines(std::span<const TrainingGoal> goals) {
    for (const TrainingGoal& goal : goals) {
      const auto number = static_cast<std::size_t>(goal.beginning.goal);
      if (of_.size() <= number) of_.resize(number + 1);
      of_[number].cell = goal.cell;
    }
  }

  // of an option that ends in a row
  double advantage(const Batch& batch, int row) {
    const Goal& goal = goal_of(batch, row);
    return (batch.cell[row] == goal.cell ? 1 : 0) - goal.b;
  }

  // counts a batch; goals that are new begin at their share in it
  void count(const Batch& batch) {
    for (Goal& goal : of_) goal.sent = goal.reached = 0;
    for (int r = 0; r < batch.histories.rows(); ++r) {
      Goal& goal = goal_of(batch, r);
      goal.sent += batch.count(r);
      if (batch.cell[r] == goal.cell) goal.reached += batch.count(r);
    }
    for (Goal& goal : of_) {
      if (goal.b < 0 && goal.sent > 0) goal.b = goal.share();
    }
  }

  // moves the baselines towards the batch that was counted
  void follow() {
    constexpr double rate = 0.05;
    for (Goal& goal : of_) {
      if (goal.sent > 0) goal.b += rate * (goal.share() - goal.b);
    }
  }

 private:
  struct Goal {
    int cell = 0;
    double b = -1;                 // below 0: no option yet
    double sent = 0, reached = 0;  // in the last batch
    double share() const { return reached / sent; }
  };
  Goal& goal_of(const Batch& batch, int row) { return of_[batch.goal[batch.histories.root[row]]]; }

  std::vector<Goal> of_;  // by Beginning::goal
};

}  // namespace

void fine_tune(Learner& learner, Sampler& sampler, std::span<const TrainingGoal> goals,
               const FineTuning& settings, const std::function<void(int update)>& progress) {
  const Agent& agent = learner.agent();
  const std::optional<Actor> actor = goal_policy_of(agent);
  if (!actor) throw Error(fmt::format("{} has no goal policy.", agent.algorithm->name));
  const auto place =
      std::ranges::find_if(
          agent.models, [&](const AgentModel& model) { return &model.model == &actor->learns(); }) -
      agent.models.begin();
  Optimizer<float>& optimizer = learner.state().optimizers[place];

  std::vector<Beginning> beginnings(settings.batch);
  Batch batch;
  ActorWorkspace work;
  Decisions decisions;
  Baselines baselines(goals);
  std::vector<double> advantage;
  for (int u = 0; u < settings.updates; ++u) {
    const RolloutAddress address{static_cast<std::uint64_t>(settings.seed),
                                 static_cast<std::uint32_t>(u)};
    draw_beginnings(beginnings, address, extra_step::goal,
                    [&](double x) { return pick_uniformly(goals, x).beginning; });
    std::ranges::sort(beginnings);
    sampler.sample(batch, *actor, work, beginnings, address);
    baselines.count(batch);
    advantage.resize(batch.histories.rows());
    for (int r = 0; r < batch.histories.rows(); ++r) advantage[r] = baselines.advantage(batch, r);
    decisions.read(batch, agent.encoding);
    decisions.set_advantages(batch, advantage);
    actor->add_gradient(optimizer.gradient, work, batch, decisions);
    const double left = 1 - static_cast<double>(u) / settings.updates;
    optimizer.step(learner.agent().models[place].model.net(),
                   {.learning_rate = settings.learning_rate * (0.1 + 0.9 * left)}, u);
    baselines.follow();
    if (progress) progress(u);
  }
}

}  // namespace vic
