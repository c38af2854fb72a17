#include "oracle/eigenoptions.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "info/entropy.h"

namespace vic {
namespace {

constexpr int most_states = 2000;

// which states are neighbours, in either direction; no state is its own
Eigen::MatrixXd neighbours(const TabularWorld& world) {
  Eigen::MatrixXd near = Eigen::MatrixXd::Zero(world.S, world.S);
  for (int s = 0; s < world.S; ++s) {
    for (int e = world.begin(s); e < world.end(s); ++e) {
      if (world.next[e] != s) near(s, world.next[e]) = near(world.next[e], s) = 1;
    }
  }
  return near;
}

// the best policy for a purpose; it terminates where no move gains anything
Policy pursue(const Unrolled& states, const std::vector<double>& purpose) {
  const int A = states.world->A;
  Policy policy = uniform_policy(states);
  const auto gain = [&](int s, int next) { return purpose[next] - purpose[s]; };
  backward(states, gain, [&](int t, int i, std::span<const double> q) {
    if (q.empty()) return 0.0;
    const auto best = std::max_element(q.begin(), q.end());
    // gains below this are rounding
    const bool stop = *best <= 1e-12;
    double* row = &policy[t][i * (A + 1)];
    std::fill(row, row + A + 1, 0);
    row[stop ? A : best - q.begin()] = 1;
    return stop ? 0.0 : *best;
  });
  return policy;
}

}  // namespace

std::vector<std::vector<double>> slow_directions(const TabularWorld& world, int count) {
  if (world.S > most_states) {
    fail_usage("{} has {} states; the eigenvectors of more than {} are not computed.", world.name,
               world.S, most_states);
  }
  const Eigen::MatrixXd near = neighbours(world);
  const Eigen::VectorXd degree = near.rowwise().sum().cwiseMax(1);
  const Eigen::VectorXd scale = degree.cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd laplacian =
      Eigen::MatrixXd::Identity(world.S, world.S) - scale.asDiagonal() * near * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(laplacian);
  std::vector<std::vector<double>> directions;
  for (int k = 1; k < world.S && static_cast<int>(directions.size()) < count; ++k) {
    const Eigen::VectorXd e = scale.asDiagonal() * solver.eigenvectors().col(k);
    directions.emplace_back(e.data(), e.data() + e.size());
  }
  return directions;
}

OptionSet eigenoptions(const TabularWorld& world, int count) {
  const Unrolled states = unroll_states(world);
  OptionSet set;
  set.p_f.assign(world.S, 0);
  set.success.assign(world.S, 0);
  double conditional = 0;
  for (std::vector<double>& purpose : slow_directions(world, (count + 1) / 2)) {
    for (int sense = 0; sense < 2 && set.options < count; ++sense) {
      const Flow to = flow(states, pursue(states, purpose));
      conditional += entropy(to.p_f);
      for (int s = 0; s < world.S; ++s) {
        set.p_f[s] += to.p_f[s];
        set.success[s] = std::max(set.success[s], to.p_f[s]);
      }
      ++set.options;
      for (double& e : purpose) e = -e;
    }
  }
  for (double& p : set.p_f) p /= set.options;
  set.H = entropy(set.p_f);
  set.I = set.H - conditional / set.options;
  return set;
}

}  // namespace vic
