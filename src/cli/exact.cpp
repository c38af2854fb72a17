// vic exact: the truth about a world.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include "base/error.h"
#include "cli/exact_parts.h"
#include "cli/heat_map.h"
#include "eval/record.h"
#include "world/registry.h"

namespace vic {
namespace {

std::string number(bool known, double value) {
  return known ? fmt::format("{:.6f}", value) : std::string("-");
}

void print_truth(const Truth& truth, const Console& console) {
  const TabularWorld& world = *truth.world;
  const auto row = [&](const char* name, const std::string& value, const std::string& meaning) {
    fmt::print(console.out, "  {:<16} {:>10}  {}\n", name, value, meaning);
  };
  const auto within = [](bool known, double gap) {
    return known ? fmt::format(" (no more than {:.1e} better)", gap) : std::string();
  };
  const bool D = truth.D_max.has_value(), C = truth.C_open.has_value();
  const bool reward = truth.reward_max.has_value(), split = truth.split_known;
  fmt::print(console.out, "{}, T_max = {}: the truth, in nats\n\n", world.name, world.T_max);
  row("states reachable", fmt::format("{}", truth.states_reachable),
      fmt::format("at most log {} = {:.6f} nats", truth.states_reachable,
                  std::log(truth.states_reachable)));
  row("H_max", number(true, truth.H_max.value),
      "the largest H(s_f) = I(Omega; s_f)" + within(true, truth.H_max.gap));
  row("D_max", number(D, D ? truth.D_max->value : 0),
      "the largest part that is the agent's own doing" + within(D, D ? truth.D_max->gap : 0));
  row("H_at_D_max", number(D, D ? truth.D_max->control.H : 0),
      "H(s_f) there: where implicit VIC converges");
  row("C_open", number(C, C ? truth.C_open->value : 0),
      "the capacity of action sequences chosen in advance" + within(C, C ? truth.C_open->gap : 0));
  row("reward_max", number(reward, reward ? truth.reward_max->value : 0),
      "the best expected external reward");
  fmt::print(console.out, "\n  {:<16} {:>10} {:>10} {:>10}\n", "policy", "H", "D", "N");
  const auto control = [&](const char* name, const Control& c) {
    fmt::print(console.out, "  {:<16} {:>10.6f} {:>10} {:>10}\n", name, c.H, number(split, c.D),
               number(split, c.N));
  };
  control("uniform", truth.uniform);
  control("maximiser of H", truth.H_max.control);
  if (D) control("maximiser of D", truth.D_max->control);
  fmt::print(
      console.out, "\n  p(s_f) of the maximiser of H\n\n{}",
      heat_map(world, truth.H_max.control.p_f, console.colour ? Palette::colour : Palette::plain));
  for (const std::string& note : truth.notes) fmt::print(console.out, "\n  note: {}", note);
  if (!truth.notes.empty()) fmt::print(console.out, "\n");
}

// the most memory this process has had, in MB
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e3;
}

// Follows the solvers: a bar that shows how far the gap has come from where it began to where it
// must be, in orders of magnitude, and the seconds that each quantity took.
class SolveMonitor {
 public:
  SolveMonitor(const Console& console, double target) : line_(console), target_(target) {}

  void follow(std::string_view quantity, double value, double gap) {
    if (stages_.empty() || stages_.back().quantity != quantity) {
      stages_.push_back({std::string(quantity), gap, Clock::now()});
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
      const auto end = i + 1 < stages_.size() ? stages_[i + 1].begin : Clock::now();
      const std::chrono::duration<double> elapsed = end - stages_[i].begin;
      text += fmt::format("{} {:.3f} s, ", stages_[i].quantity, elapsed.count());
    }
    return text;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Stage {
    std::string quantity;
    double first_gap;
    Clock::time_point begin;
  };

  ProgressLine line_;
  double target_;
  std::vector<Stage> stages_;
};

void run_exact(const ExactOptions& options, const Console& console) {
  Overrides overrides = options.common.overrides();
  TabularWorld world = load_world(options.world, overrides);
  const bool map = options.from == "all", frontier = options.frontier || !options.lambdas.empty();
  if (map && frontier) fail_usage("--from all and the frontier are two questions; ask for one.");
  ExactSettings settings = map        ? start_map_settings()
                           : frontier ? frontier_settings()
                                      : ExactSettings{};
  overrides.apply("exact", settings);
  overrides.finish();
  if (!map && !options.svg.empty()) {
    fail_usage("--svg {} draws the map of --from all; add that.", options.svg);
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
    fmt::print(console.err, "{}{:.0f} MB at most, {} rows, {} transitions a sweep\n", seconds,
               peak_memory(), truth.H_max.unrolled.rows(), truth.H_max.unrolled.transitions());
  }
  if (options.common.json) {
    fmt::print(console.out, "{}\n", truth_json(truth).dump(2));
  } else {
    print_truth(truth, console);
  }
}

}  // namespace

Action declare_exact(CLI::App& app) {
  auto options = std::make_shared<ExactOptions>();
  app.add_option("world", options->world, "a registered name, or a world file (.toml)")
      ->type_name("WORLD")
      ->required();
  app.add_option("--from", options->from,
                 "start in another state; all: in every one, for a map (exact.gap is 1e-4 and "
                 "exact.budget 3e8 there by default)")
      ->type_name("STATE");
  app.add_option("--svg", options->svg, "draw the map of --from all into this file")
      ->type_name("FILE");
  app.add_flag("--frontier", options->frontier,
               "maximise D + lambda N for lambdas from 0 to 2 (exact.gap is 1e-5 and exact.budget "
               "1e9 there by "
               "default)");
  app.add_option("--lambdas", options->lambdas, "the same for these lambdas, as in 0,0.5,1")
      ->type_name("LIST")
      ->delimiter(',')
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--eigenoptions", options->eigenoptions,
                 "what N options are worth that follow the slow directions of the map")
      ->type_name("N")
      ->check(CLI::Range(1, 100000));
  app.add_option("--threads", options->threads,
                 "threads of --from all and of the frontier; one for each core by default. The "
                 "result is the same")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  app.add_flag("--timing", options->timing, "say on stderr how long it took and how much memory");
  options->common.add_to(app);
  app.footer(settings_help({describe("exact", ExactSettings{})}) + world_settings_help);
  return [options](const Console& console) { run_exact(*options, console); };
}

}  // namespace vic
