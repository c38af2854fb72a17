// The part of a prefix tree that queries need: the histories they are about, and the beginnings of
// those. In most batches that is a good deal less than all: rho is never queried about the history
// in which an option ended, and no model about one that left no choice.
#pragma once

#include <span>
#include <vector>

#include "nn/gather.h"
#include "nn/lstm.h"

namespace vic {

template <class Real>
class PrunedTree {
 public:
  // Keeps what `queried`, rows of `tree`, need. The inputs are those of the tree's rows.
  void prune(const Tree& tree, const Inputs<Real>& inputs, std::span<const int> queried);

  // The tree that is left, its rows numbered anew in the old order, and their inputs.
  Tree tree() const { return {first_, parent_}; }
  Inputs<Real> inputs() const { return {K_, lookup_, numbers_.view()}; }

  // The new number of a row that was kept.
  int row(int old_row) const { return place_[static_cast<std::size_t>(old_row)]; }

 private:
  std::vector<int> place_;   // (old rows), -1 where a row was not kept
  std::vector<int> first_;   // (levels + 1)
  std::vector<int> parent_;  // (rows)
  Index K_ = 0;              // look-ups per row
  std::vector<int> lookup_;  // (rows, K)
  Buffer<Real> numbers_;     // (rows, D)
};

}  // namespace vic
