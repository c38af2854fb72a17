// vic exact --frontier and --eigenoptions.
#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "base/print.h"
#include "base/process.h"
#include "cli/exact_view.h"
#include "cli/heat_map.h"
#include "cli/text.h"
#include "eval/exact_json.h"
#include "oracle/eigenoptions.h"
#include "oracle/reach.h"

namespace vic {
namespace {

void print_frontier(const TabularWorld& world, const Frontier& frontier, const Unit& unit,
                    std::ostream& out) {
  print(out, "{}, T_max = {}: the maximisers of D + lambda N, in {}\n\n", world.name, world.T_max,
        unit.name);
  print(out, "  {:>6} {:>10} {:>8}  {:>8} {:>8} {:>8} {:>8}\n", "lambda", "D + l N", "gap", "H",
        "D", "N", "success");
  bool beyond = false;
  for (const FrontierPoint& point : frontier.points) {
    beyond = beyond || point.lambda > 1;
    print(out, "  {:>6g} {:>10.6f} {:>8.1e}{} {:>8.4f} {:>8.4f} {:>8.4f} {:>8.4f}\n", point.lambda,
          unit.of(point.value), unit.of(point.gap), point.lambda > 1 ? "*" : " ",
          unit.of(point.control.H), unit.of(point.control.D), unit.of(point.control.N),
          point.success);
  }
  print(out,
        "\n  success: probability of ending in a goal when conditioned on it, mean over {} "
        "goals;\n  the best that any policy can have is {:.4f}\n",
        world.final_states().size(), frontier.best_success);
  if (beyond) {
    print(out,
          "  *: not concave beyond lambda = 1: the best of several ascents, and its gap to "
          "lambda H_max\n");
  }
  for (const std::string& note : frontier.notes) print(out, "\n  note: {}\n", note);
}

}  // namespace

void run_frontier(const TabularWorld& world, const ExactSettings& settings,
                  const ExactOptions& options, const Console& console) {
  const Stopwatch watch;
  Ranks& ranks = ranks_of_job(console.stop);
  const auto lambdas = options.lambdas.empty() ? frontier_lambdas() : options.lambdas;
  const std::optional<Frontier> frontier =
      find_frontier(world, lambdas, settings, thread_count(options.threads),
                    shares_on(console, "lambdas"), ranks);
  ranks.finish();
  if (ranks.rank() > 0) return;
  if (!frontier) {
    fail_usage(
        "The frontier of {} needs its tree of histories, which has more than {} rows "
        "(exact.histories) or does not fit into memory; lower world.T_max.",
        world.name, settings.histories);
  }
  if (options.timing) {
    print(console.err, "{} lambdas, {:.3f} s\n", lambdas.size(), watch.seconds());
  }
  const Unit unit = options.unit();
  console.show([&] { return in_unit(frontier_json(world, *frontier), unit); },
               [&] { print_frontier(world, *frontier, unit, console.out); });
}

void run_eigenoptions(const TabularWorld& world, const ExactOptions& options,
                      const Console& console) {
  const OptionSet set = eigenoptions(world, options.eigenoptions);
  console.stop.check();
  const double success = mean_success(world, set.success);
  const double best = mean_success(world, best_success(world));
  const Unit unit = options.unit();
  const auto json = [&] {
    return in_unit({{"world", world.name},
                    {"T_max", world.T_max},
                    {"options", set.options},
                    {"I", set.I},
                    {"H", set.H},
                    {"success", success},
                    {"best_success", best}},
                   unit);
  };
  console.show(json, [&] {
    print(console.out, "{}, T_max = {}: {} eigenoptions, chosen uniformly\n\n", world.name,
          world.T_max, set.options);
    const ValueTable table{console.out, 8};
    table.row("I", number_text(unit.of(set.I)),
              fmt::format("I(option; s_f), in {}; log {} = {:.6f}", unit.name, set.options,
                          unit.of(std::log(set.options))));
    table.row("H", number_text(unit.of(set.H)), "H(s_f)");
    table.row("reach", number_text(success),
              fmt::format("mean success over the reachable goals, by the option that ends there "
                          "most often; {:.4f} at best",
                          best));
    print(console.out, "\n  p(s_f)\n\n{}", heat_map(world, set.p_f, console.palette));
  });
}

}  // namespace vic
