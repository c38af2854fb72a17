#include "oracle/eigenoptions.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "info/entropy.h"

namespace vic {
namespace {

constexpr int most_states = 2000;

// the adjacency of states, in either direction, without self-loops
Eigen::MatrixXd neighbours(const TabularWorld& world) {
  Eigen::MatrixXd near = Eigen::MatrixXd::Zero(world.S, world.S);
  for (int s = 0; s < world.S; ++s) {
    for (int e = world.begin(s); e < world.end(s); ++e) {
      if (world.next[e] != s) near(s, world.next[e]) = near(world.next[e], s) = 1;
    }
  }
  return near;
}

// the moves as a policy over the states that options come to
Policy policy_of(const Unrolled& states, const std::vector<int>& moves) {
  const TabularWorld& world = *states.world;
  Policy policy = uniform_policy(states);
  for (std::size_t t = 0; t + 1 < states.levels.size(); ++t) {
    std::ranges::fill(policy[t], 0);
    for (int i = 0; i < states.levels[t].rows(); ++i) {
      const int s = states.levels[t].state[i];
      policy[t][static_cast<std::size_t>(i) * (world.A + 1) + moves[t * world.S + s]] = 1;
    }
  }
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

std::vector<std::vector<double>> eigenpurposes(const TabularWorld& world, int count) {
  std::vector<std::vector<double>> purposes;
  for (std::vector<double>& direction : slow_directions(world, (count + 1) / 2)) {
    purposes.push_back(direction);
    for (double& e : direction) e = -e;
    purposes.push_back(std::move(direction));
  }
  if (static_cast<int>(purposes.size()) > count) purposes.pop_back();
  return purposes;
}

std::vector<int> pursue(const TabularWorld& world, const std::vector<double>& purpose) {
  const int S = world.S, A = world.A;
  std::vector<int> moves(static_cast<std::size_t>(world.T_max - 1) * S, A);
  std::vector<double> after(S, 0), value(S, 0);  // with one move less, and with as many as at t
  for (int t = world.T_max - 2; t >= 0; --t) {
    for (int s = 0; s < S; ++s) {
      // gains below this are rounding
      value[s] = 0;
      double least = 1e-12;
      for (int a = 0; a < A && !world.absorbing[s]; ++a) {
        double gain = 0;
        for (int e = world.begin(s, a); e < world.end(s, a); ++e) {
          const int next = world.next[e];
          gain += world.p[e] * (purpose[next] - purpose[s] + after[next]);
        }
        if (gain <= least) continue;
        value[s] = least = gain;
        moves[static_cast<std::size_t>(t) * S + s] = a;
      }
    }
    std::swap(after, value);
  }
  return moves;
}

OptionSet eigenoptions(const TabularWorld& world, int count) {
  const Unrolled states = unroll_states(world);
  OptionSet set;
  set.p_f.assign(world.S, 0);
  set.success.assign(world.S, 0);
  double conditional = 0;
  for (const std::vector<double>& purpose : eigenpurposes(world, count)) {
    const Flow to = flow(states, policy_of(states, pursue(world, purpose)));
    conditional += entropy(to.p_f);
    for (int s = 0; s < world.S; ++s) {
      set.p_f[s] += to.p_f[s];
      set.success[s] = std::max(set.success[s], to.p_f[s]);
    }
    ++set.options;
  }
  for (double& p : set.p_f) p /= set.options;
  set.H = entropy(set.p_f);
  set.I = set.H - conditional / set.options;
  return set;
}

}  // namespace vic
