// b(s_f | tau, a), the probability of ending in s_f after action a, and its values on a batch.
// Termination is known: b(s_f | tau, stop) = [s_t = s_f], and
//
//   b(s_f | tau) = sum_a pi_p(a | tau) b(s_f | tau, a)
#pragma once

#include "method/algorithm.h"

namespace vic {

// b, as the model of an algorithm or as the critic of another one.
std::vector<ModelSpec> belief_models(const TrainSettings& settings);

// Whether an agent's reward is computed from b; otherwise b, if any, is only its critic.
bool rewards_by_belief(const Agent& agent);

// For b, cells farther than this from the start along a coordinate count as the outermost ones.
inline constexpr int near_limit = 32;

// Makes b's queries about a batch, given scores.hindsight: every move in every row that has a
// choice. The moves that were made come first, and b learns from the final states they led to. For
// simulated worlds see query_cells in method/cell_beliefs.h.
void query_belief(Scores& scores, const Agent& agent, const Batch& batch);

// The values of b on a batch, once it has been queried. `row` is a row that has a choice.
class BatchBeliefs {
 public:
  BatchBeliefs(Scores& scores, const Agent& agent, const Batch& batch);

  int S() const { return S_; }
  int A() const { return A_; }

  // pi_p (A + 1), termination last.
  const float* policy(int row) const;

  // b(. | tau, a) (S).
  const float* after(int row, int a) const;
  double log_after(int row, int a, int s_f) const;

  // Its logits (S), and the log of the sum of their exponentials.
  std::pair<const float*, float> logits_after(int row, int a) const;

  // Sets p (S) to b(. | tau).
  void before(float* p, int row) const;

  // log b(s_f | tau), of any row that may end in s_f.
  double log_before(int row, int s_f) const;

  // The chance to come after a move, one more output of b's net (method/critic.h).
  double chance(int row, int a) const;

  // The index of b's query about a move.
  int query_of(int row, int a) const;

 private:
  Scores& scores_;
  const Batch& batch_;
  const Model& model_;
  const ModelScore& own_;
  int A_, S_;
};

}  // namespace vic
