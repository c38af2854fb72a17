#include "oracle/beliefs.h"

#include <algorithm>

namespace vic {
Beliefs::Beliefs(const Unrolled& tree) : tree_(tree), A_(tree.world->A) {
  const TabularWorld& world = *tree.world;
  states_ = world.final_states();
  columns_ = static_cast<int>(states_.size());
  column_.assign(world.S, -1);
  for (int f = 0; f < columns_; ++f) column_[states_[f]] = f;
  // in forced rows s_f is certain: a level without a choice needs no beliefs
  for (const Level& level : tree_.levels) {
    const bool chooses = !level.child.empty();
    before_.emplace_back(chooses ? std::size_t(level.rows()) * columns_ : 0);
    after_.emplace_back(before_.back().size() * A_);
  }
  support_.assign(world.T_max, std::vector<std::vector<int>>(world.S));
  const std::vector<char> passed = world.reachable_in(world.T_max - 1);
  for (int t = world.T_max - 1; t >= 0; --t) {
    for (int s = 0; s < world.S; ++s) {
      if (!passed[s]) continue;
      std::vector<int>& list = support_[t][s];
      list.clear();
      if (world.may_stop || world.forced(t, s)) list = {column_[s]};
      for (int e = world.begin(s); e < world.end(s) && t + 1 < world.T_max; ++e) {
        const std::vector<int>& more = support_[t + 1][world.next[e]];
        list.insert(list.end(), more.begin(), more.end());
      }
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }
}

void Beliefs::update(const Policy& policy) {
  for (int t = tree_.world->T_max - 1; t >= 0; --t) update_level(t, policy[t]);
}

void Beliefs::update_level(int t, const std::vector<double>& policy) {
  const TabularWorld& world = *tree_.world;
  const Level& level = tree_.levels[t];
  for (int i = 0; i < level.rows(); ++i) {
    if (level.forced(i)) continue;
    const int s = level.state[i];
    const std::vector<int>& support = support_[t][s];
    const double* pi = &policy[i * (A_ + 1)];
    double* before = &before_[t][std::size_t(i) * columns_];
    for (int f : support) before[f] = 0;
    if (pi[A_] > 0) before[column_[s]] = pi[A_];
    const int* child = &level.child[level.first[i]];
    for (int a = 0; a < A_; ++a) {
      double* after = &after_[t][(std::size_t(i) * A_ + a) * columns_];
      for (int f : support) after[f] = 0;
      for (int e = world.begin(s, a); e < world.end(s, a); ++e) {
        add(after, world.p[e], t + 1, *child++);
      }
      for (int f : support) before[f] += pi[a] * after[f];
    }
  }
}

// out += p * p(s_f | tau) for a row of level t
void Beliefs::add(double* out, double p, int t, int row) const {
  const Level& level = tree_.levels[t];
  const int s = level.state[row];
  if (level.forced(row)) {
    out[column_[s]] += p;
    return;
  }
  const double* belief = before(t, row);
  for (int f : support_[t][s]) out[f] += p * belief[f];
}

double Beliefs::at(int t, int row, int column) const {
  const Level& level = tree_.levels[t];
  if (level.forced(row)) return column_[level.state[row]] == column ? 1 : 0;
  const std::vector<int>& support = support_[t][level.state[row]];
  const bool possible = std::binary_search(support.begin(), support.end(), column);
  return possible ? before(t, row)[column] : 0;
}

double Beliefs::bytes(const Unrolled& tree) {
  double rows = 0;
  for (const Level& level : tree.levels) {
    if (!level.child.empty()) rows += level.rows();
  }
  const auto columns = static_cast<double>(tree.world->final_states().size());
  return 8 * rows * columns * (tree.world->A + 2);
}

}  // namespace vic
