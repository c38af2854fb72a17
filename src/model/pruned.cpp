#include "model/pruned.h"

#include <algorithm>

namespace vic {

template <class Real>
void PrunedTree<Real>::prune(const Tree& tree, const Inputs<Real>& inputs,
                             std::span<const int> queried) {
  // what is queried is needed, and so is the parent of what is needed, which has a smaller number
  constexpr int needed = 0, not_needed = -1;
  place_.assign(static_cast<std::size_t>(tree.rows()), not_needed);
  for (int row : queried) place_[static_cast<std::size_t>(row)] = needed;
  for (std::size_t r = place_.size(); r-- > 0;) {
    if (place_[r] == needed && tree.parent[r] >= 0) {
      place_[static_cast<std::size_t>(tree.parent[r])] = needed;
    }
  }

  // number the rows, and take their parents and inputs with them
  K_ = inputs.K;
  const Index D = inputs.dense.cols;
  first_.assign(1, 0);
  parent_.clear();
  lookup_.clear();
  numbers_.reshape(tree.rows(), D);
  for (int t = 0; t < tree.levels(); ++t) {
    const RowRange rows = tree.level(t);
    for (Index r = rows.begin; r < rows.end; ++r) {
      int& place = place_[static_cast<std::size_t>(r)];
      if (place == not_needed) continue;
      place = static_cast<int>(parent_.size());
      const int parent = tree.parent[static_cast<std::size_t>(r)];
      parent_.push_back(parent < 0 ? parent : row(parent));
      const auto lookup = inputs.lookup.begin() + r * K_;
      lookup_.insert(lookup_.end(), lookup, lookup + K_);
      if (D > 0) std::copy_n(inputs.dense.row(r), D, numbers_.row(place));
    }
    // below a level in which nothing is needed nothing is
    if (static_cast<std::size_t>(first_.back()) == parent_.size()) break;
    first_.push_back(static_cast<int>(parent_.size()));
  }
  numbers_.reshape(static_cast<Index>(parent_.size()), D);
}

template class PrunedTree<float>;
template class PrunedTree<double>;

}  // namespace vic
