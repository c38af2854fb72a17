// vic exact: the exact optima of a world.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/print.h"
#include "cli/exact_parts.h"
#include "cli/heat_map.h"
#include "cli/value_table.h"
#include "eval/record.h"
#include "sim/world.h"
#include "world/registry.h"

namespace vic {
namespace {

// the optima of a world, a row for each
void print_optima(const Truth& truth, std::ostream& out) {
  const ValueTable table{out, 16};
  const auto optimum = [&](const char* name, const auto& found, const std::string& meaning) {
    table.row(
        name, found ? number_text(found->value) : "-",
        found ? fmt::format("{} (certified to within {:.1e})", meaning, found->gap) : meaning);
  };
  table.row("states reachable", fmt::format("{}", truth.states_reachable),
            fmt::format("at most log {} = {:.6f} nats", truth.states_reachable,
                        std::log(truth.states_reachable)));
  optimum("H_max", &truth.H_max, "the largest coverage H(s_f) = I(Omega; s_f) of any policy");
  optimum("D_max", truth.D_max, "the largest control of any policy");
  table.row("H_at_D_max", truth.D_max ? number_text(truth.D_max->control.H) : "-",
            "H(s_f) of that policy, where implicit VIC converges");
  optimum("C_open", truth.C_open, "the capacity of action sequences chosen in advance");
  table.row("reward_max", truth.reward_max ? number_text(truth.reward_max->value) : "-",
            "the largest expected external reward");
}

// H, D and N of a few policies
void print_policies(const Truth& truth, std::ostream& out) {
  print(out, "\n  {:<16} {:>10} {:>10} {:>10}\n", "policy", "H", "D", "N");
  const auto row = [&](const char* name, const Control& c) {
    const auto part = [&](double x) { return truth.split_known ? number_text(x) : "-"; };
    print(out, "  {:<16} {:>10.6f} {:>10} {:>10}\n", name, c.H, part(c.D), part(c.N));
  };
  row("uniform", truth.uniform);
  row("maximiser of H", truth.H_max.control);
  if (truth.D_max) row("maximiser of D", truth.D_max->control);
}

void print_truth(const Truth& truth, const Console& console) {
  const TabularWorld& world = *truth.world;
  print(console.out, "{}, T_max = {}: the exact optima, in nats\n\n", world.name, world.T_max);
  print_optima(truth, console.out);
  print_policies(truth, console.out);
  print(console.out, "\n  p(s_f) of the maximiser of H\n\n{}",
        heat_map(world, truth.H_max.control.p_f, console.palette));
  for (const std::string& note : truth.notes) print(console.out, "\n  note: {}", note);
  if (!truth.notes.empty()) print(console.out, "\n");
}

// Follows the solvers: a bar that shows how far the gap has come from where it began to where it
// must be, in orders of magnitude, and the seconds that each quantity took.
class SolveMonitor {
 public:
  SolveMonitor(const Console& console, double target) : line_(console), target_(target) {}

  void follow(std::string_view quantity, double value, double gap) {
    if (stages_.empty() || stages_.back().quantity != quantity) {
      stages_.push_back({std::string(quantity), gap, watch_.seconds()});
    }
    if (!line_.due()) return;
    const double first = stages_.back().first_gap;
    const double fraction = std::log(first / gap) / std::log(first / target_);
    line_.show(fmt::format("{:<6} {} {:.6f}  gap {:.1e} of {:.0e}", quantity, bar(fraction, 24),
                           value, gap, target_));
  }

  std::string seconds() const {
    std::string text;
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      const double end = i + 1 < stages_.size() ? stages_[i + 1].begin : watch_.seconds();
      text += fmt::format("{} {:.3f} s, ", stages_[i].quantity, end - stages_[i].begin);
    }
    return text;
  }

 private:
  struct Stage {
    std::string quantity;
    double first_gap;
    double begin;  // seconds
  };

  ProgressLine line_;
  Stopwatch watch_;
  double target_;
  std::vector<Stage> stages_;
};

void run_exact(const ExactOptions& options, const UserSettings& given, const Console& console) {
  Overrides overrides = given.overrides();
  TabularWorld world = load_table(options.world, overrides);
  const bool map = options.from == "all", frontier = options.frontier || !options.lambdas.empty();
  if (map && frontier) fail_usage("--from all and the frontier exclude each other; use one.");
  ExactSettings settings = map        ? start_map_settings()
                           : frontier ? frontier_settings()
                                      : ExactSettings{};
  overrides.apply("exact", settings);
  overrides.finish();
  if (!map && !options.svg.empty()) {
    fail_usage("--svg {} draws the map of --from all; add --from all.", options.svg);
  }
  if (map) return run_start_map(world, settings, options, console);
  if (!options.from.empty()) world = started_at(std::move(world), options.from);
  if (options.eigenoptions > 0) return run_eigenoptions(world, options, console);
  if (frontier) return run_frontier(world, settings, options, console);
  std::optional<SolveMonitor> monitor(std::in_place, console, settings.gap);
  const Truth truth =
      find_truth(world, settings, [&](std::string_view quantity, double value, double gap) {
        monitor->follow(quantity, value, gap);
      });
  const std::string seconds = monitor->seconds();
  // the line on the terminal goes before the answer comes
  monitor.reset();
  if (options.timing) {
    print(console.err, "{}{:.0f} MB at most, {} rows, {} transitions per sweep\n", seconds,
          peak_megabytes(), truth.H_max.unrolled.rows(), truth.H_max.unrolled.transitions());
  }
  console.show([&] { return truth_json(truth); }, [&] { print_truth(truth, console); });
}

}  // namespace

Action declare_exact(Arguments& arguments) {
  auto options = std::make_shared<ExactOptions>();
  arguments.positional("world", options->world, Need::required,
                       "a registered name, or a world file (.toml)");
  arguments.option("--from STATE", options->from,
                   "start in another state; all: in every one, for a map (exact.gap is 1e-4 and "
                   "exact.budget 3e8 there by default)");
  arguments.option("--svg FILE", options->svg, "draw the map of --from all into this file");
  arguments.flag("--frontier", options->frontier,
                 "maximise D + lambda N for lambdas from 0 to 2 (exact.gap is 1e-5 and "
                 "exact.budget 1e9 there by default)");
  arguments.option("--lambdas LIST", options->lambdas, Range{0, 1e6},
                   "the same for these lambdas, as in 0,0.5,1");
  arguments.option("--eigenoptions N", options->eigenoptions, Range{1, 100000},
                   "the control of N options that follow the slow directions of the map");
  arguments.option("--threads N", options->threads, Range{1, 1024},
                   "threads of --from all and of the frontier; one per core by default. The "
                   "result is the same");
  arguments.flag("--timing", options->timing, "write time and memory to stderr");
  arguments.footer(settings_help({describe("exact", ExactSettings{})}) + world_settings_help);
  return [options](const UserSettings& settings, const Console& console) {
    run_exact(*options, settings, console);
  };
}

}  // namespace vic
