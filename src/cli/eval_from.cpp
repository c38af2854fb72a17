// vic eval RUN --from all: the learned empowerment map.
#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/print.h"
#include "cli/eval_report.h"
#include "cli/heat_map.h"
#include "cli/text.h"
#include "eval/start_eval.h"

namespace vic {
namespace {

// if histories cannot be enumerated: an interval of about 0.05 nats
constexpr int options_per_start = 2000;

Json starts_json(const Run& run, const std::vector<StartControl>& starts) {
  Json json = run_json(run);
  json["starts"] = Json::array();
  for (const StartControl& one : starts) {
    json["starts"].push_back({{"start", run.table().state_names[one.start]},
                              {"exact", one.exact},
                              {"H", one.H},
                              {"ci95", one.ci95},
                              {"D", maybe(one.D)},
                              {"N", maybe(one.N)}});
  }
  return json;
}

// a map for each quantity; without chance all of H is control, and one map is enough
std::vector<ValuePanel> panels_of(const TabularWorld& world,
                                  const std::vector<StartControl>& starts) {
  std::vector<std::optional<double>> H(world.S), D(world.S);
  for (const StartControl& one : starts) {
    H[one.start] = one.H;
    D[one.start] = one.D;
  }
  if (!starts.front().D || world.deterministic()) return {{"H", H}};
  return {{"H", H}, {"D", D}};
}

void print_panel(const TabularWorld& world, const ValuePanel& panel, const Console& console) {
  double sum = 0;
  std::vector<int> known;
  for (int s = 0; s < world.S; ++s) {
    if (!panel.values[s]) continue;
    sum += *panel.values[s];
    known.push_back(s);
  }
  const auto value = [&](int s) { return *panel.values[s]; };
  const int least = *std::ranges::min_element(known, {}, value);
  const int largest = *std::ranges::max_element(known, {}, value);
  print(console.out, "  {}: mean {:.4f}, least {:.4f} at {}, largest {:.4f} at {}\n", panel.title,
        sum / static_cast<double>(known.size()), value(least), world.state_names[least],
        value(largest), world.state_names[largest]);
  if (world.picture.empty()) return;
  print(console.out, "\n{}\n", value_map(world, panel.values, console.palette));
}

}  // namespace

void show_starts(const Run& run, const EvalSettings& settings, const std::string& svg,
                 const Console& console) {
  const TabularWorld& world = run.table();
  const std::vector<StartControl> starts = evaluate_starts(
      run.learner->agent(), settings, options_per_start, shares_on(console, "starts"));
  const std::vector<ValuePanel> panels = panels_of(world, starts);
  if (!svg.empty()) {
    write_file(svg, value_sheet(world, panels,
                                fmt::format("what {} controls in {}, by start",
                                            run.learner->settings().algorithm, world.name)));
  }
  console.show([&] { return starts_json(run, starts); },
               [&] {
                 print(console.out, "{}: control from each of {} starts, in nats; {}\n\n",
                       run_title(run), starts.size(),
                       starts.front().exact
                           ? "exact"
                           : fmt::format("from {} options each", options_per_start));
                 for (const ValuePanel& panel : panels) print_panel(world, panel, console);
               });
}

}  // namespace vic
