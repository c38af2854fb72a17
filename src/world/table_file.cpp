// World files, form 2: a table of states, actions and transitions.
#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "base/text.h"
#include "world/world_form.h"

namespace vic {
namespace {

constexpr Range coordinate_range{-1e9, 1e9};

// names and the numbers they stand for
struct Names {
  std::vector<std::string> list;
  std::unordered_map<std::string, int> number;

  // Adds the name in `value`, which must be new.
  void add(const FileValue& value) {
    std::string name = value.name();
    if (!number.emplace(name, static_cast<int>(list.size())).second) {
      value.fail("{} = \"{}\" is there twice; every name may be there once.", value.key(), name);
    }
    list.push_back(std::move(name));
  }

  // The number of the name in `value`; `kind` is what has such names.
  int find(const FileValue& value, std::string_view kind) const {
    const std::string name = value.text();
    const auto found = number.find(name);
    if (found != number.end()) return found->second;
    value.fail("{} = \"{}\" is no {}{}", value.key(), shown(name), kind, hint(name, list));
  }
};

struct State {
  std::vector<double> at;
  bool absorbing = false;
  double reward = 0;
  int line = 0;
};

struct Transition {
  int from = 0, action = 0, to = 0;
  double p = 1;
  int line = 0;

  auto key() const { return std::tuple(from, action, to); }
};

struct Table {
  Names state_names, action_names;
  std::vector<State> states;
  std::vector<Transition> transitions;  // those of a state and action beside each other

  // The beginning of a row, as the user writes it.
  std::string row(int s, int a) const {
    return fmt::format("[\"{}\", \"{}\", ", state_names.list[s], action_names.list[a]);
  }
};

void read_states(const FileValue& value, Table& table) {
  for (const FileValue& element : value.list("a list of at least one [[states]]")) {
    const FileValue& keys = element.table({"name", "at", "absorbing", "reward"});
    table.state_names.add(keys["name"]);
    State state{.at = {}, .line = element.line()};
    if (const FileValue at = keys["at"]) {
      for (const FileValue& x : at.list("a list of coordinates such as [0, 1.5]")) {
        state.at.push_back(x.number(coordinate_range));
      }
    }
    if (const FileValue absorbing = keys["absorbing"]) state.absorbing = absorbing.flag();
    if (const FileValue reward = keys["reward"]) state.reward = reward.number(reward_range);
    table.states.push_back(std::move(state));
    const std::size_t d = table.states.back().at.size();
    const std::size_t expected = table.states.front().at.size();
    if (d != expected) {
      element.fail("state {} has {} coordinates; it must have {}, as state {} has.",
                   table.state_names.list.back(), d, expected, table.state_names.list.front());
    }
  }
}

void read_transitions(const FileValue& value, Table& table) {
  const char* allowed = "a row [\"from\", \"action\", \"to\", p]";
  for (const FileValue& row : value.list("a list of rows [\"from\", \"action\", \"to\", p]")) {
    const std::vector<FileValue> parts = row.list(allowed);
    if (parts.size() < 3 || parts.size() > 4) row.reject(allowed);
    Transition transition{.from = table.state_names.find(parts[0].called("from"), "state"),
                          .action = table.action_names.find(parts[1].called("action"), "action"),
                          .to = table.state_names.find(parts[2].called("to"), "state"),
                          .line = row.line()};
    if (parts.size() == 4) transition.p = parts[3].called("p").number(Range{0, 1});
    if (table.states[transition.from].absorbing) {
      row.fail("state {} is absorbing, so nothing leads out of it; remove this row.",
               table.state_names.list[transition.from]);
    }
    table.transitions.push_back(transition);
  }

  // bring together what belongs together; rows that say the same of two p are a mistake
  auto& list = table.transitions;
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& x, const auto& y) { return x.key() < y.key(); });
  const auto twice = std::adjacent_find(
      list.begin(), list.end(), [](const auto& x, const auto& y) { return x.key() == y.key(); });
  if (twice == list.end()) return;
  value.fail_at(twice[1].line,
                fmt::format("{}\"{}\"] is on line {} already; write one row with the whole p.",
                            table.row(twice->from, twice->action),
                            table.state_names.list[twice->to], twice->line));
}

// hands the transitions to the builder by state and action; every pair must have some
void set_outcomes(const FileValue& value, const Table& table, WorldBuilder& builder) {
  std::vector<Outcome> outcomes;
  auto next = table.transitions.begin();
  for (int s = 0; s < static_cast<int>(table.states.size()); ++s) {
    if (table.states[s].absorbing) continue;
    for (int a = 0; a < static_cast<int>(table.action_names.list.size()); ++a) {
      outcomes.clear();
      double sum = 0;
      const auto first = next;
      for (; next != table.transitions.end() && next->from == s && next->action == a; ++next) {
        outcomes.push_back({next->to, next->p});
        sum += next->p;
      }
      if (outcomes.empty()) {
        value.fail_at(
            table.states[s].line,
            fmt::format("state {} has no transition for action {}; add {}TO, P].",
                        table.state_names.list[s], table.action_names.list[a], table.row(s, a)));
      }
      if (!sums_to_one(sum)) {
        value.fail_at(first->line, fmt::format("the rows {}...] have p that sum to {}; they must "
                                               "sum to 1.",
                                               table.row(s, a), sum));
      }
      builder.set_outcomes(s, a, outcomes);
    }
  }
}

}  // namespace

WrittenWorld read_table_form(const FileValue& file, const CommonKeys& common) {
  Table table;
  read_states(file["states"], table);
  for (const FileValue& action :
       file["actions"].list("a list of names such as [\"stay\", \"go\"]")) {
    table.action_names.add(action);
  }
  check_size(fmt::format("{}:{}: states", file.path(), file["states"].line()),
             static_cast<double>(table.states.size()),
             static_cast<double>(table.action_names.list.size()), /*outcomes=*/1);
  read_transitions(file["transitions"], table);

  WrittenWorld written;
  WorldBuilder builder(common.name, table.action_names.list, common.T_max);
  builder.set_step_reward(common.step_reward);
  for (std::size_t i = 0; i < table.states.size(); ++i) {
    const State& state = table.states[i];
    const int s = builder.add_state(table.state_names.list[i], state.at);
    if (state.absorbing) builder.set_absorbing(s);
    if (state.reward != 0) builder.set_enter_reward(s, state.reward);
    written.lines.push_back(state.line);
  }
  set_outcomes(file["transitions"], table, builder);

  // the starts that the command line may choose from
  Names starts;
  if (const FileValue value = file["starts"]) {
    for (const FileValue& element : value.list("a list of names of states")) {
      starts.add(element);
      builder.add_start(table.state_names.find(element, "state"));
    }
  }
  written.start_names = std::move(starts.list);
  const int s_0 =
      written.start_names.empty() ? 0 : table.state_names.number.at(written.start_names.front());
  written.world = builder.build(s_0);
  return written;
}

}  // namespace vic
