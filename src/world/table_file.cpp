// World files, form 2: a table of states, actions and transitions.
#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "base/text.h"
#include "world/world_file.h"

namespace vic {
namespace {

constexpr Range coordinate_range{-1e9, 1e9};

// names and their numbers
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

  // The number of the name in `value`; `kind` says what is named, for errors.
  int find(const FileValue& value, std::string_view kind) const {
    const std::string name = value.text();
    const auto found = number.find(name);
    if (found != number.end()) return found->second;
    value.fail("{} = \"{}\" is no {}{}", value.key(), shown(name), kind, suggestion(name, list));
  }
};

struct Transition {
  int from = 0, action = 0, to = 0;
  double p = 1;
  int line = 0;

  auto key() const { return std::tuple(from, action, to); }
};

struct Table {
  Names states, actions;
  std::vector<char> absorbing;          // (S)
  std::vector<int> lines;               // (S) the line of the file that defines the state
  std::vector<Transition> transitions;  // those of a state and action are adjacent

  // The beginning of a row, as the user writes it.
  std::string row(int s, int a) const {
    return fmt::format("[\"{}\", \"{}\", ", states.list[s], actions.list[a]);
  }
};

void read_states(const FileValue& file, Table& table, WorldBuilder& builder) {
  std::size_t expected = 0;  // coordinates
  for (const FileValue& element : file["states"].list("a list of at least one [[states]]")) {
    const FileValue& keys = element.table({"name", "at", "absorbing", "reward"});
    table.states.add(keys["name"]);
    std::vector<double> at;
    if (const FileValue value = keys["at"]) {
      for (const FileValue& x : value.list("a list of coordinates such as [0, 1.5]")) {
        at.push_back(x.number(coordinate_range));
      }
    }
    if (table.lines.empty()) expected = at.size();
    if (at.size() != expected) {
      element.fail("state {} has {} coordinates; it must have {}, as state {} has.",
                   table.states.list.back(), at.size(), expected, table.states.list.front());
    }
    const int s = builder.add_state(table.states.list.back(), std::move(at));
    table.lines.push_back(element.line());
    table.absorbing.push_back(keys["absorbing"] && keys["absorbing"].flag());
    if (table.absorbing.back()) builder.set_absorbing(s);
    if (keys["reward"]) builder.set_enter_reward(s, keys["reward"].number(reward_range));
  }
}

void read_transitions(const FileValue& value, Table& table) {
  const char* allowed = "a row [\"from\", \"action\", \"to\", p]";
  for (const FileValue& row : value.list("a list of rows [\"from\", \"action\", \"to\", p]")) {
    const std::vector<FileValue> parts = row.list(allowed);
    if (parts.size() < 3 || parts.size() > 4) row.reject(allowed);
    Transition transition{.from = table.states.find(parts[0].called("from"), "state"),
                          .action = table.actions.find(parts[1].called("action"), "action"),
                          .to = table.states.find(parts[2].called("to"), "state"),
                          .line = row.line()};
    if (parts.size() == 4) transition.p = parts[3].called("p").number(Range{0, 1});
    if (table.absorbing[transition.from]) {
      row.fail("state {} is absorbing, so nothing leads out of it; remove this row.",
               table.states.list[transition.from]);
    }
    table.transitions.push_back(transition);
  }

  // sort by state and action; two rows for the same transition are a mistake
  auto& list = table.transitions;
  std::ranges::stable_sort(list, {}, &Transition::key);
  const auto twice = std::ranges::adjacent_find(list, {}, &Transition::key);
  if (twice == list.end()) return;
  value.fail_at(twice[1].line, "{}\"{}\"] is on line {} already; write one row with the whole p.",
                table.row(twice->from, twice->action), table.states.list[twice->to], twice->line);
}

// passes the transitions to the builder by state and action; every pair must have some
void set_outcomes(const FileValue& value, const Table& table, WorldBuilder& builder) {
  std::vector<Outcome> outcomes;
  auto next = table.transitions.begin();
  const int S = static_cast<int>(table.lines.size());
  const int A = static_cast<int>(table.actions.list.size());
  for (int s = 0; s < S; ++s) {
    for (int a = 0; a < A && !table.absorbing[s]; ++a) {
      outcomes.clear();
      double sum = 0;
      const auto first = next;
      for (; next != table.transitions.end() && next->from == s && next->action == a; ++next) {
        outcomes.push_back({next->to, next->p});
        sum += next->p;
      }
      if (outcomes.empty()) {
        value.fail_at(table.lines[s], "state {} has no transition for action {}; add {}TO, P].",
                      table.states.list[s], table.actions.list[a], table.row(s, a));
      }
      if (!sums_to_one(sum)) {
        value.fail_at(first->line, "the rows {}...] have p that sum to {}; they must sum to 1.",
                      table.row(s, a), sum);
      }
      builder.set_outcomes(s, a, outcomes);
    }
  }
}

}  // namespace

WrittenWorld read_table_form(const FileValue& file, const CommonKeys& common) {
  Table table;
  for (const FileValue& action :
       file["actions"].list("a list of names such as [\"stay\", \"go\"]")) {
    table.actions.add(action);
  }
  check_size(fmt::format("{}:{}: states", file.path(), file["states"].line()),
             static_cast<double>(file["states"].json().size()),
             static_cast<double>(table.actions.list.size()), /*outcomes=*/1);
  WorldBuilder builder(common.name, table.actions.list, common.T_max);
  builder.set_step_reward(common.step_reward);
  read_states(file, table, builder);
  read_transitions(file["transitions"], table);
  set_outcomes(file["transitions"], table, builder);

  // the starts that the command line may choose from
  Names starts;
  int s_0 = 0;
  if (const FileValue value = file["starts"]) {
    for (const FileValue& element : value.list("a list of names of states")) {
      starts.add(element);
      builder.add_start(table.states.find(element, "state"));
    }
    s_0 = table.states.number.at(starts.list.front());
  }
  return {builder.build(s_0), std::move(starts.list), std::move(table.lines)};
}

}  // namespace vic
