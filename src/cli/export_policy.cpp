#include "cli/export_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "eval/export_rows.h"
#include "oracle/truth.h"
#include "run/run_folder.h"
#include "sim/world.h"

namespace vic {
namespace {

// {"left": 0.25, …}
Json named(const std::vector<std::string>& names, const double* p) {
  Json json = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) json[names[i]] = p[i];
  return json;
}

void add_history(Json& json, const TabularWorld& world, const History& history) {
  json["t"] = history.actions.size();
  json["state"] = world.state_names[history.states.back()];
  json["states"] = Json::array();
  json["actions"] = Json::array();
  for (const int s : history.states) json["states"].push_back(world.state_names[s]);
  for (const int a : history.actions) json["actions"].push_back(world.move_names[a]);
}

template <class Number>
std::vector<std::int64_t> whole(const std::vector<Number>& numbers) {
  return {numbers.begin(), numbers.end()};
}

Json policy_row(const PolicyRows& table, const TabularWorld& world, std::size_t r) {
  const std::vector<std::string> actions = action_names(world);
  const std::size_t A = actions.size() - 1, R = table.rows.size(), G = table.goals.size();
  Json json = Json::object();
  add_history(json, world, history_of(table.tree.histories, table.rows[r]));
  json["p"] = table.p[r];
  json["pi_p"] = named(actions, &table.pi_p[r * (A + 1)]);
  for (std::size_t g = 0; g < G && !table.pi_q.empty(); ++g) {
    json["pi_q"][world.state_names[table.goals[g]]] =
        named(actions, &table.pi_q[(g * R + r) * (A + 1)]);
  }
  for (std::size_t a = 0; a < A && !table.b.empty(); ++a) {
    std::vector<std::string> goals;
    for (const int goal : table.goals) goals.push_back(world.state_names[goal]);
    json["b"][actions[a]] = named(goals, &table.b[(r * A + a) * G]);
  }
  return json;
}

// histories as a tree: `parent` is a row of these arrays, which leave out histories without a
// choice
std::vector<NpzArray> policy_arrays(const PolicyRows& table, const Agent& agent) {
  const TabularWorld& world = agent.table();
  const Histories& histories = table.tree.histories;
  const std::size_t R = table.rows.size(), G = table.goals.size();
  const auto A = static_cast<std::size_t>(world.A);
  std::vector<std::int64_t> t, parent, action, state, place(histories.rows(), -1);
  for (std::size_t r = 0; r < R; ++r) {
    const int row = table.rows[r];
    place[row] = static_cast<std::int64_t>(r);
    t.push_back(std::ranges::upper_bound(histories.first, row) - histories.first.begin() - 1);
    parent.push_back(histories.parent[row] < 0 ? -1 : place[histories.parent[row]]);
    action.push_back(histories.action[row]);
    state.push_back(histories.state[row]);
  }
  const std::vector<std::string> actions = action_names(world);
  std::vector<NpzArray> arrays = {{"t", {R}, t},
                                  {"parent", {R}, parent},
                                  {"action", {R}, action},
                                  {"state", {R}, state},
                                  {"p", {R}, table.p},
                                  {"pi_p", {R, A + 1}, table.pi_p},
                                  {"goals", {G}, whole(table.goals)},
                                  {"state_names", {world.state_names.size()}, world.state_names},
                                  {"action_names", {A + 1}, actions}};
  // the encoding of states, for programs that evaluate a checkpoint themselves
  const auto S = static_cast<std::size_t>(world.S);
  const Codes& codes = *agent.codes;
  arrays.push_back({"state_lookup", {S, codes.lookup.size() / S}, whole(codes.lookup)});
  arrays.push_back({"state_numbers", {S, codes.numbers.size() / S}, codes.numbers});
  if (!table.pi_q.empty()) arrays.push_back({"pi_q", {G, R, A + 1}, table.pi_q});
  if (!table.b.empty()) arrays.push_back({"b", {R, A, G}, table.b});
  return arrays;
}

// An optimum as rows: those of the unrolled world that leave a choice.
struct OptimalRows {
  std::string objective;
  std::vector<std::int64_t> t, state;
  std::vector<double> p, pi;     // (R) and (R, A + 1)
  std::vector<History> history;  // (R) if rows are histories
};

OptimalRows rows_of(const char* objective, const Optimum& optimum, const Histories* histories) {
  const std::size_t width = static_cast<std::size_t>(optimum.unrolled.world->A) + 1;
  const Flow visited = flow(optimum.unrolled, optimum.policy);
  OptimalRows rows{.objective = objective, .t = {}, .state = {}, .p = {}, .pi = {}, .history = {}};
  for (std::size_t t = 0; t < optimum.unrolled.levels.size(); ++t) {
    const Level& level = optimum.unrolled.levels[t];
    for (int i = 0; i < level.rows(); ++i) {
      if (level.forced(i)) continue;
      rows.t.push_back(static_cast<std::int64_t>(t));
      rows.state.push_back(level.state[i]);
      rows.p.push_back(visited.visits[t][i]);
      const double* pi = &optimum.policy[t][std::size_t(i) * width];
      rows.pi.insert(rows.pi.end(), pi, pi + width);
      if (histories != nullptr) {
        rows.history.push_back(history_of(*histories, histories->first[t] + i));
      }
    }
  }
  return rows;
}

}  // namespace

std::vector<std::string> action_names(const TabularWorld& world) {
  std::vector<std::string> names = world.move_names;
  names.emplace_back("terminate");
  return names;
}

Export export_policy(const std::string& folder, const UserSettings& given, const Console& console) {
  const auto run = std::make_shared<const Run>(load_tabular_run(folder, warning_to(console)));
  EvalSettings settings = run->eval;
  Overrides overrides = given.overrides();
  overrides.apply("eval", settings);
  overrides.finish();
  const auto table = std::make_shared<const PolicyRows>(
      policy_rows(run->learner->agent(), settings.histories, shares_on(console, "goals")));
  return {.rows = table->rows.size(),
          .row = [run, table](std::size_t r) { return policy_row(*table, run->table(), r); },
          .arrays = [run, table] { return policy_arrays(*table, run->learner->agent()); }};
}

Export export_optimal(const std::string& name, const UserSettings& given, const Console& console) {
  Overrides overrides = given.overrides();
  const auto world = std::make_shared<const TabularWorld>(load_table(name, overrides));
  ExactSettings settings;
  overrides.apply("exact", settings);
  overrides.finish();
  settings.stop = console.stop;
  auto all = std::make_shared<std::vector<OptimalRows>>();
  {
    ProgressLine line(console);
    const auto show = [&](std::string_view quantity, double value, double gap) {
      if (!line.due()) return;
      line.show(fmt::format("solving the world: {} {:.4f}, certified to within {:.1e}", quantity,
                            value, gap));
    };
    const Truth truth = find_truth(*world, settings, show, {.C_open = false, .uniform = false});
    all->push_back(rows_of("H_max", truth.H_max, nullptr));
    const auto histories = enumerate_histories(*world, settings.histories);
    // in a deterministic world with too many histories, D_max is H_max
    const bool tree = truth.D_max && histories && truth.D_max->unrolled.rows() == histories->rows();
    if (tree) all->push_back(rows_of("D_max", *truth.D_max, &*histories));
    if (!tree) warning_to(console)("D_max has no policy over histories here; see vic exact.");
  }
  Export out;
  for (const OptimalRows& rows : *all) out.rows += rows.t.size();
  out.row = [all, world](std::size_t r) {
    const std::size_t first = all->front().t.size();
    const OptimalRows& rows = r < first ? all->front() : all->back();
    if (r >= first) r -= first;
    Json json = {{"objective", rows.objective},
                 {"t", rows.t[r]},
                 {"state", world->state_names[rows.state[r]]},
                 {"states", nullptr},
                 {"actions", nullptr},
                 {"p", rows.p[r]}};
    if (!rows.history.empty()) add_history(json, *world, rows.history[r]);
    const std::vector<std::string> actions = action_names(*world);
    json["pi"] = named(actions, &rows.pi[r * actions.size()]);
    return json;
  };
  out.arrays = [all, world] {
    std::vector<NpzArray> arrays = {
        {"state_names", {world->state_names.size()}, world->state_names},
        {"action_names", {std::size_t(world->A) + 1}, action_names(*world)}};
    for (const OptimalRows& rows : *all) {
      const std::size_t R = rows.t.size();
      const auto name_of_array = [&](const char* part) { return rows.objective + "_" + part; };
      arrays.push_back({name_of_array("t"), {R}, rows.t});
      arrays.push_back({name_of_array("state"), {R}, rows.state});
      arrays.push_back({name_of_array("p"), {R}, rows.p});
      arrays.push_back({name_of_array("pi"), {R, std::size_t(world->A) + 1}, rows.pi});
    }
    return arrays;
  };
  return out;
}

}  // namespace vic
