// Rollout, the first line of Algorithms 1 and 2. Options are sampled level by level, and the net
// runs once per distinct history; each kind of world makes the next level in its own way.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "method/actor.h"

namespace vic {

// Steps that no rollout reaches, for everything else that is drawn at its address.
namespace extra_step {
inline constexpr std::uint32_t noise = 0xFFFFFFFF;  // the smoothing of Algorithm 2
inline constexpr std::uint32_t goal = 0xFFFFFFFE;   // the goal of an option, in fine-tuning
inline constexpr std::uint32_t skill = 0xFFFFFFFD;  // the explicit skill of an option
inline constexpr std::uint32_t start = 0xFFFFFFFC;  // the start of an option
}  // namespace extra_step

// Fills `beginnings`, each by `pick` from a uniform number in [0, 1).
template <class Pick>
void draw_beginnings(std::vector<Beginning>& beginnings, RolloutAddress address, std::uint32_t step,
                     Pick&& pick) {
  for (std::size_t b = 0; b < beginnings.size(); ++b) {
    beginnings[b] = pick(uniform({.seed = address.seed,
                                  .update = address.update,
                                  .row = static_cast<std::uint32_t>(b),
                                  .step = step}));
  }
}

// An element of the list, uniformly if u is uniform in [0, 1).
template <class Item>
const Item& pick_uniformly(std::span<const Item> list, double u) {
  return list[static_cast<std::size_t>(u * static_cast<double>(list.size()))];
}

// The index that u in [0, 1) picks by inverse CDF; the last one gets what p lacks to a sum of 1.
inline int pick_index(std::span<const double> p, double u) {
  const int last = static_cast<int>(p.size()) - 1;
  int i = 0;
  for (double sum = 0; i < last; ++i) {
    sum += p[static_cast<std::size_t>(i)];
    if (u < sum) break;
  }
  return i;
}

// Called for each level before the policy is queried about it, with the inputs of all rows so far.
// The arguments stay valid and unchanged until the next batch, and another thread may read them
// while the batch grows.
using LevelVisitor = std::function<void(const Tree& tree, int t, const Inputs<float>& inputs)>;

// What the actions of a level are sampled from: a policy and its queries about the level.
struct Deciding {
  const Actor& actor;
  ActorWorkspace& work;
  const Queries& queries;
  // (Q, classes) its probabilities, those of factors before any is decided; for continuous actions
  // the outputs of the head
  MatrixView<const float> p;
};

// Samples batches of options. It holds workspace, so every thread needs its own.
class Sampler {
 public:
  virtual ~Sampler() = default;

  // Fills `batch` with an option for each of `beginnings`; equal and adjacent ones may share
  // histories. Afterwards `work` holds the policy's encoding of batch.tree() and its logits for the
  // rows that had a choice, in order.
  void sample(Batch& batch, const Actor& actor, ActorWorkspace& work,
              std::span<const Beginning> beginnings, RolloutAddress address,
              const LevelVisitor& visit = {});

  // Makes level 0 of a batch only, s_0 and the goals, for queries about them.
  void start(Batch& batch, std::span<const Beginning> beginnings, RolloutAddress address = {});

  // Adds goals, given by their codes (G, goals.D), to those of the last batch, and returns the
  // number of the first. Only for simulated worlds: a table has the codes of all its states.
  virtual int add_goals(std::span<const double> /*codes*/) { return 0; }

 protected:
  explicit Sampler(const Encoding& encoding) : encoding_(encoding) {}

  // The largest number of levels of an option, and of rows of a batch.
  virtual int most_levels() const = 0;
  virtual int most_rows(int options) const { return options * most_levels(); }

  // Sets the batch's codes and its goals, and makes level 0.
  virtual void begin(Batch& batch, std::span<const Beginning> beginnings,
                     RolloutAddress address) = 0;

  // Samples the actions in the rows of level t that have a choice, from by.p[query_of_[row]] at the
  // actor's temperature, and makes level t + 1. Returns false once no option continues.
  virtual bool step(Batch& batch, int t, const Deciding& by, RolloutAddress address) = 0;

  const Encoding encoding_;
  std::vector<int> query_of_;  // (rows of the level) the query about a row; -1 without a choice

 private:
  Queries queries_;
};

}  // namespace vic
