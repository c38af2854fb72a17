// vic exact --from all: the empowerment map.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/file.h"
#include "base/print.h"
#include "base/process.h"
#include "cli/exact_view.h"
#include "cli/heat_map.h"
#include "cli/text.h"
#include "eval/exact_json.h"

namespace vic {
namespace {

std::optional<double> in(const Unit& unit, std::optional<double> nats) {
  if (nats) nats = unit.of(*nats);
  return nats;
}

// a table, unless there are too many starts
void print_starts(const TabularWorld& world, const StartMap& map, const Unit& unit,
                  std::ostream& out) {
  constexpr std::size_t most_rows = 40;
  if (map.starts.size() > most_rows) return;
  print(out, "  {:<12} {:>7}", "start", "states");
  for (const StartField& field : start_fields) print(out, " {:>11}", field.name);
  print(out, "\n");
  for (const StartOptima& start : map.starts) {
    print(out, "  {:<12} {:>7}", world.state_names[start.s_0], start.states_reachable);
    for (const StartField& field : start_fields) {
      print(out, " {:>11}", number_text(in(unit, start.*field.value), 4));
    }
    print(out, "\n");
  }
  print(out, "\n");
}

void print_summary(const TabularWorld& world, const StartMap& map, const Unit& unit,
                   std::ostream& out) {
  print(out, "  {:<12} {:>8} {:>8} {:<12} {:>8} {}\n", "", "mean", "least", "at", "largest", "at");
  for (const StartField& field : start_fields) {
    if (const std::optional<StartSummary> found = summarise(map, field)) {
      print(out, "  {:<12} {:>8.4f} {:>8.4f} {:<12} {:>8.4f} {}\n", field.name,
            unit.of(found->mean), unit.of(found->least), world.state_names[found->least_at],
            unit.of(found->largest), world.state_names[found->largest_at]);
    } else {
      print(out, "  {:<12} {:>8}\n", field.name, "-");
    }
  }
}

// the known fields; without noise all are the same, and one is enough
std::vector<ValuePanel> panels_of(const TabularWorld& world, const StartMap& map,
                                  const Unit& unit) {
  std::vector<ValuePanel> panels;
  for (const StartField& field : start_fields) {
    if (!summarise(map, field) || (world.deterministic() && !panels.empty())) continue;
    std::vector<std::optional<double>> values(world.S);
    for (const StartOptima& start : map.starts) {
      values[start.s_0] = in(unit, start.*field.value);
    }
    panels.push_back({field.name, std::move(values)});
  }
  return panels;
}

void print_map(const TabularWorld& world, const StartMap& map, double gap, const Unit& unit,
               const Console& console) {
  double widest = 0;
  for (const StartOptima& start : map.starts) {
    for (const auto& own : {start.H_max_gap, start.D_max_gap, start.C_open_gap}) {
      widest = std::max(widest, own.value_or(0));
    }
  }
  print(console.out,
        "{}, T_max = {}: the optima from each of {} starts, in {} (certified to within "
        "{:.1e}; exact.gap = {:g} nats)\n\n",
        world.name, world.T_max, map.starts.size(), unit.name, unit.of(widest), gap);
  print_starts(world, map, unit, console.out);
  print_summary(world, map, unit, console.out);
  const bool several = std::ranges::count_if(start_fields, [&](const StartField& field) {
                         return summarise(map, field).has_value();
                       }) > 1;
  for (const ValuePanel& panel : panels_of(world, map, unit)) {
    if (world.picture.empty()) continue;
    print(console.out, "\n  {} by start{}\n\n{}", panel.title,
          world.deterministic() && several ? ", and all the others" : "",
          value_map(world, panel.values, console.palette));
  }
  print_notes(map.notes, console.out);
}

}  // namespace

void run_start_map(const TabularWorld& world, const ExactSettings& settings,
                   const Quantities& wanted, const ExactOptions& options, const Console& console) {
  const Stopwatch watch;
  Ranks& ranks = ranks_of_job(console.stop);
  const Unit unit = options.unit();
  const StartMap map = map_starts(world, settings, thread_count(options.threads),
                                  shares_on(console, "starts"), wanted, ranks);
  ranks.finish();
  if (ranks.rank() > 0) return;
  if (options.timing) {
    print(console.err, "{} starts, {:.3f} s\n", map.starts.size(), watch.seconds());
  }
  if (!options.svg.empty()) {
    const std::string label = fmt::format("the empowerment map of {}, by start{}", world.name,
                                          options.bits ? ", in bits" : "");
    write_file(options.svg, value_sheet(world, panels_of(world, map, unit), label));
  }
  console.show([&] { return in_unit(start_map_json(world, map, settings.gap), unit); },
               [&] { print_map(world, map, settings.gap, unit, console); });
}

}  // namespace vic
