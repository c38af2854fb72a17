// A policy that acts in a rollout: as it is, or at a temperature.
#pragma once

#include <span>

#include "model/model.h"

namespace vic {

// Raises probabilities to the power of 1 / temperature and makes them sum to 1; at temperature 0
// the largest takes all, the first of equals.
void temper(std::span<double> p, double temperature);

// What queries of an actor's models compute.
struct ActorWorkspace {
  ModelWorkspace policy, offset;
};

struct Actor {
  const Model& policy;
  double temperature = 1;         // of what is drawn from its probabilities
  const Model* offset = nullptr;  // whose logits a residual policy is added to; null for none

  // Encodes level t and returns the probabilities (Q, classes) of the queries about it, none of
  // which is about a row before `first_row`. The logits of all levels since level 0 are kept.
  MatrixView<const float> action_probabilities(ActorWorkspace& work, const Tree& tree, int t,
                                               const Inputs<float>& inputs, const Queries& queries,
                                               const Codes& codes, int first_row) const;

  // log_p (M) of the targets of all queries since level 0; the gradient may follow.
  void cached_log_p(std::vector<float>& log_p, ActorWorkspace& work, const Queries& queries,
                    const Targets& targets, const QueryContext& context) const;
};

}  // namespace vic
