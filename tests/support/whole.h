// For the tests: all histories of a small world, with an agent's policy and rewards in each of
// them.
#pragma once

#include <vector>

#include "method/learner.h"
#include "oracle/unrolled.h"
#include "world/registry.h"

namespace vic {

// A world with all its histories: rows of the tree and rows of the unrolled levels are the same.
struct Whole {
  TabularWorld world;
  Histories tree;
  Unrolled unrolled;
  Queries queries;  // every row that has a choice

  explicit Whole(const char* name, std::vector<Assignment> assignments = {}) {
    Overrides overrides(std::move(assignments));
    world = load_world(name, overrides);
    tree = *enumerate_histories(world, 100000);
    unrolled = *unroll_histories(world, 100000);
    for (int t = 0; t < world.T_max; ++t) {
      for (int i = 0; i < unrolled.levels[t].rows(); ++i) {
        if (!unrolled.levels[t].forced(i)) queries.row.push_back(tree.first[t] + i);
      }
    }
  }

  // a policy from the probability of action a under query q
  Policy policy(const auto& probability) const {
    Policy policy = uniform_policy(unrolled);
    int q = 0;
    for (std::size_t t = 0; t < policy.size(); ++t) {
      for (int i = 0; i < unrolled.levels[t].rows(); ++i) {
        if (unrolled.levels[t].forced(i)) continue;
        for (int a = 0; a <= world.A; ++a) policy[t][i * (world.A + 1) + a] = probability(q, a);
        ++q;
      }
    }
    return policy;
  }
};

template <class Real>
HistoryInputs<Real> inputs_of(const Whole& whole, const Agent& agent) {
  HistoryInputs<Real> inputs;
  inputs.append(whole.tree, 0, agent.encoding, *agent.codes);
  return inputs;
}

// A batch in which every history is an option: for the rewards of all of them.
inline Batch batch_of_all(const Whole& whole, const Agent& agent) {
  const Histories& tree = whole.tree;
  Batch batch;
  batch.options = tree.rows();
  batch.histories = tree;
  batch.inputs = inputs_of<float>(whole, agent);
  batch.codes = agent.codes;
  batch.goal = {-1};
  batch.ended.assign(tree.rows(), 1);
  batch.external.assign(tree.rows(), 0);
  batch.forced.assign(tree.rows(), true);
  batch.into.assign(tree.rows(), -1);
  batch.stop.assign(tree.rows(), -1);
  batch.decided_levels = whole.world.T_max - 1;
  const auto decide = [&](int row, int a) {
    batch.decision_row.push_back(row);
    batch.decision_action.push_back(a);
    batch.decision_weight.push_back(1.0F / static_cast<float>(tree.rows()));
    return static_cast<int>(batch.decision_row.size()) - 1;
  };
  for (int row : whole.queries.row) {
    batch.forced[row] = false;
    batch.stop[row] = decide(row, whole.world.A);
  }
  // children of a row that share an action stand together
  for (int r = 1; r < tree.rows(); ++r) {
    const bool again = tree.parent[r] == tree.parent[r - 1] && tree.action[r] == tree.action[r - 1];
    batch.into[r] = again ? batch.into[r - 1] : decide(tree.parent[r], tree.action[r]);
  }
  return batch;
}

// The agent's intrinsic reward of every option.
inline Rows payoffs(const Agent& agent, const Whole& whole) {
  Scores scores;
  const std::vector<double>& rewards = intrinsic_rewards(scores, agent, batch_of_all(whole, agent));
  Rows payoff;
  for (int t = 0; t < whole.tree.levels(); ++t) {
    payoff.emplace_back(rewards.begin() + whole.tree.first[t],
                        rewards.begin() + whole.tree.first[t + 1]);
  }
  return payoff;
}

// An agent's exact policy.
inline Policy exact_policy(const Agent& agent, const Whole& whole) {
  const HistoryInputs<float> inputs = inputs_of<float>(whole, agent);
  ModelWorkspace work;
  agent.pi_p().net().encode(work.net, {whole.tree.first, whole.tree.parent}, inputs.view());
  const MatrixView<const float> p = agent.pi_p().probabilities(work, whole.queries, *agent.codes);
  return whole.policy([&](int q, int a) { return static_cast<double>(p(q, a)); });
}

}  // namespace vic
