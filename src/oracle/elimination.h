// One step of Newton's method on a tree of histories, by elimination from the leaves to the root.
//
// See oracle/newton.h for the function that is maximised. The contribution of a subtree to the
// quadratic model of a step depends on one number per final state of the subtree: few near the
// leaves, where most rows are.
#pragma once

#include <algorithm>

#include "oracle/beliefs.h"

namespace vic {

// The gain of a subtree in the second-order model of a step, per unit of the probability X of
// entering it. X changes by the share xi, the probabilities of ending in f by X z(f), and these
// have a price c(f):
//
//   max over the decisions in the subtree = c'Qc/2 + c'(k + h xi) + alpha xi - beta xi^2 / 2,
//   attained at z = Qc + k + h xi.
template <class Real>
struct SubtreeGain {
  int n = 0;                                      // final states that the subtree can lead to
  Real *Q = nullptr, *k = nullptr, *h = nullptr;  // (n, n), (n), (n)
  Real alpha = 0, beta = 0;

  static std::size_t size(std::size_t n) { return n * n + 2 * n; }
  void place(std::size_t count, Real* memory) {
    n = static_cast<int>(count);
    Q = memory, k = Q + count * count, h = k + count;
  }
  void clear() {
    std::fill_n(Q, size(n), 0);
    alpha = beta = 0;
  }
};

// The eliminated terms of the agent and of chance nearly cancel where chance is rare: the precision
// left in a double suffices for the first digits, the last ones take a long double.
template <class Real>
class Elimination {
 public:
  Elimination(const Unrolled& tree, double lambda);

  // Fills `change` with the share by which each x(tau, a) changes in a full step at `policy` with
  // this mu; `product` is each x times its multiplier, mu on the central path.
  void operator()(Policy& change, const Policy& policy, const Policy& product, double mu);

  // Multiplications of a step, roughly.
  double work() const { return work_; }

 private:
  struct Action {
    SubtreeGain<Real> model;
    Real d = 0, e = 0;  // xi_a = (h c + e - nu) / d
  };

  void lay_out(int t);
  void place_columns(int t, int s);
  void join_outcomes(int t, int i, int a);
  void join_actions(int t, int i, const double* pi, const double* product);
  void bend(SubtreeGain<Real>& model, Real w);
  void pass_down_taken(int t, int i, const double* pi);
  void enter(int t, int i);
  void substitute(int t, int i, const double* pi, const double* product, double* change);
  void hand_down(int t, int i, int a, Real xi);

  // the weight of the terms -phi of a row
  Real row_weight(int t) const { return t == 0 ? -1 : -chance_; }
  const std::vector<int>& columns(int t, int i) const {
    return beliefs_.support(t, tree_.levels[t].state[i]);
  }
  const std::vector<int>& columns(int t, int i, int a) const {
    return of_action_[t][tree_.levels[t].state[i] * world_.A + a];
  }
  Action& action(int t, int i, int a) { return action_[t][std::size_t(i) * world_.A + a]; }
  int here(int t, int i) const {
    const std::vector<int>& own = columns(t, i);
    const int column = beliefs_.column(tree_.levels[t].state[i]);
    return static_cast<int>(std::lower_bound(own.begin(), own.end(), column) - own.begin());
  }

  const Unrolled& tree_;
  const TabularWorld& world_;
  Real chance_;  // weight of the terms of chance, 1 - lambda
  Real mu_ = 0;
  double work_ = 0;
  Beliefs beliefs_;
  std::vector<std::vector<char>> sole_;                    // (T_max)(N_t) its move has one outcome
  std::vector<std::vector<std::vector<int>>> of_action_;   // (T_max)(S * A) columns in the row's
  std::vector<std::vector<std::vector<int>>> place_;       // (T_max)(E) columns in the action's
  std::vector<std::vector<SubtreeGain<Real>>> row_;        // (T_max)(N_t)
  std::vector<std::vector<Action>> action_;                // (T_max)(N_t, A)
  std::vector<std::vector<Real>> memory_;                  // (T_max) of the models
  std::vector<std::vector<Real>> taken_;                   // (T_max)(N_t) product of pi so far
  std::vector<std::vector<Real>> share_;                   // (T_max)(N_t) xi
  std::vector<std::vector<std::size_t>> at_;               // (T_max)(N_t) its first price
  std::vector<std::vector<Real>> price_;                   // (T_max)(sum of n)
  std::vector<Real> M_, B_, b_, log_b_, z_, mean_, gain_;  // workspace
};

}  // namespace vic
