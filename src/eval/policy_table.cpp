#include "eval/policy_table.h"

#include <cmath>
#include <map>
#include <span>

#include "info/entropy.h"
#include "method/baselines/skills.h"

namespace vic {
namespace {

PolicyTable tabulate_skills(const Agent& agent, const HistoryTree& tree) {
  const int A = agent.table().A;
  const std::vector<double> prior = skill_prior(agent);
  TreePolicy policy(policy_of(agent), agent, tree);
  PolicyTable out{uniform_policy(tree.unrolled), 0};
  Policy conditioned = out.policy, passing = conditioned;
  for (auto& level : passing) std::fill(level.begin(), level.end(), 0);
  std::vector<double> p_f(agent.table().S, 0);
  Flow to;
  for (int skill = 0; skill < agent.settings.skills; ++skill) {
    policy.fill(conditioned, skill);
    flow(to, tree.unrolled, conditioned);
    *out.I -= prior[skill] * entropy(to.p_f);
    for (std::size_t s = 0; s < p_f.size(); ++s) p_f[s] += prior[skill] * to.p_f[s];
    for (std::size_t t = 0; t < conditioned.size(); ++t) {
      for (std::size_t k = 0; k < conditioned[t].size(); ++k) {
        passing[t][k] += prior[skill] * to.visits[t][k / (A + 1)] * conditioned[t][k];
      }
    }
  }
  *out.I += entropy(p_f);
  // the policy averaged over skills; in a history that never occurs it stays uniform
  for (std::size_t t = 0; t < passing.size(); ++t) {
    for (std::size_t k = 0; k < passing[t].size(); k += A + 1) {
      const std::span<double> row(&passing[t][k], A + 1);
      double sum = 0;
      for (double p : row) sum += p;
      for (int a = 0; sum > 0 && a <= A; ++a) out.policy[t][k + a] = row[a] / sum;
    }
  }
  return out;
}

// Histories that share their actions, walked together: sum_sequences p(sequence) p(s_f | sequence)
// log p(s_f | sequence) / p(s_f).
class SharedActions {
 public:
  SharedActions(const Unrolled& unrolled, const Policy& policy, const std::vector<double>& p_f)
      : unrolled_(unrolled), policy_(policy), p_f_(p_f) {}

  double information() { return walk(0, {{0, 1.0}}, {}, 1); }

 private:
  using Weights = std::map<int, double>;  // of rows, or of states

  // `rows` of level t share their actions, with the probabilities of being there; `absorbed` states
  // have ended already; the policy takes these actions with probability p
  double walk(int t, const Weights& rows, Weights absorbed, double p) {
    const TabularWorld& world = *unrolled_.world;
    const Level& level = unrolled_.levels[t];
    Weights ended = absorbed;
    int open = -1;
    for (const auto& [row, weight] : rows) {
      ended[level.state[row]] += weight;
      if (level.forced(row)) {
        absorbed[level.state[row]] += weight;
      } else {
        open = row;
      }
    }
    const double* pi = open < 0 ? nullptr : &policy_[t][open * (world.A + 1)];
    double sum = p * (pi == nullptr ? 1 : pi[world.A]) * divergence(ended);
    for (int a = 0; pi != nullptr && a < world.A; ++a) {
      Weights next;
      for (const auto& [row, weight] : rows) {
        if (level.forced(row)) continue;
        const int s = level.state[row];
        for (int e = world.first[s * world.A + a]; e < world.first[s * world.A + a + 1]; ++e) {
          next[level.child[level.first[row] + (e - world.begin(s))]] += weight * world.p[e];
        }
      }
      if (pi[a] > 0) sum += walk(t + 1, next, absorbed, p * pi[a]);
    }
    return sum;
  }

  double divergence(const Weights& states) const {
    double sum = 0;
    for (const auto& [s, p] : states) sum += p * std::log(p / p_f_[s]);
    return sum;
  }

  const Unrolled& unrolled_;
  const Policy& policy_;
  const std::vector<double>& p_f_;
};

}  // namespace

std::optional<HistoryTree> enumerate_tree(const TabularWorld& world, long largest_rows) {
  std::optional<Histories> histories = enumerate_histories(world, largest_rows);
  if (!histories) return std::nullopt;
  Unrolled unrolled = unroll_histories(world, *histories);
  return HistoryTree{std::move(*histories), std::move(unrolled)};
}

PolicyTable tabulate(const Agent& agent, const HistoryTree& tree) {
  if (agent.algorithm->policy_goal == GoalKind::skill) return tabulate_skills(agent, tree);
  PolicyTable out{uniform_policy(tree.unrolled), std::nullopt};
  TreePolicy(policy_of(agent), agent, tree).fill(out.policy);
  if (agent.encoding.blind) {
    const Flow to = flow(tree.unrolled, out.policy);
    out.I = SharedActions(tree.unrolled, out.policy, to.p_f).information();
  }
  return out;
}

TreePolicy::TreePolicy(const Actor& policy, const Agent& agent, const HistoryTree& tree)
    : policy_(policy), agent_(agent), tree_(tree) {
  inputs_.append(tree.histories, 0, agent.encoding, *agent.codes);
  policy_.encode(work_, context());
}

QueryContext TreePolicy::context() const {
  return {tree_.histories, inputs_.view(), tree_of(tree_.histories, tree_.histories.levels() - 1),
          *agent_.codes};
}

void TreePolicy::fill(Policy& table, int goal, double temperature) {
  const int A = agent_.table().A;
  const Histories& histories = tree_.histories;
  for (int t = 0; t + 1 < histories.levels(); ++t) {
    const Level& level = tree_.unrolled.levels[t];
    queries_.clear();
    for (int i = 0; i < level.rows(); ++i) {
      if (level.forced(i)) continue;
      queries_.row.push_back(histories.first[t] + i);
      if (goal >= 0) queries_.goal.push_back(goal);
    }
    if (queries_.size() == 0) continue;
    const MatrixView<const float> p = policy_.probabilities(work_, queries_, context());
    for (int q = 0; q < queries_.size(); ++q) {
      const std::span<double> row(&table[t][(queries_.row[q] - histories.first[t]) * (A + 1)],
                                  A + 1);
      for (int a = 0; a <= A; ++a) row[a] = double(p(q, a));
      temper(row, temperature);
    }
  }
}

}  // namespace vic
