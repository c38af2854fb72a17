// vic eval RUN --from all: the learned empowerment map.
#include <fmt/format.h>

#include "base/file.h"
#include "base/print.h"
#include "cli/eval_report.h"
#include "cli/heat_map.h"
#include "cli/run_head.h"
#include "cli/start_sheet.h"
#include "eval/start_eval.h"

namespace vic {
namespace {

// where histories cannot be enumerated: an interval of some 0.05 nats
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

// a map for each quantity: without chance all of H is control, and one map is enough
std::vector<StartPanel> panels_of(const TabularWorld& world,
                                  const std::vector<StartControl>& starts) {
  std::vector<StartPanel> panels = {{"H", std::vector<std::optional<double>>(world.S)}};
  for (const StartControl& one : starts) panels[0].values[one.start] = one.H;
  if (!starts.front().D || world.deterministic()) return panels;
  panels.push_back({"D", std::vector<std::optional<double>>(world.S)});
  for (const StartControl& one : starts) panels[1].values[one.start] = one.D;
  return panels;
}

void print_panel(const TabularWorld& world, const StartPanel& panel, const Console& console) {
  double sum = 0;
  int count = 0, least = -1, largest = -1;
  for (int s = 0; s < world.S; ++s) {
    if (!panel.values[s]) continue;
    sum += *panel.values[s];
    ++count;
    if (least < 0 || *panel.values[s] < *panel.values[least]) least = s;
    if (largest < 0 || *panel.values[s] > *panel.values[largest]) largest = s;
  }
  print(console.out, "  {}: mean {:.4f}, least {:.4f} at {}, largest {:.4f} at {}\n", panel.title,
        sum / count, *panel.values[least], world.state_names[least], *panel.values[largest],
        world.state_names[largest]);
  if (world.picture.empty()) return;
  print(console.out, "\n{}\n", value_map(world, panel.values, console.palette));
}

void print_starts(const Run& run, const std::vector<StartControl>& starts,
                  const std::vector<StartPanel>& panels, const Console& console) {
  print(console.out, "{}: control from each of {} starts, in nats; {}\n\n", run_title(run),
        starts.size(),
        starts.front().exact ? "exact" : fmt::format("from {} options each", options_per_start));
  for (const StartPanel& panel : panels) print_panel(run.table(), panel, console);
}

}  // namespace

void show_starts(const Run& run, const EvalSettings& settings, const std::string& svg,
                 const Console& console) {
  const TabularWorld& world = run.table();
  std::vector<StartControl> starts;
  {
    ProgressLine line(console);
    starts = evaluate_starts(run.learner->agent(), settings, options_per_start,
                             [&](int done) { line.show_share(done, world.S, "starts"); });
  }
  const std::vector<StartPanel> panels = panels_of(world, starts);
  if (!svg.empty()) {
    write_file(svg, start_sheet(world, panels,
                                fmt::format("what {} controls in {}, by start",
                                            run.learner->settings().algorithm, world.name)));
  }
  console.show([&] { return starts_json(run, starts); },
               [&] { print_starts(run, starts, panels, console); });
}

}  // namespace vic
