#include "oracle/frontier.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "oracle/newton.h"
#include "oracle/reach.h"
#include "oracle/share_work.h"

namespace vic {
namespace {

// ascents beyond lambda = 1 begin at the maximiser of H and at random policies, whose number is
// limited by the sweeps that the budget allows
constexpr double sweeps_a_start = 200;
constexpr int most_random_starts = 12;

// A policy mixed with a little of the uniform one, so that an ascent can reach every action.
Policy softened(Policy policy, const Unrolled& tree) {
  constexpr double share = 0.01;
  const Policy uniform = uniform_policy(tree);
  for (std::size_t t = 0; t < policy.size(); ++t) {
    for (std::size_t i = 0; i < policy[t].size(); ++i) {
      policy[t][i] = (1 - share) * policy[t][i] + share * uniform[t][i];
    }
  }
  return policy;
}

// A random policy far from uniform: near the border, ascents end in different corners.
Policy scattered(const Unrolled& tree, int number) {
  const int actions = tree.world->A + 1;
  Policy policy = uniform_policy(tree);
  std::uint32_t row = 0;
  for (std::size_t t = 0; t < policy.size(); ++t) {
    for (int i = 0; i < tree.levels[t].rows(); ++i, ++row) {
      if (tree.levels[t].forced(i)) continue;
      double sum = 0;
      for (int a = 0; a < actions; ++a) {
        if (policy[t][i * actions + a] == 0) continue;  // not available
        const double u = uniform({.seed = static_cast<std::uint64_t>(number),
                                  .row = row,
                                  .draw = static_cast<std::uint32_t>(a)});
        sum += policy[t][i * actions + a] = 0.01 + u * u * u;
      }
      for (int a = 0; a < actions; ++a) policy[t][i * actions + a] /= sum;
    }
  }
  return policy;
}

// the best of several ascents
Maximum climb_from_everywhere(const Unrolled& tree, double lambda, const AscentLimits& limits,
                              const Policy& maximiser_of_H) {
  const Gradient gradient = control_gradient(tree, lambda);
  AscentLimits each = limits;
  const double sweeps = limits.transitions / static_cast<double>(tree.transitions() + tree.rows());
  const int random_starts =
      static_cast<int>(std::clamp(sweeps / sweeps_a_start - 1, 1.0, 1.0 * most_random_starts));
  each.transitions /= random_starts + 1;
  Maximum best = climb(tree, gradient, each, softened(maximiser_of_H, tree));
  for (int k = 1; k <= random_starts; ++k) {
    Maximum other = climb(tree, gradient, each, scattered(tree, k));
    if (other.value > best.value) best = std::move(other);
  }
  return best;
}

// H, D and N of a policy
struct Shares {
  double H = 0, D = 0, N = 0;
};

// the maximiser for a lambda: value and gap
struct Solved {
  double value = 0, gap = 0;
  Shares shares;
  double success = 0;
};

// D + lambda N of a policy
double worth(const Shares& shares, double lambda) {
  return shares.D + lambda * shares.N;
}

void add_budget_note(Frontier& frontier, const ExactSettings& settings) {
  int stopped = 0;
  double widest = 0;
  for (const FrontierPoint& point : frontier.points) {
    if (point.lambda > 1 || point.gap <= settings.gap) continue;
    ++stopped;
    widest = std::max(widest, point.gap);
  }
  if (stopped == 0) return;
  frontier.notes.push_back(fmt::format(
      "{} points stopped at the budget with gaps up to {:.1e}; exact.budget = {:g} would go on.",
      stopped, widest, 10 * settings.budget));
}

}  // namespace

std::vector<double> frontier_lambdas() {
  return {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1, 1.01, 1.1, 1.25, 1.5, 2};
}

std::optional<Frontier> find_frontier(const TabularWorld& world, std::span<const double> lambdas,
                                      const ExactSettings& settings, int threads,
                                      const TaskProgress& progress, Ranks& ranks) {
  const std::optional<Unrolled> tree = unroll_for_control(world, settings);
  if (!tree) return std::nullopt;
  const AscentLimits limits{.gap = settings.gap,
                            .transitions = settings.budget,
                            .least_policy = least_control_policy(world),
                            .stop = settings.stop};
  // lambda = 1, the maximum of H: the bound beyond 1, and a starting point
  const Maximum H = maximise(*tree, entropy_gradient(*tree), limits);

  const auto solve = [&](int k) -> Solved {
    const double lambda = lambdas[k];
    const Maximum found = lambda == 1  ? H
                          : lambda < 1 ? maximise_control(*tree, lambda, limits)
                                       : climb_from_everywhere(*tree, lambda, limits, H.policy);
    const Control control = measure(*tree, found.policy, settings.stop);
    return {found.value,
            found.gap,
            {control.H, control.D, control.N},
            mean_success(world, posterior_success(*tree, found.policy))};
  };
  const std::vector<Solved> solved =
      solve_shared<Solved>(static_cast<int>(lambdas.size()), threads, progress, ranks, solve);

  Frontier frontier;
  frontier.best_success = mean_success(world, best_success(world, settings.stop));
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    settings.stop.check();
    const double lambda = lambdas[k];
    // beyond 1 an ascent may end below the value that another lambda's policy has here
    std::size_t best = k;
    for (std::size_t i = 0; i < lambdas.size() && lambda > 1; ++i) {
      if (worth(solved[i].shares, lambda) > worth(solved[best].shares, lambda)) best = i;
    }
    const Shares& shares = solved[best].shares;
    FrontierPoint& point = frontier.points.emplace_back();
    point = {lambda, solved[k].value, solved[k].gap, {shares.H, shares.D, shares.N, {}}, 0};
    if (lambda > 1) {
      point.value = worth(shares, lambda);
      point.gap = lambda * (H.value + H.gap) - point.value;
    }
    point.success = solved[best].success;
  }
  add_budget_note(frontier, settings);
  return frontier;
}

}  // namespace vic
