// vic exact --from all: the empowerment map.
#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/print.h"
#include "base/tasks.h"
#include "cli/exact_parts.h"
#include "cli/heat_map.h"
#include "cli/start_sheet.h"
#include "cli/value_table.h"
#include "eval/exact_json.h"

namespace vic {
namespace {

// more starts than this are only summarised and mapped
constexpr std::size_t most_rows = 40;

void print_table(const TabularWorld& world, const StartMap& map, const Console& console) {
  print(console.out, "  {:<12} {:>7}", "start", "states");
  for (const StartField& field : start_fields()) print(console.out, " {:>11}", field.name);
  print(console.out, "\n");
  for (const StartOptima& start : map.starts) {
    print(console.out, "  {:<12} {:>7}", world.state_names[start.s_0], start.states_reachable);
    for (const StartField& field : start_fields()) {
      print(console.out, " {:>11}", number_text(field.value(start), 4));
    }
    print(console.out, "\n");
  }
  print(console.out, "\n");
}

void print_summary(const TabularWorld& world, const StartMap& map, const Console& console) {
  print(console.out, "  {:<12} {:>8} {:>8} {:<12} {:>8} {}\n", "", "mean", "least", "at", "largest",
        "at");
  for (const StartField& field : start_fields()) {
    const std::optional<StartSummary> found = summarise(map, field);
    if (!found) {
      print(console.out, "  {:<12} {:>8}\n", field.name, "-");
      continue;
    }
    print(console.out, "  {:<12} {:>8.4f} {:>8.4f} {:<12} {:>8.4f} {}\n", field.name, found->mean,
          found->least, world.state_names[found->least_at], found->largest,
          world.state_names[found->largest_at]);
  }
}

// those that are known; without noise all are the same, and one is enough
std::vector<StartField> drawn_fields(const TabularWorld& world, const StartMap& map) {
  std::vector<StartField> fields;
  for (const StartField& field : start_fields()) {
    const bool repeated = world.deterministic() && !fields.empty();
    if (summarise(map, field) && !repeated) fields.push_back(field);
  }
  return fields;
}

// of every state, empty where it is no start or the field is not known
std::vector<std::optional<double>> by_state(const TabularWorld& world, const StartMap& map,
                                            const StartField& field) {
  std::vector<std::optional<double>> values(world.S);
  for (const StartOptima& start : map.starts) values[start.s_0] = field.value(start);
  return values;
}

void print_map(const TabularWorld& world, const StartMap& map, double gap, const Console& console) {
  double widest = 0;
  for (const StartOptima& start : map.starts) {
    widest = std::max(
        {widest, start.H_max_gap, start.D_max_gap.value_or(0), start.C_open_gap.value_or(0)});
  }
  print(console.out,
        "{}, T_max = {}: the optima from each of {} starts, in nats (certified to within "
        "{:.1e}; exact.gap = {:g})\n\n",
        world.name, world.T_max, map.starts.size(), widest, gap);
  if (map.starts.size() <= most_rows) print_table(world, map, console);
  print_summary(world, map, console);
  for (const StartField& field : drawn_fields(world, map)) {
    if (world.picture.empty()) continue;
    print(console.out, "\n  {} by start{}\n\n{}", field.name,
          world.deterministic() ? ", and all the others" : "",
          value_map(world, by_state(world, map, field), console.palette));
  }
  for (const std::string& note : map.notes) print(console.out, "\n  note: {}", note);
  if (!map.notes.empty()) print(console.out, "\n");
}

std::string map_svg(const TabularWorld& world, const StartMap& map) {
  std::vector<StartPanel> panels;
  for (const StartField& field : drawn_fields(world, map)) {
    panels.push_back({field.name, by_state(world, map, field)});
  }
  return start_sheet(world, panels, fmt::format("the empowerment map of {}, by start", world.name));
}

}  // namespace

ExactSettings start_map_settings() {
  return {.gap = 1e-4, .budget = 3e8};
}

void run_start_map(const TabularWorld& world, const ExactSettings& settings,
                   const ExactOptions& options, const Console& console) {
  const Stopwatch watch;
  StartMap map;
  {
    ProgressLine line(console);
    map = map_starts(world, settings, thread_count(options.threads),
                     [&](int done, int starts) { line.show_share(done, starts, "starts"); });
  }
  if (options.timing) {
    print(console.err, "{} starts, {:.3f} s\n", map.starts.size(), watch.seconds());
  }
  if (!options.svg.empty()) write_file(options.svg, map_svg(world, map));
  console.show([&] { return start_map_json(world, map, settings.gap); },
               [&] { print_map(world, map, settings.gap, console); });
}

}  // namespace vic
