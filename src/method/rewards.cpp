// The reward of an option, and what its start expects of one.
#include <cmath>

#include "method/learner.h"

namespace vic {
namespace {

// log q - log p, to be summed in double
double log_ratio(float log_q, float log_p) {
  return static_cast<double>(log_q) - static_cast<double>(log_p);
}

}  // namespace

// The intrinsic reward of an option, collected along its history: equations 7, 15 and 22.
void Learner::reward_control(const Batch& batch, const Asked& asked) {
  const Histories& tree = batch.histories;
  const double lambda = rho_p_ ? settings_.lambda : 0;
  row_reward_.assign(tree.rows(), 0);
  if (pi_q_) {
    const Hindsight& look = hindsight_;
    pair_reward_.assign(look.row.size(), 0);
    for (std::size_t k = 0; k < look.row.size(); ++k) {
      const int r = look.row[k];
      double& reward = pair_reward_[k];
      if (r >= tree.roots()) {
        reward = pair_reward_[look.parent[k]] +
                 log_ratio(pi_q_->log_p[look.into[k]], log_pi_p_[batch.into[r]]);
        if (rho_p_) {
          reward += lambda * log_ratio(rho_q_->log_p[k - look.first[tree.roots()]],
                                       rho_p_->log_p[r - tree.roots()]);
        }
      }
      if (batch.ended[r] == 0 || look.final_state[k] != tree.state[r]) continue;
      row_reward_[r] = reward;
      if (look.stop[k] >= 0) {
        row_reward_[r] += log_ratio(pi_q_->log_p[look.stop[k]], log_pi_p_[batch.stop[r]]);
      }
    }
  }
  if (algorithm_ == Algorithm::marginal) {
    for (int r = 0; r < tree.rows(); ++r) {
      if (batch.ended[r] > 0) row_reward_[r] = -std::log(state_.recent.p(0, batch.cell[r]));
    }
  }
  if (labels_) labels_->judge(row_reward_, batch, asked);
}

// Adds alpha r_E and the entropy bonus. The mean of -log pi_p over a policy's options is the
// entropy of its decisions, and so the policy gradient of the sum climbs both.
void Learner::reward_the_rest(const Batch& batch) {
  const Histories& tree = batch.histories;
  const double alpha_now = alpha(), bonus = entropy_bonus();
  mean_reward_ = mean_external_ = mean_length_ = 0;
  log_path_.assign(tree.rows(), 0);
  for (int t = 0, r = 0; t < tree.levels(); ++t) {
    for (; r < tree.first[t + 1]; ++r) {
      if (t > 0) {
        log_path_[r] = log_path_[tree.parent[r]] + static_cast<double>(log_pi_p_[batch.into[r]]);
      }
      const double share = static_cast<double>(batch.ended[r]) / batch.options;
      if (share == 0) continue;
      const double stop = batch.stop[r] < 0 ? 0 : static_cast<double>(log_pi_p_[batch.stop[r]]);
      row_reward_[r] += alpha_now * batch.external[r] - bonus * (log_path_[r] + stop);
      mean_reward_ += share * row_reward_[r];
      mean_external_ += share * batch.external[r];
      mean_length_ += share * (t + 1);
    }
  }
}

const std::vector<double>& Learner::intrinsic_rewards(const Batch& batch,
                                                      const HistoryInputs<float>& inputs) {
  const Asked asked{batch.histories, inputs.view(), batch.tree()};
  decisions_.read(batch, encoding().actions);
  pi_p_.model().encode(asked.tree, asked.inputs);
  if (pi_q_) pi_q_->predictor.model().encode(asked.tree, asked.inputs);
  pi_p_.probabilities(decisions_.queries);
  score(batch, asked);
  reward_control(batch, asked);
  return row_reward_;
}

const std::vector<double>& Learner::rewards(const Batch& batch,
                                            const HistoryInputs<float>& inputs) {
  intrinsic_rewards(batch, inputs);
  reward_the_rest(batch);
  return row_reward_;
}

// the mean reward of the options that began in each start
void Learner::count_rewards() {
  const Histories& tree = batch_.histories;
  start_options_.assign(starts_.size(), 0);
  start_reward_.assign(starts_.size(), 0);
  const auto start = [&](int r) { return start_of(r); };
  for (int r = 0; r < tree.rows(); ++r) start_options_[start(r)] += batch_.ended[r];
  for (int r = 0; r < tree.rows(); ++r) {
    const double share = static_cast<double>(batch_.ended[r]) / start_options_[start(r)];
    if (share > 0) start_reward_[start(r)] += share * row_reward_[r];
  }
}

// b(s_0) begins at the first reward it sees, and does not know the batch it is subtracted from
void Learner::begin_baselines() {
  for (std::size_t x = 0; x < starts_.size(); ++x) {
    if (!state_.p_f.knows(static_cast<int>(x))) state_.baseline[x] = start_reward_[x];
  }
}

void Learner::follow_rewards() {
  for (std::size_t x = 0; x < starts_.size(); ++x) {
    if (start_options_[x] == 0) continue;
    state_.baseline[x] += settings_.baseline_rate * (start_reward_[x] - state_.baseline[x]);
  }
}

}  // namespace vic
