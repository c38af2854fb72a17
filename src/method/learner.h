// THE METHOD. One update of an agent, whatever its algorithm:
//
//   rollout: sample options from pi_p
//   score:   log-probabilities of everything that happened, under pi_p, pi_q, rho_p, rho_q
//   reward:  r = sum_t [log pi_q - log pi_p] + lambda sum_t [log rho_q - log rho_p] + alpha r_E
//   learn:   pi_p by the policy gradient with r - b(s_0), the other models by maximum likelihood
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/process.h"
#include "method/metrics.h"
#include "method/shard.h"

namespace vic {

// All state that learning changes besides the weights. X is the number of starts, usually 1.
struct LearnerState {
  long update = 0;
  std::vector<double> baseline;              // (X) b(s_0)
  RunningFrequencies p_f;                    // over about a hundred batches: the paper's estimate
  RunningFrequencies recent;                 // over fewer: the estimate in rewards and critics
  RunningFrequencies by_skill;               // (skills, S) where the algorithm counts skills
  std::vector<Optimizer<float>> optimizers;  // (models) in the order of Agent::models
};

class Learner {
 public:
  explicit Learner(Agent agent);

  // From now on each update is shared with the other ranks, which all have the same learner and
  // call update() together. Throws a UsageError if there are more ranks than shards.
  void join(Ranks& ranks);
  Ranks& ranks() const { return *ranks_; }

  Learner(const Learner&) = delete;  // the workspace holds pointers to members
  Learner& operator=(const Learner&) = delete;

  // One update, in which the policy is held fixed while state().update < warm_up. Throws an Error
  // that names the model and the update as soon as a number is not finite.
  void update();

  // Of the last update.
  Metrics metrics() const;

  const Agent& agent() const { return agent_; }
  Agent& agent() { return agent_; }
  const TrainSettings& settings() const { return agent_.settings; }
  const LearnerState& state() const { return state_; }
  LearnerState& state() { return state_; }

  // The options of the last update: the shards of this rank.
  std::span<const Shard> shards() const { return shards_; }

  // The paper's estimate of I(Omega; s_f).
  double I_hat() const { return state_.p_f.mean_entropy(); }

  // For the next update: the weights of the external reward and of the entropy bonus, and what the
  // schedule adds to lambda.
  double alpha() const;
  double entropy_bonus() const;
  double more_lambda() const;

 private:
  // Threads run the shards in parallel; where there is only one shard, they work within it.
  void each_shard(const std::function<void(Shard& shard)>& task);
  int shard_threads() const { return shard_count(agent_) == 1 ? settings().threads : 1; }

  std::vector<Beginning> draw_starts(RolloutAddress address) const;
  void sample(Shard& shard, std::span<const Beginning> beginnings, RolloutAddress address);
  std::vector<float> share_surprise();
  void score_and_reward(Shard& shard, std::span<const float> surprise);
  std::vector<double> follow(const Means& means, std::span<const End> ends);
  void set_advantages(Shard& shard, const Means& means, std::span<const double> baseline);
  void find_learners(Shard& shard) const;
  void learn();
  void query_again(Shard& shard);
  void differentiate(Shard& shard);
  void step();
  void refresh_noise(RolloutAddress address);
  AdamSettings adam(double rate) const;
  bool policy_learns() const { return state_.update >= settings().warm_up; }
  double policy_updates() const { return static_cast<double>(state_.update - settings().warm_up); }

  Agent agent_;
  std::vector<int> starts_;    // (X) the states in which options begin
  std::vector<int> start_of_;  // (S) index into starts_; -1 for none
  LearnerState state_;
  Metrics last_;

  // workspace
  Ranks* ranks_ = nullptr;        // a single rank until join() is called
  ItemRange own_;                 // the shards of this rank, by number
  std::vector<Shard> shards_;     // (own_)
  std::optional<Worker> reader_;  // encodes histories for pi_q while they are sampled
  Noise<float> noise_;            // the smoothing of Algorithm 2
};

}  // namespace vic
