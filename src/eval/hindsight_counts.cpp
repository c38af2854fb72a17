#include "eval/hindsight_counts.h"

#include <algorithm>
#include <cmath>

namespace vic {

PassCounts::PassCounts(const Unrolled& tree, int columns) : columns_(columns) {
  for (const Level& level : tree.levels) count_.emplace_back(level.rows() * columns_, 0.0);
}

void PassCounts::clear() {
  for (auto& level : count_) std::ranges::fill(level, 0);
}

namespace {

// Sums the terms history by history.
class Sums {
 public:
  Sums(const Unrolled& tree, const Policy& policy, const Beliefs& beliefs, const Flow& visited,
       const PassCounts& counts, double sigma)
      : tree_(tree),
        world_(*tree.world),
        policy_(policy),
        beliefs_(beliefs),
        visited_(visited),
        counts_(counts),
        sigma_(sigma) {}

  HindsightEstimate result() {
    for (int t = 0; t + 1 < world_.T_max; ++t) {
      for (int i = 0; i < tree_.levels[t].rows(); ++i) {
        if (!tree_.levels[t].forced(i) && visited_.visits[t][i] > 0) add_row(t, i);
      }
    }
    HindsightEstimate out{.D = D_, .N = N_, .U = kl_pi_ + kl_rho_q_ + kl_rho_p_};
    if (world_.d > 0) {
      out.N_sigma = N_sigma_;
      out.U_sigma = std::abs(exact_N_ - N_sigma_) + kl_pi_;
    }
    return out;
  }

 private:
  void add_row(int t, int i) {
    const int s = tree_.levels[t].state[i], A = world_.A;
    const double visit = visited_.visits[t][i];
    const double* pi = &policy_[t][i * (A + 1)];
    for (int f : beliefs_.support(t, s)) {
      const double before = beliefs_.before(t, i)[f];
      if (before <= 0) continue;
      const double here = counts_.at(t, i, f);
      double moved = 0;
      const auto add_action = [&](int a, double count, double posterior) {
        if (posterior <= 0) return;
        const double q = (count + pi[a]) / (here + 1), p = visit * before * posterior;
        D_ += p * std::log(q / pi[a]);
        kl_pi_ += p * std::log(posterior / q);
      };
      for (int a = 0; a < A; ++a) {
        const double count = count_of(t, i, a, f);
        moved += count;
        add_action(a, count, pi[a] * beliefs_.after(t, i, a)[f] / before);
      }
      if (beliefs_.column(s) == f) add_action(A, here - moved, pi[A] / before);
    }
    for (int a = 0; a < A; ++a) add_transitions(t, i, a, visit * pi[a]);
  }

  // the children of a history and an action
  template <class Visit>
  void each_child(int t, int i, int a, Visit&& visit) const {
    const Level& level = tree_.levels[t];
    const int s = level.state[i];
    for (int e = world_.begin(s, a); e < world_.end(s, a); ++e) {
      visit(e, level.child[level.first[i] + (e - world_.begin(s))]);
    }
  }

  double count_of(int t, int i, int a, int f) const {
    double sum = 0;
    each_child(t, i, a, [&](int, int child) { sum += counts_.at(t + 1, child, f); });
    return sum;
  }

  void add_transitions(int t, int i, int a, double taken) {
    const int s = tree_.levels[t].state[i];
    const std::vector<int>& support = beliefs_.support(t, s);
    const int m = world_.end(s, a) - world_.begin(s, a);
    // rho_p, from all options that took this action
    rho_p_.clear();
    double all = 0;
    each_child(t, i, a, [&](int, int child) {
      double count = 0;
      for (int f : support) count += counts_.at(t + 1, child, f);
      rho_p_.push_back(count + 1.0 / m);
      all += count;
    });
    for (double& p : rho_p_) p /= all + 1;
    for (int k = 0; k < m; ++k) {
      const double p = world_.p[world_.begin(s, a) + k];
      kl_rho_p_ += taken * p * std::log(p / rho_p_[k]);
    }
    smooth(f_p_, rho_p_, s, a);
    // rho_q, from those that ended in f
    for (int f : support) {
      const double after = beliefs_.after(t, i, a)[f];
      if (after <= 0) continue;
      const double count = count_of(t, i, a, f);
      rho_q_.clear();
      each_child(t, i, a, [&](int, int child) {
        rho_q_.push_back((counts_.at(t + 1, child, f) + rho_p_[rho_q_.size()]) / (count + 1));
      });
      smooth(f_q_, rho_q_, s, a);
      each_child(t, i, a, [&](int e, int child) {
        const double ratio = beliefs_.at(t + 1, child, f) / after;  // p(s' | tau, a, f) / p(s')
        if (ratio <= 0) return;
        const int k = e - world_.begin(s, a);
        const double p = taken * after * world_.p[e] * ratio;
        exact_N_ += p * std::log(ratio);
        N_ += p * std::log(rho_q_[k] / rho_p_[k]);
        kl_rho_q_ += p * std::log(world_.p[e] * ratio / rho_q_[k]);
        if (world_.d > 0) N_sigma_ += p * std::log(f_q_[k] / f_p_[k]);
      });
    }
  }

  // the density at each successor of the mixture whose components are centred on the successors;
  // factors common to all densities are left out
  void smooth(std::vector<double>& out, const std::vector<double>& weight, int s, int a) const {
    if (world_.d == 0) return;
    out.assign(weight.size(), 0);
    const int* next = &world_.next[world_.begin(s, a)];
    for (std::size_t k = 0; k < weight.size(); ++k) {
      for (std::size_t c = 0; c < weight.size(); ++c) {
        double square = 0;
        for (int x = 0; x < world_.d; ++x) {
          const double far = world_.coordinates[std::size_t(next[k]) * world_.d + x] -
                             world_.coordinates[std::size_t(next[c]) * world_.d + x];
          square += far * far;
        }
        out[k] += weight[c] * std::exp(-square / (2 * sigma_ * sigma_));
      }
    }
  }

  const Unrolled& tree_;
  const TabularWorld& world_;
  const Policy& policy_;
  const Beliefs& beliefs_;
  const Flow& visited_;
  const PassCounts& counts_;
  const double sigma_;
  double D_ = 0, N_ = 0, N_sigma_ = 0, exact_N_ = 0;
  double kl_pi_ = 0, kl_rho_q_ = 0, kl_rho_p_ = 0;
  std::vector<double> rho_p_, rho_q_, f_p_, f_q_;  // (outcomes)
};

}  // namespace

HindsightEstimate estimate_in_hindsight(const Unrolled& tree, const Policy& policy,
                                        const Beliefs& beliefs, const Flow& visited,
                                        const PassCounts& counts, double sigma) {
  return Sums(tree, policy, beliefs, visited, counts, sigma).result();
}

}  // namespace vic
