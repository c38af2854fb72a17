// vic exact --frontier: coverage against control, and what is reached.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include "base/error.h"
#include "cli/exact_parts.h"
#include "eval/exact_json.h"

namespace vic {
namespace {

void print_frontier(const TabularWorld& world, const Frontier& frontier, const Console& console) {
  fmt::print(console.out, "{}, T_max = {}: the maximisers of D + lambda N, in nats\n\n", world.name,
             world.T_max);
  fmt::print(console.out, "  {:>6} {:>10} {:>8}  {:>8} {:>8} {:>8} {:>8}\n", "lambda", "D + l N",
             "gap", "H", "D", "N", "success");
  bool beyond = false;
  for (const FrontierPoint& point : frontier.points) {
    beyond = beyond || point.lambda > 1;
    fmt::print(console.out, "  {:>6g} {:>10.6f} {:>8.1e}{} {:>8.4f} {:>8.4f} {:>8.4f} {:>8.4f}\n",
               point.lambda, point.value, point.gap, point.lambda > 1 ? "*" : " ", point.control.H,
               point.control.D, point.control.N, point.success);
  }
  fmt::print(console.out,
             "\n  success: the mean over {} goals of the chance to end in the goal when told it;\n"
             "  the best that any policy can have is {:.4f}\n",
             world.final_states().size(), frontier.best_success);
  if (beyond) {
    fmt::print(console.out,
               "  *: not concave beyond 1: the best of several ascents, and the gap to lambda "
               "H_max\n");
  }
  for (const std::string& note : frontier.notes) fmt::print(console.out, "\n  note: {}\n", note);
}

}  // namespace

ExactSettings frontier_settings() {
  ExactSettings settings;
  settings.gap = 1e-5;
  settings.budget = 1e9;
  return settings;
}

void run_frontier(const TabularWorld& world, const ExactSettings& settings,
                  const ExactOptions& options, const Console& console) {
  const Stopwatch watch;
  const std::vector<double> lambdas =
      options.lambdas.empty() ? frontier_lambdas() : options.lambdas;
  std::optional<Frontier> frontier;
  {
    ProgressLine line(console);
    frontier = find_frontier(
        world, lambdas, settings, thread_count(options),
        [&](int done, int all) { show_progress(line, done, all, "lambdas", watch.seconds()); });
  }
  if (!frontier) {
    fail_usage(
        "The frontier of {} lives on its tree of histories, which has more than {} rows "
        "(exact.histories) or does not fit the memory; lower world.T_max.",
        world.name, settings.histories);
  }
  if (options.timing) {
    fmt::print(console.err, "{} lambdas, {:.3f} s\n", lambdas.size(), watch.seconds());
  }
  if (options.common.json) {
    fmt::print(console.out, "{}\n", frontier_json(world, *frontier).dump(2));
  } else {
    print_frontier(world, *frontier, console);
  }
}

}  // namespace vic
