// Score: the log-probabilities of everything that happened in a batch, under every model.
#pragma once

#include <functional>
#include <vector>

#include "method/agent.h"
#include "method/batch.h"

namespace vic {

// The queries of a model about a batch, what came of them, and its log-probabilities.
struct ModelScore {
  Queries queries;
  Targets targets;
  std::vector<float> weight;    // (M) the share of the options that a target belongs to
  std::vector<float> log_p;     // (M)
  std::vector<int> offset_row;  // (Q) of a residual model: the query of the model it is added to
  ModelWorkspace work;

  void clear();

  // Mean -log p of an option.
  double loss() const;
};

struct Scores {
  // pi_p
  ActorWorkspace policy;
  Decisions decisions;
  std::vector<float> log_pi_p;  // (D)

  std::vector<ModelScore> models;  // (models besides pi_p) as in Agent::models
  Hindsight hindsight;             // of algorithms that look back
  std::vector<double> reward;      // (R) intrinsic reward of an option that ended in the row
  CriticValues critic;             // empty without one: of the intrinsic reward
  std::vector<int> move_query;     // (R, A) the query of b about a move; -1 without a choice

  bool has_critic() const { return !critic.V.empty(); }

  // That of a model which the agent has.
  ModelScore& of(const Agent& agent, Role role) { return models[agent.place_of(role) - 1]; }
};

// A goal that rewards are normalised over.
struct SampledGoal {
  int cell = 0;
  int code = 0;      // what models are conditioned on: a goal of the batch's codes
  double share = 0;  // what it stands for
};

// What is scored.
struct ScoreInputs {
  const Batch& batch;
  const RunningFrequencies& recent;  // p(s_f | s_0) of the last batches
  bool encoded = false;              // models that read all histories have encoded them
  long update = 0;                   // for error messages
  double more_lambda = 0;            // what training adds to lambda at this time
  int threads = 1;                   // at most; the result is the same

  // of the whole batch, where this is a shard of it; empty: of this one
  std::span<const SampledGoal> goals = {};  // that rewards are normalised over
  std::span<const float> surprise = {};  // (cells) -log p(c | s_0) that a critic of cells expects
};

// Queries pi_p, and the agent's other models about what their ModelScore has. The models do not
// see each other. Throws an Error that names the model where a number is not finite.
void query_models(Scores& scores, const Agent& agent, const ScoreInputs& inputs);

// Queries a model about other things, where query_models has encoded the batch for it: log_p (M).
// A residual model needs offset_row (Q).
void query_encoded(std::vector<float>& log_p, Scores& scores, const Agent& agent, Role role,
                   const Queries& queries, const Targets& targets, std::span<const int> offset_row,
                   const ScoreInputs& inputs);

// Scores a batch that pi_p has sampled, its activations in scores.policy.
void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs);

// The intrinsic reward (R) of an option that ended in each row of a batch that any policy has
// sampled; rows in which none ended hold anything. Throws an Error for marginal, which rewards by
// the counts of its training: score takes them.
const std::vector<double>& intrinsic_rewards(Scores& scores, const Agent& agent,
                                             const Batch& batch);

}  // namespace vic
