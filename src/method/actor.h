// A policy that actions are sampled from: pi_p, or one that is conditioned on a goal.
#pragma once

#include <span>
#include <vector>

#include "method/batch.h"

namespace vic {

// Raises probabilities to the power of 1 / temperature and makes them sum to 1. At temperature 0
// the largest becomes 1, the first of equals.
void temper(std::span<double> p, double temperature);

// The workspace of an actor's models.
struct ActorWorkspace {
  ModelWorkspace policy, offset, belief;
  Buffer<float> p;  // by Bayes: (Q, A + 1), or (Q, L) of a factor
};

// A policy on its own, a residual one, or pi_p conditioned on a goal through b, by Bayes.
struct Actor {
  const Model& policy;
  double temperature = 1;         // of sampling
  const Model* offset = nullptr;  // whose logits a residual policy is added to; null for none
  const Model* belief = nullptr;  // b(s_f | tau, a), where the goal enters by Bayes; null elsewhere

  // Encodes level t of a batch and returns the probabilities (Q, classes) for queries about it.
  // The policy's logits of all levels since level 0 are kept.
  MatrixView<const float> action_probabilities(ActorWorkspace& work, const Batch& batch, int t,
                                               const Queries& queries) const;

  // The same in two steps, for histories whose levels are all known. Not for a residual policy.
  void encode(ActorWorkspace& work, const QueryContext& context) const;
  MatrixView<const float> probabilities(ActorWorkspace& work, const Queries& queries,
                                        const QueryContext& context) const;

  // The probabilities (Q, L) of factor f of the actions given the factors before it, from the p of
  // all factors that action_probabilities returned for the same queries about the last level.
  MatrixView<const float> factor_probabilities(ActorWorkspace& work, const Batch& batch,
                                               const Queries& queries, MatrixView<const float> p,
                                               int f) const;

  // The number of levels of an action's factors.
  int levels() const { return policy.shape().encoding.L; }

  // The model that fine-tuning trains.
  const Model& learns() const { return belief != nullptr ? *belief : policy; }

  // log_p (M) of the targets of all queries since level 0. Not for a policy by Bayes.
  void cached_log_p(std::vector<float>& log_p, ActorWorkspace& work, const Queries& queries,
                    const Targets& targets, const QueryContext& context) const;

  // Adds the gradient of -sum_d scale[d] log p(d), for a batch sampled from this actor.
  void add_gradient(Block<float>& gradient, ActorWorkspace& work, const Batch& batch,
                    const Decisions& decisions) const;
};

}  // namespace vic
