// Shards: the options of an update in shares that are sampled, scored and differentiated by
// themselves. How they are cut depends on the world and the batch alone; threads and ranks decide
// who does which. They meet where the mathematics does: in the counts of final states, in means
// over all options, and in the sum of their gradients.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "method/agent.h"
#include "method/critic.h"
#include "method/scores.h"

namespace vic {

class Ranks;

// Items [begin, end) of a list.
struct ItemRange {
  int begin = 0, end = 0;

  int size() const { return end - begin; }
  bool holds(ItemRange other) const { return begin <= other.begin && other.end <= end; }
};

// One of the parts of a list of n items, all of nearly the same length.
inline ItemRange part_of(int n, int parts, int part) {
  const auto at = [&](long i) { return static_cast<int>(n * i / parts); };
  return {at(part), at(part + 1)};
}

// How many shards the updates of an agent have. In a table options share their histories, which are
// encoded once for all of a shard: there is one unless train.shards says otherwise.
int shard_count(const Agent& agent);

// The reward of a batch's options.
struct Rewards {
  std::vector<double> row;  // (R) of an option that ended in the row; others hold anything
  double mean = 0, external = 0, length = 0;  // means over the options
  double intrinsic = 0, bonus = 0;            // parts of the mean
};

// Adds alpha r_E and the entropy bonus to the intrinsic rewards of a batch.
Rewards total_rewards(const Scores& scores, const Batch& batch, double alpha, double entropy_bonus);

struct Shard {
  int number = 0;     // among those of all ranks
  ItemRange options;  // of the batch
  double share = 1;   // of the batch's options
  std::unique_ptr<Sampler> sampler;
  Batch batch;                         // these options, and nothing of others
  std::vector<int> root_start;         // (roots) which start they are
  std::vector<SampledGoal> goals;      // as in ScoreInputs
  Scores scores;                       // means of this batch
  Rewards rewards;                     // of this batch
  std::vector<double> gain;            // (R) what a baseline is subtracted from
  std::vector<float> log_pi_p, scale;  // (D) of decisions, before further steps on the batch
  std::vector<Block<float>> gradient;  // (models) of this batch's means, times its share
  std::vector<char> learns;            // (models) whether it has one
};

// Throws a UsageError where the shards of an update do not suffice for the ranks or for
// train.minibatches.
void require_enough_shards(const Agent& agent, const Ranks& ranks);

// The shards `own` of an update, whose samplers have so many threads.
std::vector<Shard> make_shards(const Agent& agent, ItemRange own, int threads);

// Means over the options of a batch.
struct Means {
  double reward = 0, external = 0, length = 0;
  double intrinsic = 0, bonus = 0;  // parts of the reward
  CriticMoments critic = {};        // of a critic: what it expects and what came
  std::vector<double> gain;         // (X) of a start's options: what b(s_0) follows
  std::vector<double> loss;         // (models besides pi_p) -log p of an option
};

// Where the options of all shards ended, in their order.
std::vector<End> gather_ends(std::span<const Shard> shards, Ranks& ranks);

// The goals that rewards are normalised over are those of all options: every shard gets their
// codes.
void share_goals(std::span<Shard> shards, const Agent& agent, const RunningFrequencies& recent,
                 std::span<const End> ends, Ranks& ranks);

// Means over the options of all shards, whose options begin in X starts.
Means gather_means(std::span<const Shard> shards, const Agent& agent, int X, Ranks& ranks);

// Adds up the gradients of all `count` shards, of which `own` are these: halves of halves first, so
// that the bits do not depend on who has which. Sets the optimizers' gradients, on every rank;
// those of the shards are zero afterwards. Returns which models have one, (models).
std::vector<char> sum_gradients(std::span<Optimizer<float>> optimizers, std::span<Shard> shards,
                                ItemRange own, int count, Ranks& ranks);

}  // namespace vic
