// Explicit options: numbers that the policy is told, and makes into something.
//
//   explicit  Gregor et al. (2016): Omega ~ p(Omega), the policy is told it, q guesses it from
//   where
//             the option ended; r = log q(Omega | s_0, s_f) - log p(Omega)
//   diayn     Eysenbach et al. (2018): q guesses it from every state on the way;
//             r = sum_t log q(Omega | s_0, s_t) - log p(Omega)
//
// Their information is at most the logarithm of how many options there are. Here q and a learned
// prior are the one model of the house, asked about the history that has just begun.
#pragma once

#include <optional>
#include <vector>

#include "method/rollout.h"
#include "method/settings.h"

namespace vic {

class Labels {
 public:
  Labels(const TabularWorld& world, const Encoding& states, const TrainSettings& settings);

  // The numbers as goals of a policy.
  static Encoding code(int options);

  int size() const { return n_; }

  // p(Omega), as it is now.
  const std::vector<double>& prior();  // (n)

  // Draws the option of each of B beginnings from the prior, equal ones side by side.
  void draw(std::vector<Beginning>& beginnings, int B, RolloutAddress address);

  // Lets q guess the options of a batch, and adds the reward of ending in each row to `reward`.
  void judge(std::vector<double>& reward, const Batch& batch, const Asked& asked);

  // q learns from the batch that was judged last; the prior, if it learns at all, from the gain (R)
  // of ending in each row.
  void learn(const Asked& asked, const AdamSettings& adam, long update);
  void learn_prior(const Batch& batch, std::span<const double> gain, const AdamSettings& adam,
                   long update);

  // Mean -log q of the batch that was judged last.
  double loss() const;

  // The option that q takes for the one that ended in a state.
  int guess(int s_f);

  // q, and the prior if it learns.
  std::vector<Predictor*> predictors();

 private:
  void ask(const Batch& batch);

  int s_0_, n_;
  bool every_state_;  // q sees every state, not the last one only
  Histories start_;   // s_0 alone
  HistoryInputs<float> start_inputs_;
  Predictor q_;
  std::optional<Predictor> learned_prior_;
  std::vector<double> prior_;  // (n)

  Queries queries_;
  Outcomes outcomes_;          // the options
  std::vector<float> weight_;  // (M)
  std::vector<float> log_q_;   // (M)
  std::vector<int> judged_;    // (R) the outcome about a row; -1 for none
  std::vector<int> query_of_;  // (S)
  std::vector<double> along_;  // (R) the reward on the way to a row
};

}  // namespace vic
