// The distribution of s_f given a history, under a given policy.
#pragma once

#include <vector>

#include "oracle/unrolled.h"

namespace vic {

// p(s_f | tau) and p(s_f | tau, a) for every row of a tree of histories. Final states are numbered
// as columns; near the leaves few of them are possible, and loops run over those only.
class Beliefs {
 public:
  // The tree must outlive this.
  explicit Beliefs(const Unrolled& tree);

  // Computes all beliefs, last level first.
  void update(const Policy& policy);

  int columns() const { return columns_; }
  int column(int s) const { return column_[s]; }  // of a state; -1 where no option ends in it
  int final_state(int column) const { return states_[column]; }

  // The columns that state s can still lead to at time t.
  const std::vector<int>& support(int t, int s) const { return support_[t][s]; }

  // p(s_f | tau) of a row that has a choice; entries off the support are undefined.
  const double* before(int t, int row) const { return &before_[t][std::size_t(row) * columns_]; }
  // p(s_f | tau, a), likewise.
  const double* after(int t, int row, int a) const {
    return &after_[t][(std::size_t(row) * A_ + a) * columns_];
  }
  // p(s_f | tau) of any row; in a forced row s_f is certain.
  double at(int t, int row, int column) const;

  // The memory of the beliefs on this tree.
  static double bytes(const Unrolled& tree);

 private:
  void update_level(int t, const std::vector<double>& policy);
  void add(double* out, double p, int t, int row) const;

  const Unrolled& tree_;
  int A_ = 0;
  int columns_ = 0;
  std::vector<int> column_;                             // (S)
  std::vector<int> states_;                             // (columns)
  std::vector<std::vector<std::vector<int>>> support_;  // (T_max)(S) columns
  std::vector<std::vector<double>> before_;             // (T_max)(N_t, columns)
  std::vector<std::vector<double>> after_;              // (T_max)(N_t, A, columns)
};

}  // namespace vic
