// Score: the log-probabilities of everything that happened in a batch, under every model.
#pragma once

#include <functional>
#include <vector>

#include "method/agent.h"
#include "method/batch.h"

namespace vic {

// The queries of a model about a batch, the targets observed there, and their log-probabilities.
struct ModelScore {
  Queries queries;
  Targets targets;
  std::vector<float> weight;    // (M) the share of the options that have the target
  std::vector<float> log_p;     // (M)
  std::vector<int> offset_row;  // (Q) of a residual model: the query whose logits it is added to
  ModelWorkspace work;

  void clear();

  // Mean -log p per option.
  double loss() const;
};

struct Scores {
  // pi_p
  ActorWorkspace policy;
  Decisions decisions;
  std::vector<float> log_pi_p;  // (D)

  std::vector<ModelScore> models;  // (models besides pi_p) in the order of Agent::models
  Hindsight hindsight;             // of agents with pi_q or b
  std::vector<double> reward;      // (R) intrinsic reward of an option that ended in the row
  CriticValues critic;             // of the intrinsic reward; empty without a critic
  std::vector<int> move_query;     // (R, A) index of b's query about a move; -1 without a choice

  bool has_critic() const { return !critic.V.empty(); }

  // The score of a model, which the agent must have.
  ModelScore& of(const Agent& agent, Role role) { return models[agent.place_of(role) - 1]; }
};

// A goal that rewards are normalised over.
struct SampledGoal {
  int cell = 0;
  int code = 0;      // the goal among the batch's codes on which models are conditioned
  double share = 0;  // its weight among the goals, up to a common factor
};

// A batch to score, and what its score depends on besides the agent.
struct ScoreInputs {
  const Batch& batch;
  const RunningFrequencies& recent;  // p(s_f | s_0) of the last batches
  // p(s_f | Omega) of the batches before, where the algorithm counts skills
  const RunningFrequencies* by_skill = nullptr;
  bool encoded = false;    // whether models that read all histories have encoded them
  long update = 0;         // for error messages
  double more_lambda = 0;  // what the schedule adds to lambda
  bool critic = true;      // whether a critic is wanted, where the agent has one
  int threads = 1;         // at most; the result does not depend on them

  // of the whole batch where `batch` is a shard of it; empty: computed from `batch`
  std::span<const SampledGoal> goals = {};  // that rewards are normalised over
  std::span<const float> surprise = {};     // (cells) -log p(c | s_0), for a critic of cells
};

// Queries pi_p, and every other model with the queries in its ModelScore. Throws an Error that
// names the model where a number is not finite.
void query_models(Scores& scores, const Agent& agent, const ScoreInputs& inputs);

// Sets log_p (M) for any queries of a model that has encoded the batch already. A residual model
// needs offset_row (Q).
void query_encoded(std::vector<float>& log_p, Scores& scores, const Agent& agent, Role role,
                   const Queries& queries, const Targets& targets, std::span<const int> offset_row,
                   const ScoreInputs& inputs);

// Scores a batch sampled from pi_p, whose activations must be in scores.policy.
void score(Scores& scores, const Agent& agent, const ScoreInputs& inputs);

// The intrinsic reward (R) of an option that ended in each row of a batch sampled from any policy;
// undefined in rows where none ended. Where the reward is computed from counts they are `recent`,
// or of this batch if that is null; marginal throws an Error then.
const std::vector<double>& intrinsic_rewards(Scores& scores, const Agent& agent, const Batch& batch,
                                             const RunningFrequencies* recent = nullptr);

// The frequency of a state in which one option of the last batch ended, and none before. Next to
// nothing where updates learn from all options.
double least_frequency(const Agent& agent);

// p(s_f | s_0) by the learner's counts. What has not been counted lately has the least frequency.
double recent_frequency(const Agent& agent, const RunningFrequencies& recent, int s_f);

// The same; or, where the inputs have no such counts, the frequency in the batch itself.
class EndFrequencies {
 public:
  EndFrequencies(const Agent& agent, const ScoreInputs& inputs);

  double operator()(int s_f) const;
  const RunningFrequencies& counts() const { return known_ ? *recent_ : own_; }

 private:
  const Agent& agent_;
  const RunningFrequencies* recent_;
  bool known_;
  RunningFrequencies own_;
};

}  // namespace vic
