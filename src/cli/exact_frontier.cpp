// vic exact --frontier: coverage against control, and what is reached.

#include "base/error.h"
#include "base/print.h"
#include "base/tasks.h"
#include "cli/exact_parts.h"
#include "eval/exact_json.h"

namespace vic {
namespace {

void print_frontier(const TabularWorld& world, const Frontier& frontier, const Console& console) {
  print(console.out, "{}, T_max = {}: the maximisers of D + lambda N, in nats\n\n", world.name,
        world.T_max);
  print(console.out, "  {:>6} {:>10} {:>8}  {:>8} {:>8} {:>8} {:>8}\n", "lambda", "D + l N", "gap",
        "H", "D", "N", "success");
  bool beyond = false;
  for (const FrontierPoint& point : frontier.points) {
    beyond = beyond || point.lambda > 1;
    print(console.out, "  {:>6g} {:>10.6f} {:>8.1e}{} {:>8.4f} {:>8.4f} {:>8.4f} {:>8.4f}\n",
          point.lambda, point.value, point.gap, point.lambda > 1 ? "*" : " ", point.control.H,
          point.control.D, point.control.N, point.success);
  }
  print(console.out,
        "\n  success: probability of ending in a goal when conditioned on it, mean over {} "
        "goals;\n  the best that any policy can have is {:.4f}\n",
        world.final_states().size(), frontier.best_success);
  if (beyond) {
    print(console.out,
          "  *: not concave beyond lambda = 1: the best of several ascents, and its gap to "
          "lambda H_max\n");
  }
  for (const std::string& note : frontier.notes) print(console.out, "\n  note: {}\n", note);
}

}  // namespace

ExactSettings frontier_settings() {
  return {.gap = 1e-5, .budget = 1e9};
}

void run_frontier(const TabularWorld& world, const ExactSettings& settings,
                  const ExactOptions& options, const Console& console) {
  const Stopwatch watch;
  const std::vector<double> lambdas =
      options.lambdas.empty() ? frontier_lambdas() : options.lambdas;
  std::optional<Frontier> frontier;
  {
    ProgressLine line(console);
    frontier = find_frontier(world, lambdas, settings, thread_count(options.threads),
                             [&](int done, int all) { line.show_share(done, all, "lambdas"); });
  }
  if (!frontier) {
    fail_usage(
        "The frontier of {} needs its tree of histories, which has more than {} rows "
        "(exact.histories) or does not fit into memory; lower world.T_max.",
        world.name, settings.histories);
  }
  if (options.timing) {
    print(console.err, "{} lambdas, {:.3f} s\n", lambdas.size(), watch.seconds());
  }
  console.show([&] { return frontier_json(world, *frontier); },
               [&] { print_frontier(world, *frontier, console); });
}

}  // namespace vic
