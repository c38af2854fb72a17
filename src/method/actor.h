// Who acts in a rollout: a policy, as it is or at a temperature.
#pragma once

#include <span>

#include "model/predictor.h"

namespace vic {

// Raises probabilities to the power of 1 / temperature and makes them sum to 1; at temperature 0
// the largest takes all, the first of equals.
void temper(std::span<double> p, double temperature);

struct Actor {
  // A policy is an actor: most act as they are.
  Actor(Predictor& acts, double at_temperature = 1, Predictor* corrects = nullptr)
      : policy(acts), temperature(at_temperature), corrected(corrects) {}

  Predictor& policy;
  double temperature;    // of what is said, for those who draw from it
  Predictor* corrected;  // what the policy's answers are added to; null where it is on its own

  // Reads level t, and says the probabilities (Q, classes) of what is asked about it. Rows before
  // `first_row` are not asked about. All answers are kept since level 0.
  MatrixView<const float> say(const Tree& tree, int t, const Inputs<float>& inputs,
                              const Queries& queries, int first_row) const;

  // log_p (M) of the outcomes of all that was asked since level 0; the gradient may follow.
  void kept_log_p(std::vector<float>& log_p, const Queries& queries, const Outcomes& outcomes,
                  const Asked& asked) const;
};

}  // namespace vic
