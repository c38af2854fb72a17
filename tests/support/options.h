// For the tests: the histories of a prefix tree one at a time, without sharing.
#pragma once

#include <algorithm>
#include <vector>

#include "world/histories.h"

namespace vic {

// The rows from the start to a row, both included.
inline std::vector<int> path_to(const Histories& tree, int row) {
  std::vector<int> path;
  for (int r = row; r >= 0; r = tree.parent[r]) path.push_back(r);
  std::reverse(path.begin(), path.end());
  return path;
}

// The same history alone: a tree with one row per level.
inline Histories chain_to(const Histories& tree, int row) {
  Histories chain;
  for (int r : path_to(tree, row)) {
    if (tree.parent[r] < 0) {
      chain.begin(tree.state[r]);
      continue;
    }
    chain.add(chain.rows() - 1, tree.action[r], tree.state[r]);
    chain.close_level();
  }
  return chain;
}

}  // namespace vic
