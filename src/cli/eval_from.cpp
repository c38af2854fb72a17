// vic eval RUN --from all: the learned empowerment map.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cmath>
#include <optional>

#include "cli/eval_report.h"
#include "cli/exact_parts.h"
#include "cli/heat_map.h"
#include "run/start_eval.h"

namespace vic {
namespace {

// options a start where histories cannot be enumerated: an interval of some 0.05 nats
constexpr int options_a_start = 2000;

Json starts_json(const Run& run, const std::vector<StartControl>& starts) {
  Json json = {{"world", run.world->name},
               {"algorithm", run.learner->settings().algorithm},
               {"seed", run.learner->settings().seed},
               {"starts", Json::array()}};
  for (const StartControl& one : starts) {
    json["starts"].push_back({{"start", run.world->state_names[one.start]},
                              {"exact", one.exact},
                              {"H", one.H},
                              {"ci95", one.ci95},
                              {"D", one.D ? Json(*one.D) : Json(nullptr)},
                              {"N", one.N ? Json(*one.N) : Json(nullptr)}});
  }
  return json;
}

}  // namespace

void print_starts(const Run& run, const EvalSettings& settings, bool json, const Console& console) {
  const TabularWorld& world = *run.world;
  std::vector<StartControl> starts;
  {
    ProgressLine line(console);
    const Stopwatch watch;
    starts = evaluate_starts(*run.learner, settings, options_a_start, [&](int done) {
      show_progress(line, done, world.S, "starts", watch.seconds());
    });
  }
  if (json) {
    fmt::print(console.out, "{}\n", starts_json(run, starts).dump(2));
    return;
  }
  fmt::print(console.out, "{}, {}, seed {}: control from each of {} starts, in nats; {}\n\n",
             world.name, run.learner->settings().algorithm, run.learner->settings().seed,
             starts.size(),
             starts.front().exact ? "exact" : fmt::format("from {} options each", options_a_start));
  const auto show = [&](const char* name, auto&& value) {
    std::vector<std::optional<double>> map(world.S);
    double sum = 0;
    const StartControl *least = &starts.front(), *largest = &starts.front();
    for (const StartControl& one : starts) {
      map[one.start] = value(one);
      sum += value(one);
      if (value(one) < value(*least)) least = &one;
      if (value(one) > value(*largest)) largest = &one;
    }
    fmt::print(console.out, "  {}: mean {:.4f}, least {:.4f} at {}, largest {:.4f} at {}\n", name,
               sum / static_cast<double>(starts.size()), value(*least),
               world.state_names[least->start], value(*largest), world.state_names[largest->start]);
    if (world.picture.empty()) return;
    fmt::print(console.out, "\n{}\n",
               value_map(world, map, console.colour ? Palette::colour : Palette::plain));
  };
  show("H", [](const StartControl& one) { return one.H; });
  // without chance all of H is the agent's doing
  if (starts.front().D && !world.deterministic()) {
    show("D", [](const StartControl& one) { return *one.D; });
  }
}

}  // namespace vic
