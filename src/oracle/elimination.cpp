#include "oracle/elimination.h"

#include <algorithm>
#include <cmath>

#include "oracle/small_matrix.h"

namespace vic {

template <class Real>
Elimination<Real>::Elimination(const Unrolled& tree, double lambda)
    : tree_(tree), world_(*tree.world), chance_(1 - lambda), beliefs_(tree) {
  const int T = world_.T_max;
  for (auto* rows : {&taken_, &share_, &price_, &memory_}) rows->resize(T);
  sole_.resize(T), row_.resize(T), action_.resize(T), at_.resize(T);
  place_.resize(T), of_action_.resize(T);
  sole_[0] = {false};
  for (int t = 0; t < T; ++t) lay_out(t);
}

// the columns of its parent that a child and an action can lead to
template <class Real>
void Elimination<Real>::place_columns(int t, int s) {
  const std::vector<int>& own = beliefs_.support(t, s);
  const auto find = [](const std::vector<int>& list, int value) {
    return static_cast<int>(std::lower_bound(list.begin(), list.end(), value) - list.begin());
  };
  for (int a = 0; a < world_.A; ++a) {
    std::vector<int>& all = of_action_[t][s * world_.A + a];
    for (int e = world_.begin(s, a); e < world_.end(s, a); ++e) {
      for (int f : beliefs_.support(t + 1, world_.next[e])) all.push_back(find(own, f));
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (int e = world_.begin(s, a); e < world_.end(s, a); ++e) {
      for (int f : beliefs_.support(t + 1, world_.next[e])) {
        place_[t][e].push_back(find(all, find(own, f)));
      }
    }
  }
}

// memory for the rows of a level
template <class Real>
void Elimination<Real>::lay_out(int t) {
  const Level& level = tree_.levels[t];
  const int N = level.rows();
  taken_[t].assign(N, 1), share_[t].assign(N, 0), at_[t].assign(N, 0), row_[t].resize(N);
  if (level.child.empty()) return;
  action_[t].resize(std::size_t(N) * world_.A);
  sole_[t + 1].resize(tree_.levels[t + 1].rows());
  place_[t].resize(world_.next.size()), of_action_[t].resize(world_.first.size() - 1);
  std::size_t memory = 0, prices = 0;
  for (int i = 0; i < N; ++i) {
    if (level.forced(i)) continue;
    const int s = level.state[i];
    if (of_action_[t][s * world_.A].empty()) place_columns(t, s);
    at_[t][i] = prices;
    prices += beliefs_.support(t, s).size();
    memory += SubtreeGain<Real>::size(beliefs_.support(t, s).size());
    work_ += std::pow(static_cast<double>(columns(t, i).size()), 3);
    const int* child = &level.child[level.first[i]];
    for (int a = 0; a < world_.A; ++a) {
      const std::size_t n = columns(t, i, a).size();
      memory += SubtreeGain<Real>::size(n);
      work_ += t + 2 < world_.T_max ? std::pow(static_cast<double>(n), 3) : static_cast<double>(n);
      for (int e = world_.begin(s, a); e < world_.end(s, a); ++e) {
        sole_[t + 1][*child++] = world_.end(s, a) - world_.begin(s, a) == 1;
      }
    }
  }
  price_[t].resize(prices), memory_[t].resize(memory);
  Real* next = memory_[t].data();
  const auto place = [&](SubtreeGain<Real>& model, std::size_t n) {
    model.place(n, next);
    next += SubtreeGain<Real>::size(n);
  };
  for (int i = 0; i < N; ++i) {
    if (level.forced(i)) continue;
    place(row_[t][i], columns(t, i).size());
    for (int a = 0; a < world_.A; ++a) place(action(t, i, a).model, columns(t, i, a).size());
  }
}

// adds w phi at the distribution b_ to a model: its price becomes c + w (log b + Psi z)
template <class Real>
void Elimination<Real>::bend(SubtreeGain<Real>& model, Real w) {
  const int n = model.n, columns = n + 2;
  const Real* b = b_.data();
  log_b_.resize(n);
  for (int i = 0; i < n; ++i) log_b_[i] = std::log(b[i]);
  M_.assign(std::size_t(n) * n, 0), B_.resize(std::size_t(n) * columns);
  for (int i = 0; i < n; ++i) {
    const Real* Q = &model.Q[i * n];
    Real sum = 0, slope = 0;
    for (int j = 0; j < n; ++j) sum += Q[j], slope += Q[j] * log_b_[j];
    for (int j = 0; j < n; ++j) M_[i * n + j] = -w * (Q[j] / b[j] - sum);
    M_[i * n + i] += 1;
    std::copy_n(Q, n, &B_[i * columns]);
    B_[i * columns + n] = w * slope + model.k[i];
    B_[i * columns + n + 1] = model.h[i];
  }
  solve_linear(M_.data(), B_.data(), n, columns);
  // the terms in xi need the old h
  z_.assign(model.h, model.h + n);
  for (int i = 0; i < n; ++i) {
    std::copy_n(&B_[i * columns], n, &model.Q[i * n]);
    model.k[i] = B_[i * columns + n], model.h[i] = B_[i * columns + n + 1];
    model.alpha += w * z_[i] * log_b_[i];
  }
  model.alpha += w * curvature(z_.data(), model.k, b, n);
  model.beta -= w * curvature(z_.data(), model.h, b, n);
}

// the model of a move, from those of its outcomes
template <class Real>
void Elimination<Real>::join_outcomes(int t, int i, int a) {
  const Level& level = tree_.levels[t];
  const int s = level.state[i], begin = world_.begin(s, a), end = world_.end(s, a);
  const int* child = &level.child[level.first[i] + begin - world_.begin(s)];
  SubtreeGain<Real>& model = action(t, i, a).model;
  model.clear();
  bool decided = true;
  for (int e = begin; e < end; ++e, ++child) {
    const Real p = world_.p[e];
    const std::vector<int>& place = place_[t][e];
    if (tree_.levels[t + 1].forced(*child)) {
      model.h[place[0]] += p;
      continue;
    }
    decided = false;
    const SubtreeGain<Real>& from = row_[t + 1][*child];
    for (int x = 0; x < from.n; ++x) {
      model.k[place[x]] += p * from.k[x], model.h[place[x]] += p * from.h[x];
      Real* Q = &model.Q[place[x] * model.n];
      for (int y = 0; y < from.n; ++y) Q[place[y]] += p * from.Q[x * from.n + y];
    }
    model.alpha += p * from.alpha, model.beta += p * from.beta;
  }
  if (end - begin == 1) return;  // m(tau, a) is m(tau'), and their terms cancel
  if (decided) {
    for (int f = 0; f < model.n; ++f) model.alpha += chance_ * model.h[f] * std::log(model.h[f]);
    return;
  }
  const double* after = beliefs_.after(t, i, a);
  b_.clear();
  for (int f : columns(t, i, a)) b_.push_back(after[columns(t, i)[f]]);
  bend(model, chance_);
}

// the model of a row from those of its actions, each of which has a share xi_a
template <class Real>
void Elimination<Real>::join_actions(int t, int i, const double* pi, const double* product) {
  const int A = world_.A;
  const Real taken = taken_[t][i], kappa = mu_ / taken;
  SubtreeGain<Real>& row = row_[t][i];
  row.clear();
  mean_.assign(row.n, 0);
  // termination, where it is a choice, ends in the present state
  Real sum = 0, slope = 0;
  if (pi[A] > 0) {
    const int stop = here(t, i);
    sum = pi[A] * pi[A] * taken / product[A], slope = sum * kappa / pi[A];
    mean_[stop] = row.Q[stop * row.n + stop] = sum, row.k[stop] = slope;
  }
  for (int a = 0; a < A; ++a) {
    Action& own = action(t, i, a);
    const SubtreeGain<Real>& model = own.model;
    own.d = std::max(Real(0), model.beta) + product[a] / taken / pi[a];
    own.e = model.alpha + kappa / pi[a];
    const Real omega = pi[a] / own.d;
    const std::vector<int>& to = columns(t, i, a);
    for (int x = 0; x < model.n; ++x) {
      row.k[to[x]] += pi[a] * model.k[x] + omega * own.e * model.h[x];
      mean_[to[x]] += omega * model.h[x];
      Real* Q = &row.Q[to[x] * row.n];
      for (int y = 0; y < model.n; ++y) {
        Q[to[y]] += pi[a] * model.Q[x * model.n + y] + omega * model.h[x] * model.h[y];
      }
    }
    sum += omega, slope += omega * own.e;
  }
  // the shares add up to that of the row
  for (int x = 0; x < row.n; ++x) {
    row.k[x] -= mean_[x] * slope / sum;
    row.h[x] = mean_[x] / sum;
    for (int y = 0; y < row.n; ++y) row.Q[x * row.n + y] -= mean_[x] * mean_[y] / sum;
  }
  row.alpha = slope / sum, row.beta = 1 / sum;
}

// from the price of ending outside a row to that within it
template <class Real>
void Elimination<Real>::enter(int t, int i) {
  const SubtreeGain<Real>& row = row_[t][i];
  Real* price = &price_[t][at_[t][i]];
  const double* belief = beliefs_.before(t, i);
  Real sum = 0;
  z_.resize(row.n);
  for (int x = 0; x < row.n; ++x) {
    z_[x] = row.k[x] + row.h[x] * share_[t][i];
    for (int y = 0; y < row.n; ++y) z_[x] += row.Q[x * row.n + y] * price[y];
    sum += z_[x];
  }
  for (int x = 0; x < row.n; ++x) {
    const Real b = belief[columns(t, i)[x]];
    price[x] += row_weight(t) * (std::log(b) + z_[x] / b - sum);
  }
}

// the step of a row: xi_a = (h c + e - nu) / d, with nu such that sum pi_a xi_a = xi
template <class Real>
void Elimination<Real>::substitute(int t, int i, const double* pi, const double* product,
                                   double* change) {
  const int A = world_.A;
  if (!sole_[t][i]) enter(t, i);
  const Real* price = &price_[t][at_[t][i]];
  Real omega = 0, nu = 0, stop = 0, d_stop = 1;
  if (pi[A] > 0) {
    d_stop = product[A] / taken_[t][i] / pi[A];
    stop = price[here(t, i)] + mu_ / taken_[t][i] / pi[A];
    omega = pi[A] / d_stop, nu = omega * stop;
  }
  gain_.resize(A);
  for (int a = 0; a < A; ++a) {
    const Action& own = action(t, i, a);
    const std::vector<int>& to = columns(t, i, a);
    gain_[a] = own.e;
    for (int x = 0; x < own.model.n; ++x) gain_[a] += own.model.h[x] * price[to[x]];
    omega += pi[a] / own.d, nu += pi[a] / own.d * gain_[a];
  }
  nu = (nu - share_[t][i]) / omega;
  change[A] = pi[A] > 0 ? static_cast<double>((stop - nu) / d_stop) : 0;
  for (int a = 0; a < A; ++a) {
    const Real xi = (gain_[a] - nu) / action(t, i, a).d;
    change[a] = static_cast<double>(xi);
    hand_down(t, i, a, xi);
  }
}

// share and price of the rows that a move leads to
template <class Real>
void Elimination<Real>::hand_down(int t, int i, int a, Real xi) {
  const Level& level = tree_.levels[t];
  const int s = level.state[i], begin = world_.begin(s, a), end = world_.end(s, a);
  const SubtreeGain<Real>& model = action(t, i, a).model;
  const Real* price = &price_[t][at_[t][i]];
  const double* after = beliefs_.after(t, i, a);
  const std::vector<int>& to = columns(t, i, a);
  z_.resize(model.n);
  Real sum = 0;
  for (int x = 0; x < model.n && end - begin > 1; ++x) {
    z_[x] = model.k[x] + model.h[x] * xi;
    for (int y = 0; y < model.n; ++y) z_[x] += model.Q[x * model.n + y] * price[to[y]];
    sum += z_[x];
  }
  mean_.resize(model.n);
  for (int x = 0; x < model.n; ++x) {
    mean_[x] = price[to[x]];
    const Real b = after[columns(t, i)[to[x]]];
    if (end - begin > 1) mean_[x] += chance_ * (std::log(b) + z_[x] / b - sum);
  }
  const int* child = &level.child[level.first[i] + begin - world_.begin(s)];
  for (int e = begin; e < end; ++e, ++child) {
    if (tree_.levels[t + 1].forced(*child)) continue;
    share_[t + 1][*child] = xi;
    Real* next = &price_[t + 1][at_[t + 1][*child]];
    for (int f : place_[t][e]) *next++ = mean_[f];
  }
}

template <class Real>
void Elimination<Real>::pass_down_taken(int t, int i, const double* pi) {
  const Level& level = tree_.levels[t];
  const int s = level.state[i];
  const int* child = &level.child[level.first[i]];
  for (int a = 0; a < world_.A; ++a) {
    for (int e = world_.begin(s, a); e < world_.end(s, a); ++e) {
      taken_[t + 1][*child++] = taken_[t][i] * pi[a];
    }
  }
}

template <class Real>
void Elimination<Real>::operator()(Policy& change, const Policy& policy, const Policy& product,
                                   double mu) {
  const int A = world_.A, T = world_.T_max;
  mu_ = mu;
  beliefs_.update(policy);
  const auto each = [&](int t, auto&& row) {
    const Level& level = tree_.levels[t];
    for (int i = 0; i < level.rows(); ++i) {
      if (!level.forced(i)) row(i, &policy[t][std::size_t(i) * (A + 1)]);
    }
  };
  for (int t = 0; t < T; ++t) {
    each(t, [&](int i, const double* pi) { pass_down_taken(t, i, pi); });
  }
  // eliminate from the leaves to the root
  for (int t = T - 1; t >= 0; --t) {
    each(t, [&](int i, const double* pi) {
      for (int a = 0; a < A; ++a) join_outcomes(t, i, a);
      join_actions(t, i, pi, &product[t][std::size_t(i) * (A + 1)]);
      if (sole_[t][i]) return;
      b_.clear();
      for (int f : columns(t, i)) b_.push_back(beliefs_.before(t, i)[f]);
      bend(row_[t][i], row_weight(t));
    });
  }
  // substitute from the root to the leaves
  share_[0][0] = 0;
  std::fill(price_[0].begin(), price_[0].end(), 0);
  for (int t = 0; t < T; ++t) {
    each(t, [&](int i, const double* pi) {
      const std::size_t at = std::size_t(i) * (A + 1);
      substitute(t, i, pi, &product[t][at], &change[t][at]);
    });
  }
}

template class Elimination<double>;
template class Elimination<long double>;

}  // namespace vic
