// Follow the policy: the first line of Algorithms 1 and 2. Options are sampled level by level, and
// the net runs once per distinct history; how a level follows from the one before is the world's.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "method/actor.h"

namespace vic {

// What else is drawn at the address of a rollout: steps that no rollout comes to.
namespace extra_step {
inline constexpr std::uint32_t noise = 0xFFFFFFFF;  // the smoothing of Algorithm 2
inline constexpr std::uint32_t goal = 0xFFFFFFFE;   // which goal to fine-tune
inline constexpr std::uint32_t skill = 0xFFFFFFFD;  // which explicit skill
inline constexpr std::uint32_t start = 0xFFFFFFFC;  // where to begin
}  // namespace extra_step

// Fills all of `beginnings`, each by `pick` from a uniform number in [0, 1), and sorts them so that
// equal ones are adjacent.
template <class Pick>
void draw_beginnings(std::vector<Beginning>& beginnings, RolloutAddress address, std::uint32_t step,
                     Pick&& pick) {
  for (std::size_t b = 0; b < beginnings.size(); ++b) {
    beginnings[b] = pick(uniform({.seed = address.seed,
                                  .update = address.update,
                                  .row = static_cast<std::uint32_t>(b),
                                  .step = step}));
  }
  std::sort(beginnings.begin(), beginnings.end());
}

// The element that u in [0, 1) picks, uniformly.
template <class Item>
const Item& pick_uniformly(std::span<const Item> list, double u) {
  return list[static_cast<std::size_t>(u * static_cast<double>(list.size()))];
}

// The index that u in [0, 1) picks by the probabilities; what they lack to 1 goes to the last.
inline int pick_index(std::span<const double> p, double u) {
  const int last = static_cast<int>(p.size()) - 1;
  int i = 0;
  for (double sum = 0; i < last; ++i) {
    sum += p[static_cast<std::size_t>(i)];
    if (u < sum) break;
  }
  return i;
}

// Called for each level before the policy is queried about it: `inputs` are those of the rows so
// far. What it is given stays as it is until the next batch, and may be read by another thread
// while the batch grows.
using LevelVisitor = std::function<void(const Tree& tree, int t, const Inputs<float>& inputs)>;

// What decides in a level: a policy and its queries there.
struct Deciding {
  const Actor& actor;
  ActorWorkspace& work;
  const Queries& queries;
  // (Q, classes) its probabilities, of factors before any is decided; of continuous actions the
  // outputs of their head
  MatrixView<const float> p;
};

// Samples batches of options. It has work space, so that every thread needs its own.
class Sampler {
 public:
  virtual ~Sampler() = default;

  // Fills `batch` with an option for each of `beginnings`; what is equal and adjacent in them may
  // share its histories. Afterwards the policy has encoded batch.tree() in `work`, which keeps its
  // logits for the rows that had a choice, in their order.
  void sample(Batch& batch, const Actor& actor, ActorWorkspace& work,
              std::span<const Beginning> beginnings, RolloutAddress address,
              const LevelVisitor& visit = {});

  // Makes level 0 of a batch and nothing after: s_0 and the goals, for queries about them.
  void start(Batch& batch, std::span<const Beginning> beginnings, RolloutAddress address = {});

  // Adds goals, as their codes (G, goals.D), to those of the batch that was sampled last, and
  // returns the number of the first. Only where states are simulated: of a table all are known.
  virtual int add_goals(std::span<const double> /*codes*/) { return 0; }

 protected:
  explicit Sampler(const Encoding& encoding) : encoding_(encoding) {}

  // The levels that an option has at most, and the rows that a batch of them has.
  virtual int most_levels() const = 0;
  virtual int most_rows(int options) const { return options * most_levels(); }

  // Sets the batch's codes and its goals, and makes level 0.
  virtual void begin(Batch& batch, std::span<const Beginning> beginnings,
                     RolloutAddress address) = 0;

  // Decides for the rows of level t that have a choice, by the probabilities p[query_of_[row]] at
  // the actor's temperature, and makes level t + 1. Returns false where no option goes on.
  virtual bool step(Batch& batch, int t, const Deciding& by, RolloutAddress address) = 0;

  const Encoding encoding_;
  std::vector<int> query_of_;  // (rows of the level) the query about a row; -1 without a choice

 private:
  Queries queries_;
};

}  // namespace vic
