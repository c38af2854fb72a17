// Shards: the parts of an update's options, which are sampled, scored and differentiated
// independently. The partition depends on the world and the batch alone; threads and ranks only
// decide where a shard is computed. Shards are combined in the counts of final states, in the means
// over all options, and in the sum of the gradients.
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

// Part number `part` of n items that are cut into `parts` of nearly equal length.
inline ItemRange part_of(int n, int parts, int part) {
  const auto at = [&](long i) { return static_cast<int>(n * i / parts); };
  return {at(part), at(part + 1)};
}

// The number of shards per update. In a table, options share histories, which are encoded once per
// shard: there is one shard unless train.shards is larger.
int shard_count(WorldRef world, const TrainSettings& settings);
int shard_count(const Agent& agent);

// The rewards of a batch's options.
struct Rewards {
  std::vector<double> row;  // (R) of an option that ended in the row; unused elsewhere
  double mean = 0, external = 0, length = 0;  // means over the options
  double intrinsic = 0, bonus = 0;            // parts of the mean
};

// Adds alpha r_E and the entropy bonus to the intrinsic rewards of a batch.
Rewards total_rewards(const Scores& scores, const Batch& batch, double alpha, double entropy_bonus);

struct Shard {
  int number = 0;     // among the shards of all ranks
  ItemRange options;  // of the batch
  double share = 1;   // of the batch's options
  std::unique_ptr<Sampler> sampler;
  Batch batch;                         // these options only
  std::vector<int> root_start;         // (roots) index of the root's start
  std::vector<SampledGoal> goals;      // as in ScoreInputs
  Scores scores;                       // of this batch
  Rewards rewards;                     // of this batch
  std::vector<double> gain;            // (R) the reward from which b(s_0) is subtracted
  std::vector<float> log_pi_p, scale;  // (D) before the first of several steps on the batch
  std::vector<Block<float>> gradient;  // (models) of this batch's means, times its share
  std::vector<char> learns;            // (models) whether the model has a gradient
};

// Throws a UsageError if an update has too few shards for the ranks or for train.minibatches.
void require_enough_shards(const Agent& agent, const Ranks& ranks);

// The shards `own` of an update, each with `threads` threads for its sampler.
std::vector<Shard> make_shards(const Agent& agent, ItemRange own, int threads);

// Means over the options of a batch.
struct Means {
  double reward = 0, external = 0, length = 0;
  double intrinsic = 0, bonus = 0;  // parts of the reward
  CriticMoments critic = {};        // expected and received rewards
  std::vector<double> gain;         // (X) by start; b(s_0) follows it
  std::vector<double> loss;         // (models besides pi_p) -log p of an option
};

// Where the options of all shards ended, in shard order.
std::vector<End> gather_ends(std::span<const Shard> shards, Ranks& ranks);

// Gives every shard the goals, and their codes, that rewards are normalised over: those of all
// shards.
void share_goals(std::span<Shard> shards, const Agent& agent, const RunningFrequencies& recent,
                 std::span<const End> ends, Ranks& ranks);

// Means over the options of all shards. X is the number of starts.
Means gather_means(std::span<const Shard> shards, const Agent& agent, int X, Ranks& ranks);

// Sums the gradients of all `count` shards, of which this rank has `own`: along a binary tree, so
// that the bits do not depend on the distribution over ranks. Sets the optimizers' gradients on
// every rank and zeroes those of the shards. Returns which models have a gradient, (models).
std::vector<char> sum_gradients(std::span<Optimizer<float>> optimizers, std::span<Shard> shards,
                                ItemRange own, int count, Ranks& ranks);

}  // namespace vic
