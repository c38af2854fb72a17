#include "world/histories.h"

#include <numeric>

namespace vic {

void Histories::reserve(int most_rows, int most_levels) {
  first.reserve(most_levels + 1);
  for (auto* list : {&parent, &action, &state, &root}) list->reserve(most_rows);
}

void Histories::begin(std::span<const int> states) {
  first = {0, static_cast<int>(states.size())};
  parent.assign(states.size(), -1);
  action.assign(states.size(), -1);
  state.assign(states.begin(), states.end());
  root.resize(states.size());
  std::iota(root.begin(), root.end(), 0);
}

int Histories::add(int parent_row, int last_action, int s) {
  parent.push_back(parent_row);
  action.push_back(last_action);
  state.push_back(s);
  root.push_back(root[parent_row]);
  return rows() - 1;
}

std::optional<Histories> enumerate_histories(const TabularWorld& world, long largest_rows) {
  Histories tree;
  tree.begin(world.s_0);
  for (int t = 0; t + 1 < world.T_max; ++t) {
    for (int row = tree.first[t]; row < tree.first[t + 1]; ++row) {
      const int s = tree.state[row];
      if (tree.rows() + (world.end(s) - world.begin(s)) > largest_rows) return std::nullopt;
      for (int a = 0; a < world.A; ++a) {
        for (int e = world.begin(s, a); e < world.end(s, a); ++e) {
          tree.add(row, a, world.next[e]);
        }
      }
    }
    tree.close_level();
  }
  return tree;
}

}  // namespace vic
