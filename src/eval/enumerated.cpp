#include "eval/enumerated.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "eval/simulator_eval.h"
#include "info/entropy.h"
#include "sim/enumeration.h"

namespace vic {
namespace {

// all sequences of actions, with their probability under the agent's policy and their ends
class Sequences {
 public:
  explicit Sequences(const Agent& agent)
      : agent_(agent),
        world_(*agent.simulator()),
        spec_(world_.spec()),
        N_(static_cast<long>(sequence_count(spec_))),
        control_(control_part(agent)),
        // one reward per sequence of actions needs an end that the actions determine
        has_control_(spec_.deterministic && agent.algorithm->policy_goal == GoalKind::none &&
                     goal_policy_of(agent).has_value()) {}

  void add_all(const Step& step) {
    constexpr long most = 1024;
    const int B = static_cast<int>(std::min(N_, most));
    const auto sampler = make_simulator_sampler(agent_);
    ends_ = final_cells_of_all(world_);
    for (long first = 0; first < N_; first += B) {
      step(static_cast<int>(first), static_cast<int>(N_));
      std::vector<double> script;
      for (int b = 0; b < B; ++b) {
        // the last batch is padded with its last sequence, which is not counted again
        const auto levels = sequence_levels(spec_, std::min(first + b, N_ - 1));
        script.insert(script.end(), levels.begin(), levels.end());
      }
      sampler->set_script(std::move(script));
      sampler->sample(batch_, policy_of(agent_), work_, std::vector<Beginning>(B), {});
      add(first, static_cast<int>(std::min<long>(B, N_ - first)));
    }
  }

  void finish(Evaluation& evaluation) const {
    std::vector<double> p;
    for (const auto& [cell, share] : cells_) p.push_back(share / total_);
    evaluation.exact = true;
    evaluation.ci95 = 0;
    evaluation.H = entropy(p);
    evaluation.N = noise_ / total_;
    evaluation.D = evaluation.H - *evaluation.N;
    if (agent_.encoding.blind) evaluation.I = evaluation.D;
    if (has_control_) evaluation.usable = UsableControl{usable_ / total_, 0};
  }

 private:
  // adds the first `count` options of a batch that begins with sequence `first`
  void add(long first, int count) {
    Decisions decisions;
    std::vector<float> log_p;
    decisions.read(batch_, agent_.encoding);
    agent_.pi_p().cached_log_p(log_p, work_.policy, decisions.targets);
    const std::vector<double>* control = nullptr;
    if (has_control_) control = &intrinsic_rewards(scores_, control_, batch_);
    // actions after a fall count as uniform: the sequences that fall alike share one option
    const double chance = -spec_.F() * std::log(spec_.L());
    std::vector<double> log_option(batch_.options, 0);
    std::vector<int> left(batch_.options, spec_.T);
    for (std::size_t d = 0; d < log_p.size(); ++d) {
      const int b = batch_.histories.root[batch_.decision_row[d]];
      log_option[b] += double(log_p[d]);
      --left[b];
    }
    const std::vector<int> ends = end_rows(batch_);
    for (int b = 0; b < count; ++b) {
      const double p = std::exp(log_option[b] + left[b] * chance);
      total_ += p;
      if (control != nullptr) usable_ += p * (*control)[ends[b]];
      std::vector<double> shares;
      for (const auto& [cell, share] : ends_[static_cast<std::size_t>(first + b)]) {
        cells_[cell] += p * share;
        shares.push_back(share);
      }
      noise_ += p * entropy(shares);
    }
  }

  const Agent& agent_;
  const Simulator& world_;
  const SimulatorSpec& spec_;
  long N_;
  Agent control_;
  bool has_control_;
  Batch batch_;
  ActorWorkspace work_;
  Scores scores_;
  std::vector<std::vector<CellShare>> ends_;  // (N)
  std::map<StateCell, double> cells_;
  double total_ = 0;  // sum of the probabilities: 1 up to rounding
  double noise_ = 0, usable_ = 0;
};

}  // namespace

void evaluate_all_options(Evaluation& evaluation, const Agent& agent, const EvalSettings& settings,
                          const Step& step) {
  const SimulatorSpec& spec = agent.simulator()->spec();
  if (history_count(spec) > settings.histories) return;
  if (!spec.deterministic && !agent.encoding.blind) return;
  if (agent.algorithm->policy_goal != GoalKind::none) return;
  // continuous actions cannot be enumerated
  if (agent.encoding.continuous > 0) return;
  Sequences sequences(agent);
  try {
    sequences.add_all(step);
  } catch (const UsageError&) {
    return;  // a stochastic world without outcomes in closed form
  }
  sequences.finish(evaluation);
}

}  // namespace vic
