// The public algorithms (vic/vic.h) as rows of the table of algorithms.
#include <fmt/format.h>
#include <vic/vic.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "base/text.h"
#include "method/algorithm.h"
#include "method/scores.h"

namespace vic::v1 {
namespace {

// rewards every option by a user's function
class OwnReward : public Objective {
 public:
  OwnReward(std::string name, Reward reward) : name_(std::move(name)), reward_(std::move(reward)) {}

  void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs) const override {
    query_models(scores, agent, inputs);
    const Batch& batch = inputs.batch;
    const Histories& histories = batch.histories;
    std::vector<int> states, actions;
    for (int r = 0; r < histories.rows(); ++r) {
      if (batch.ended[r] == 0) continue;
      // a row is the whole history: follow it back to the start
      states.clear();
      actions.clear();
      for (int row = r; row >= 0; row = histories.parent[row]) {
        states.push_back(histories.state[row]);
        if (histories.parent[row] >= 0) actions.push_back(histories.action[row]);
      }
      std::ranges::reverse(states);
      std::ranges::reverse(actions);
      const double p = inputs.recent.weight.empty() ? 0 : inputs.recent.p(0, batch.cell[r]);
      scores.reward[r] = reward_({.states = states, .actions = actions, .p_final = p});
      if (!std::isfinite(scores.reward[r])) {
        throw Error(fmt::format("The reward of {} is {} at update {}; it must be a finite number.",
                                name_, scores.reward[r], inputs.update + 1));
      }
    }
  }

 private:
  std::string name_;
  Reward reward_;
};

// rows of the table refer to these for the lifetime of the process
struct OwnAlgorithm {
  std::string name, help;
  OwnReward objective;
};

}  // namespace

void add_algorithm(const std::string& name, const std::string& help, Reward reward) {
  static std::deque<OwnAlgorithm> own;
  if (name.empty() || file_name(name) != name) {
    fail_usage("'{}' cannot be the name of an algorithm; use letters, digits, '-', '_' and '.'.",
               shown(name));
  }
  const OwnAlgorithm& kept =
      own.emplace_back(OwnAlgorithm{name, help, OwnReward(name, std::move(reward))});
  register_algorithm({.name = kept.name,
                      .help = kept.help,
                      .models = no_models,
                      .objective = &kept.objective,
                      .lambda = LambdaRule::none,
                      .settings = {"count_decay"},
                      .needs_table = true});
}

}  // namespace vic::v1
