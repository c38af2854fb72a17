// Follow the policy: the first line of Algorithms 1 and 2.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/random.h"
#include "method/actor.h"
#include "method/batch.h"
#include "world/tabular.h"

namespace vic {

// Which options are drawn: the same address draws the same options from the same policy.
struct RolloutAddress {
  std::uint64_t seed = 0;
  std::uint32_t update = 0;
};

// Where an option begins, and the goal that the policy is told, if it is told any.
struct Beginning {
  int state = 0;
  int told = -1;

  auto operator<=>(const Beginning&) const = default;
};

// What else is drawn at the address of a rollout: steps that no rollout comes to.
namespace extra_step {
inline constexpr std::uint32_t noise = 0xFFFFFFFF;  // the smoothing of Algorithm 2
inline constexpr std::uint32_t goal = 0xFFFFFFFE;   // where to practise
inline constexpr std::uint32_t label = 0xFFFFFFFD;  // which explicit option
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

// The element that u in [0, 1) picks, all alike.
template <class Item>
const Item& pick_alike(std::span<const Item> list, double u) {
  return list[static_cast<std::size_t>(u * static_cast<double>(list.size()))];
}

// Is told of each level before the policy is asked about it: `inputs` are those of the rows so far.
// What it is given to look at stays as it is until the next batch, and may be read by another
// thread while the batch grows.
using LevelVisitor = std::function<void(const Tree& tree, int t, const Inputs<float>& inputs)>;

// Draws batches of options from a policy, level by level, running the net once per distinct
// history.
class Rollout {
 public:
  Rollout(const TabularWorld& world, const Encoding& encoding);

  // Fills `batch` with B options from s_0. Afterwards the policy has encoded batch.tree(), whose
  // inputs are `inputs`, and keeps its answers about the rows that had a choice, in their order.
  void draw(Batch& batch, HistoryInputs<float>& inputs, const Actor& actor, int B,
            RolloutAddress address, const LevelVisitor& visit = {});

  // The same with an option for each of `beginnings`; what is equal and adjacent in them shares its
  // histories.
  void draw(Batch& batch, HistoryInputs<float>& inputs, const Actor& actor,
            std::span<const Beginning> beginnings, RolloutAddress address,
            const LevelVisitor& visit = {});

 private:
  // decides and moves the options that are alive at level t
  void step(Batch& batch, int t, MatrixView<const float> p, double temperature,
            RolloutAddress address);
  void begin(Batch& batch, std::span<const Beginning> beginnings);
  void add_row(Batch& batch, int t, int s, double external_reward, int decision);

  const TabularWorld& world_;
  const Encoding& encoding_;
  int largest_fan_ = 0;  // transitions of a state, all moves together
  std::vector<Beginning> from_s_0_;

  std::vector<double> p_;      // (A + 1)
  std::vector<int> roots_;     // states of level 0
  std::vector<int> alive_;     // options that have not terminated
  std::vector<int> at_;        // (B) the row each option is in
  std::vector<int> query_of_;  // (rows of the level)
  std::vector<int> decision_;  // (rows of the level, A + 1)
  std::vector<int> child_;     // (rows of the level, largest_fan)
  Queries queries_;
};

}  // namespace vic
