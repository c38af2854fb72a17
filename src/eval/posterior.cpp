#include "eval/posterior.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "oracle/beliefs.h"
#include "oracle/unrolled.h"

namespace vic {
namespace {

// Queries to a hindsight model, with their exact probabilities.
struct ExactQueries {
  Queries queries;
  std::vector<double> weight;  // (Q) how often the policy's options meet the query
  Targets targets;
  std::vector<double> exact;  // (M) p(target | query, s_f)
  std::vector<double> prior;  // (M) p(target | query): what is known without s_f

  void add_query(int row, int s_f, double how_often) {
    queries.row.push_back(row);
    queries.goal.push_back(s_f);
    weight.push_back(how_often);
  }
  void add_target(int choice, double posterior, double without_s_f) {
    targets.query.push_back(queries.size() - 1);
    targets.choice.push_back(choice);
    exact.push_back(posterior);
    prior.push_back(without_s_f);
  }

  // the mean over the queries of sum_targets exact * error(m)
  template <class Error>
  double mean(Error&& error) const {
    double sum = 0, total = 0;
    for (double w : weight) total += w;
    for (std::size_t m = 0; m < exact.size(); ++m) {
      if (exact[m] > 0) sum += weight[targets.query[m]] * exact[m] * error(m);
    }
    return total > 0 ? sum / total : 0;
  }
};

// Calls visit(t, i, row, f, p(tau)) for every history and final state that the policy can produce.
template <class Visit>
void each_pair(const Unrolled& unrolled, const Beliefs& beliefs, const Flow& visited,
               Visit&& visit) {
  int row = 0;
  for (int t = 0; t + 1 < unrolled.world->T_max; ++t) {
    const Level& level = unrolled.levels[t];
    for (int i = 0; i < level.rows(); ++i, ++row) {
      if (level.forced(i) || visited.visits[t][i] == 0) continue;
      for (int f : beliefs.support(t, level.state[i])) {
        if (beliefs.before(t, i)[f] > 0) visit(t, i, row, f, visited.visits[t][i]);
      }
    }
  }
}

// p(a | tau, s_f) = pi(a | tau) p(s_f | tau, a) / p(s_f | tau)
ExactQueries action_queries(const Unrolled& unrolled, const Policy& policy, const Beliefs& beliefs,
                            const Flow& visited) {
  const int A = unrolled.world->A;
  ExactQueries exact;
  each_pair(unrolled, beliefs, visited, [&](int t, int i, int row, int f, double passing) {
    const double before = beliefs.before(t, i)[f];
    const double* pi = &policy[t][i * (A + 1)];
    exact.add_query(row, beliefs.final_state(f), passing * before);
    for (int a = 0; a < A; ++a)
      exact.add_target(a, pi[a] * beliefs.after(t, i, a)[f] / before, pi[a]);
    const bool here = beliefs.column(unrolled.levels[t].state[i]) == f;
    exact.add_target(A, here ? pi[A] / before : 0, pi[A]);
  });
  return exact;
}

// p(s' | tau, a, s_f) = p(s' | s, a) p(s_f | tau, a, s') / p(s_f | tau, a)
ExactQueries transition_queries(const Unrolled& unrolled, const Policy& policy,
                                const Beliefs& beliefs, const Flow& visited) {
  const TabularWorld& world = *unrolled.world;
  ExactQueries exact;
  each_pair(unrolled, beliefs, visited, [&](int t, int i, int row, int f, double passing) {
    const Level& level = unrolled.levels[t];
    const int s = level.state[i];
    for (int a = 0; a < world.A; ++a) {
      const double after = beliefs.after(t, i, a)[f];
      if (after <= 0) continue;
      exact.add_query(row, beliefs.final_state(f),
                      passing * policy[t][i * (world.A + 1) + a] * after);
      exact.queries.action.push_back(a);
      for (int e = world.first[s * world.A + a]; e < world.first[s * world.A + a + 1]; ++e) {
        const int child = level.child[level.first[i] + (e - world.begin(s))];
        exact.add_target(world.next[e], world.p[e] * beliefs.at(t + 1, child, f) / after,
                         world.p[e]);
      }
    }
  });
  return exact;
}

// p(s_f | tau, a)
ExactQueries belief_queries(const Unrolled& unrolled, const Policy& policy, const Beliefs& beliefs,
                            const Flow& visited) {
  const int A = unrolled.world->A;
  ExactQueries exact;
  int row = 0;
  for (int t = 0; t + 1 < unrolled.world->T_max; ++t) {
    const Level& level = unrolled.levels[t];
    for (int i = 0; i < level.rows(); ++i, ++row) {
      if (level.forced(i) || visited.visits[t][i] == 0) continue;
      for (int a = 0; a < A; ++a) {
        exact.queries.row.push_back(row);
        exact.queries.action.push_back(a);
        exact.weight.push_back(visited.visits[t][i] * policy[t][i * (A + 1) + a]);
        for (int f : beliefs.support(t, level.state[i])) {
          exact.add_target(beliefs.final_state(f), beliefs.after(t, i, a)[f], 0);
        }
      }
    }
  }
  return exact;
}

// the mean of KL(p(a | tau, s_f) || pi_q) for a goal policy that has no model of its own
double goal_policy_error(const Agent& agent, const HistoryTree& tree, const ExactQueries& actions) {
  const int A = agent.table().A;
  TreePolicy goal_policy(*goal_policy_of(agent), agent, tree);
  Policy table = uniform_policy(tree.unrolled);
  int filled = -1;
  // in the order of goals
  std::vector<int> order(actions.queries.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int q) { return actions.queries.goal[q]; });
  std::vector<double> log_q(actions.exact.size());
  for (int q : order) {
    if (const int goal = actions.queries.goal[q]; goal != filled) {
      goal_policy.fill(table, goal);
      filled = goal;
    }
    const std::vector<int>& first = tree.histories.first;
    const int row = actions.queries.row[q];
    const auto t = std::ranges::upper_bound(first, row) - first.begin() - 1;
    const double* p = &table[t][std::size_t(row - first[t]) * (A + 1)];
    for (int a = 0; a <= A; ++a) log_q[std::size_t(q) * (A + 1) + a] = std::log(p[a]);
  }
  return actions.mean([&](auto m) { return std::log(actions.exact[m]) - log_q[m]; });
}

}  // namespace

PosteriorError posterior_error(const Agent& agent, const HistoryTree& tree, const Policy& policy) {
  const auto& [histories, unrolled] = tree;
  const Flow visited = flow(unrolled, policy);
  Beliefs beliefs(unrolled);
  beliefs.update(policy);
  HistoryInputs<float> inputs;
  inputs.append(histories, 0, agent.encoding, *agent.codes);
  const QueryContext context{histories, inputs.view(), tree_of(histories, histories.levels() - 1),
                             *agent.codes};
  const auto log_p = [&](Role role, const ExactQueries& exact) {
    const Model& model = *agent.find(role);
    ModelWorkspace work;
    std::vector<float> learned;
    model.net().encode(work.net, context.tree, context.inputs);
    model.log_p(learned, work, exact.queries, exact.targets, context);
    return learned;
  };

  PosteriorError error;
  const ExactQueries actions = action_queries(unrolled, policy, beliefs, visited);
  error.pi_q_blind =
      actions.mean([&](auto m) { return std::log(actions.exact[m] / actions.prior[m]); });
  if (agent.find(Role::pi_q) == nullptr) {
    error.pi_q = goal_policy_error(agent, tree, actions);
    const ExactQueries ends = belief_queries(unrolled, policy, beliefs, visited);
    const std::vector<float> b = log_p(Role::belief, ends);
    error.b = ends.mean([&](auto m) { return std::log(ends.exact[m]) - double(b[m]); });
    return error;
  }
  const std::vector<float> pi_q = log_p(Role::pi_q, actions);
  error.pi_q = actions.mean([&](auto m) { return std::log(actions.exact[m]) - double(pi_q[m]); });
  if (agent.find(Role::rho_q) == nullptr) return error;

  const ExactQueries transitions = transition_queries(unrolled, policy, beliefs, visited);
  const std::vector<float> rho_p = log_p(Role::rho_p, transitions);
  const std::vector<float> rho_q = log_p(Role::rho_q, transitions);
  // a mixture is a density: only ratios of densities compare with ratios of probabilities
  if (agent.find(Role::rho_q)->is_categorical()) {
    error.rho_q =
        transitions.mean([&](auto m) { return std::log(transitions.exact[m]) - double(rho_q[m]); });
  }
  const auto exact = [&](auto m) { return std::log(transitions.exact[m] / transitions.prior[m]); };
  error.rho_ratio = transitions.mean(
      [&](auto m) { return std::abs(double(rho_q[m]) - double(rho_p[m]) - exact(m)); });
  error.rho_ratio_blind = transitions.mean([&](auto m) { return std::abs(exact(m)); });
  return error;
}

}  // namespace vic
