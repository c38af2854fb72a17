// A policy that acts: pi_p, or one that is sent to a goal.
#pragma once

#include <span>
#include <vector>

#include "method/batch.h"

namespace vic {

// Raises probabilities to the power of 1 / temperature and makes them sum to 1; at temperature 0
// the largest takes all, the first of equals.
void temper(std::span<double> p, double temperature);

// What queries of an actor's models compute.
struct ActorWorkspace {
  ModelWorkspace policy, offset, belief;
  Buffer<float> p;  // by Bayes: (Q, A + 1), or (Q, L) of a factor
};

// A policy as it is, a residual one, or pi_p with b: by Bayes, what leads to the goal.
struct Actor {
  const Model& policy;
  double temperature = 1;         // of what is drawn from its probabilities
  const Model* offset = nullptr;  // whose logits a residual policy is added to; null for none
  const Model* belief = nullptr;  // b(s_f | tau, a), where the goal enters by Bayes; null elsewhere

  // Encodes level t of a batch and returns the probabilities (Q, classes) of the queries about it.
  // The policy's logits of all levels since level 0 are kept.
  MatrixView<const float> action_probabilities(ActorWorkspace& work, const Batch& batch, int t,
                                               const Queries& queries) const;

  // The same of histories whose levels are all encoded, and of no residual policy.
  void encode(ActorWorkspace& work, const QueryContext& context) const;
  MatrixView<const float> probabilities(ActorWorkspace& work, const Queries& queries,
                                        const QueryContext& context) const;

  // Those (Q, L) of factor f of the actions, given all those before it: from the p of all factors
  // that action_probabilities returned for the same queries, which are about the last level.
  MatrixView<const float> factor_probabilities(ActorWorkspace& work, const Batch& batch,
                                               const Queries& queries, MatrixView<const float> p,
                                               int f) const;

  // L of the actions' factors.
  int levels() const { return policy.shape().encoding.L; }

  // The model that learns where goals are to be reached better.
  const Model& learns() const { return belief != nullptr ? *belief : policy; }

  // log_p (M) of the targets of all queries since level 0, of a policy that is a model by itself.
  void cached_log_p(std::vector<float>& log_p, ActorWorkspace& work, const Queries& queries,
                    const Targets& targets, const QueryContext& context) const;

  // Adds to `gradient` that of -sum_d scale[d] log p(d), for a batch that this actor has sampled.
  void add_gradient(Block<float>& gradient, ActorWorkspace& work, const Batch& batch,
                    const Decisions& decisions) const;
};

}  // namespace vic
