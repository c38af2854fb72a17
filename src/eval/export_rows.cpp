#include "eval/export_rows.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"

namespace vic {
namespace {

// the log-probability of all decisions of the option that ended in the row
double decided(const Batch& batch, const std::vector<float>& log_pi_p, int row) {
  double sum = batch.stop[row] >= 0 ? double(log_pi_p[batch.stop[row]]) : 0;
  for (int r = row; r >= 0; r = batch.histories.parent[r]) {
    if (batch.into[r] >= 0) sum += double(log_pi_p[batch.into[r]]);
  }
  return sum;
}

OptionRow option_of(const Agent& agent, const Batch& batch, const Scores& scores, int row) {
  OptionRow option;
  History history = history_of(batch.histories, row);
  if (const Simulator* simulator = agent.simulator()) {
    const int n = simulator->spec().n();
    for (const int state : history.states) {
      const auto observed = observed_state(batch, n, state);
      option.observed.insert(option.observed.end(), observed.begin(), observed.end());
    }
    for (const int action : history.actions) {
      if (agent.encoding.continuous == 0) {
        batch.codes->append_choices(option.levels, agent.encoding, action);
        continue;
      }
      const std::vector<double> controls = controls_of(simulator->spec(), *batch.codes, action);
      option.controls.insert(option.controls.end(), controls.begin(), controls.end());
    }
  } else {
    option.states = std::move(history.states);
    option.actions = std::move(history.actions);
    option.actions.push_back(agent.table().A);
  }
  option.cell = batch.cell[row];
  option.reward = scores.reward[row];
  option.log_pi_p = decided(batch, scores.log_pi_p, row);
  option.external = batch.external[row];
  return option;
}

// (R, A, G) the belief, queried for every move in every row
std::vector<double> belief_table(const Agent& agent, const PolicyRows& table) {
  const Histories& histories = table.tree.histories;
  const int A = agent.table().A;
  HistoryInputs<float> inputs;
  inputs.append(histories, 0, agent.encoding, *agent.codes);
  const QueryContext context{histories, inputs.view(), tree_of(histories, histories.levels() - 1),
                             *agent.codes};
  Queries queries;
  Targets targets;
  for (const int row : table.rows) {
    for (int a = 0; a < A; ++a) {
      queries.row.push_back(row);
      queries.action.push_back(a);
      for (const int goal : table.goals) {
        targets.query.push_back(queries.size() - 1);
        targets.choice.push_back(goal);
      }
    }
  }
  const Model& model = *agent.find(Role::belief);
  ModelWorkspace work;
  std::vector<float> log_p;
  model.net().encode(work.net, context.tree, context.inputs);
  model.log_p(log_p, work, queries, targets, context);
  std::vector<double> p;
  for (const float one : log_p) p.push_back(std::exp(double(one)));
  return p;
}

}  // namespace

History history_of(const Histories& histories, int row) {
  History history;
  for (int r = row; r >= 0; r = histories.parent[r]) {
    history.states.push_back(histories.state[r]);
    if (histories.action[r] >= 0) history.actions.push_back(histories.action[r]);
  }
  std::ranges::reverse(history.states);
  std::ranges::reverse(history.actions);
  return history;
}

std::vector<OptionRow> sample_rows(const Learner& learner, int options, int seed,
                                   const Step& step) {
  constexpr int B = 1000;
  const Agent& agent = learner.agent();
  const std::unique_ptr<Sampler> sampler = make_sampler(agent);
  std::vector<OptionRow> all;
  Batch batch;
  Scores scores;
  for (int k = 0; k * B < options; ++k) {
    step(k * B, options);
    const int size = std::min(B, options - k * B);
    sample_options(batch, agent, *sampler, scores.policy, size,
                   {stream_seed(Stream::evaluation, seed), static_cast<std::uint32_t>(k)});
    score(scores, agent,
          {.batch = batch,
           .recent = learner.state().recent,
           .by_skill = &learner.state().by_skill,
           .critic = false,
           .threads = agent.settings.threads});
    for (int r = 0; r < batch.histories.rows(); ++r) {
      if (batch.ended[r] == 0) continue;
      const OptionRow option = option_of(agent, batch, scores, r);
      all.insert(all.end(), static_cast<std::size_t>(batch.count(r)), option);
    }
  }
  return all;
}

PolicyRows policy_rows(const Agent& agent, long largest_rows, const Step& step) {
  const TabularWorld& world = agent.table();
  std::optional<HistoryTree> tree = enumerate_tree(world, largest_rows);
  if (!tree) {
    fail_usage(
        "{} has more than {} histories; raise eval.histories, or export options with --options.",
        world.name, largest_rows);
  }
  PolicyRows out;
  out.tree = std::move(*tree);
  out.goals = world.final_states();
  const auto& levels = out.tree.unrolled.levels;
  const Histories& histories = out.tree.histories;
  // the rows that leave a choice: their level, and their place in it
  std::vector<std::pair<int, int>> places;
  for (int t = 0; t + 1 < histories.levels(); ++t) {
    for (int i = 0; i < levels[t].rows(); ++i) {
      if (levels[t].forced(i)) continue;
      out.rows.push_back(histories.first[t] + i);
      places.emplace_back(t, i);
    }
  }
  const std::size_t R = out.rows.size(), G = out.goals.size();
  const std::optional<Actor> goal_policy = goal_policy_of(agent);
  const bool has_b = agent.find(Role::belief) != nullptr;
  constexpr double most_numbers = 1e8;
  if (static_cast<double>(R * G) * (world.A + 1) * ((goal_policy ? 1 : 0) + (has_b ? 1 : 0)) >
      most_numbers) {
    fail_usage("The tables of {} would have more than {:g} numbers; choose a smaller world.T_max.",
               world.name, most_numbers);
  }
  const auto append = [&](const Policy& table, std::vector<double>& list) {
    for (const auto& [t, i] : places) {
      const double* row = &table[t][std::size_t(i) * (world.A + 1)];
      list.insert(list.end(), row, row + world.A + 1);
    }
  };
  const PolicyTable policy = tabulate(agent, out.tree);
  append(policy.policy, out.pi_p);
  const Flow visited = flow(out.tree.unrolled, policy.policy);
  for (const auto& [t, i] : places) out.p.push_back(visited.visits[t][i]);
  if (goal_policy) {
    TreePolicy conditioned(*goal_policy, agent, out.tree);
    Policy table = uniform_policy(out.tree.unrolled);
    for (std::size_t g = 0; g < G; ++g) {
      step(static_cast<int>(g), static_cast<int>(G));
      conditioned.fill(table, condition_for(agent, out.goals[g]));
      append(table, out.pi_q);
    }
  }
  if (has_b) out.b = belief_table(agent, out);
  return out;
}

}  // namespace vic
