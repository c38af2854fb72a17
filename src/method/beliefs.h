// b(s_f | tau, a), the probability of ending in s_f after action a, and what it says of a batch.
// Termination is known: b(s_f | tau, stop) = [s_t = s_f], and
//
//   b(s_f | tau) = sum_a pi_p(a | tau) b(s_f | tau, a)
#pragma once

#include "method/algorithm.h"

namespace vic {

// b, as a model of its own or as the critic of another algorithm.
std::vector<ModelSpec> belief_models(const TrainSettings& settings);

// Whether b is what an agent's reward is computed from, and not only its critic.
bool rewards_by_belief(const Agent& agent);

// Cells farther than this from the start count as the last ones for b.
inline constexpr int near_limit = 32;

// Makes b's queries about a batch that was looked back on: every move in every row that has a
// choice. Those that were made come first, and b learns from where they ended. In a simulated world
// its queries are those of method/cell_beliefs.h.
void query_belief(Scores& scores, const Agent& agent, const Batch& batch);

// What b says of a batch, once it has been queried. A row is one that has a choice.
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

  // Its logits (S), and what is subtracted from them.
  std::pair<const float*, float> logits_after(int row, int a) const;

  // Sets p (S) to b(. | tau).
  void before(float* p, int row) const;

  // log b(s_f | tau), of any row that may end in s_f.
  double log_before(int row, int s_f) const;

  // The chance to come after a move, which stands beside b (method/critic.h).
  double chance(int row, int a) const;

  // The query of b about a move.
  int query_of(int row, int a) const;

 private:
  Scores& scores_;
  const Batch& batch_;
  const Model& model_;
  const ModelScore& own_;
  int A_, S_;
};

}  // namespace vic
