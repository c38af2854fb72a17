#include "oracle/start_map.h"

#include <fmt/core.h>

#include <algorithm>

#include "oracle/share_work.h"

namespace vic {
namespace {

StartOptima optima_of(const Truth& truth) {
  StartOptima start;
  start.s_0 = truth.world->s_0;
  start.states_reachable = truth.states_reachable;
  if (truth.wanted.H_max) {
    start.H_max = truth.H_max.value;
    start.H_max_gap = truth.H_max.gap;
  }
  if (truth.D_max) {
    start.D_max = truth.D_max->value;
    start.D_max_gap = truth.D_max->gap;
    start.H_at_D_max = truth.D_max->control.H;
    start.H_at_D_max_low = truth.H_at_D_max.low;
    start.H_at_D_max_high = truth.H_at_D_max.high;
  }
  if (truth.C_open) {
    start.C_open = truth.C_open->value;
    start.C_open_gap = truth.C_open->gap;
  }
  return start;
}

// notes that differ only in their numbers count as the same
std::string without_numbers(const std::string& note) {
  std::string text;
  for (char c : note) {
    if (!((c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-')) text += c;
  }
  return text;
}

// each note once, in the words of its first start, with the number of starts that have it
std::vector<std::string> gather_notes(const TabularWorld& world, const std::vector<int>& states,
                                      const std::vector<std::vector<std::string>>& notes) {
  struct Gathered {
    std::string key, note;
    int first = 0, count = 0;
  };
  std::vector<Gathered> all;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    for (const std::string& note : notes[i]) {
      const std::string key = without_numbers(note);
      auto found = std::ranges::find(all, key, &Gathered::key);
      if (found == all.end()) found = all.insert(found, {key, note, states[i], 0});
      ++found->count;
    }
  }
  std::vector<std::string> out;
  for (const Gathered& g : all) {
    if (g.count == static_cast<int>(states.size())) {
      out.push_back(fmt::format("From every start: {}", g.note));
    } else {
      out.push_back(fmt::format("From {} of {} starts, {} the first: {}", g.count, states.size(),
                                world.state_names[g.first], g.note));
    }
  }
  return out;
}

// brings the notes of each start to all ranks
void share_notes(std::vector<std::vector<std::string>>& notes, Ranks& ranks) {
  if (ranks.size() == 1) return;
  std::string text;  // start, tab, note, line by line
  for (std::size_t i = 0; i < notes.size(); ++i) {
    for (const std::string& note : notes[i]) text += fmt::format("{}\t{}\n", i, note);
    notes[i].clear();
  }
  const std::vector<char> all = gather(ranks, std::vector<char>(text.begin(), text.end()));
  for (auto from = all.begin(); from != all.end();) {
    const auto tab = std::find(from, all.end(), '\t'), end = std::find(tab, all.end(), '\n');
    notes[std::stoul(std::string(from, tab))].emplace_back(tab + 1, end);
    from = end + 1;
  }
}

}  // namespace

StartMap map_starts(const TabularWorld& world, const ExactSettings& settings, int threads,
                    const TaskProgress& progress, const Quantities& wanted, Ranks& ranks) {
  std::vector<int> states;
  for (int s = 0; s < world.S; ++s) {
    if (!world.absorbing[s]) states.push_back(s);
  }
  StartMap map;
  std::vector<std::vector<std::string>> notes(states.size());
  map.starts = solve_shared<StartOptima>(
      static_cast<int>(states.size()), threads, progress, ranks, [&](int i) {
        const TabularWorld started = started_at(world, states[i]);
        const Truth truth = find_truth(started, settings, {}, wanted);
        notes[i] = truth.notes;
        return optima_of(truth);
      });
  share_notes(notes, ranks);
  map.notes = gather_notes(world, states, notes);
  return map;
}

std::optional<StartSummary> summarise(const StartMap& map, const StartField& field) {
  // symmetric starts differ in the last digits only; the first of them is named
  constexpr double equal = 1e-9;
  std::optional<StartSummary> summary;
  for (const StartOptima& start : map.starts) {
    const std::optional<double> value = start.*field.value;
    if (!value) continue;
    if (!summary) summary = {0, *value, *value, start.s_0, start.s_0, 0};
    if (*value < summary->least - equal) summary->least = *value, summary->least_at = start.s_0;
    if (*value > summary->largest + equal)
      summary->largest = *value, summary->largest_at = start.s_0;
    summary->mean += *value;
    ++summary->starts;
  }
  if (summary) summary->mean /= summary->starts;
  return summary;
}

}  // namespace vic
