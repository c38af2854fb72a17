// vic exact: the exact optima of a world, from one start or all, and the frontier between D and H.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/print.h"
#include "base/process.h"
#include "cli/command.h"
#include "cli/heat_map.h"
#include "cli/text.h"
#include "eval/exact_json.h"
#include "info/entropy.h"
#include "oracle/eigenoptions.h"
#include "oracle/reach.h"
#include "world/registry.h"

namespace vic {
namespace {

struct ExactOptions {
  std::string world;
  std::string from;      // a state, or "all"; empty: the world's own start
  std::string svg;       // a file for the maps of --from all
  int eigenoptions = 0;  // how many; 0: none
  bool frontier = false;
  std::vector<double> lambdas;  // of the frontier; empty: frontier_lambdas()
  int threads = 0;              // 0: one for each core
  bool timing = false, fast = false;
};

// The optima, and H of the uniform policy: D and N of that take most of the time in large worlds.
Truth find_optima_alone(const TabularWorld& world, const ExactSettings& settings,
                        const SolveProgress& progress) {
  Truth truth = find_optima(world, settings, progress);
  const Unrolled& unrolled = truth.H_max.unrolled;
  truth.uniform.p_f = flow(unrolled, uniform_policy(unrolled)).p_f;
  truth.uniform.H = entropy(truth.uniform.p_f);
  truth.notes.push_back("D and N of the uniform policy and reward_max are left out (--fast).");
  return truth;
}

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
  table.row("reward_max", number_text(truth.reward_max), "the largest expected external reward");
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

void print_notes(const std::vector<std::string>& notes, std::ostream& out) {
  for (const std::string& note : notes) print(out, "\n  note: {}", note);
  if (!notes.empty()) print(out, "\n");
}

void print_truth(const Truth& truth, const Console& console) {
  const TabularWorld& world = *truth.world;
  print(console.out, "{}, T_max = {}: the exact optima, in nats\n\n", world.name, world.T_max);
  print_optima(truth, console.out);
  print_policies(truth, console.out);
  print(console.out, "\n  p(s_f) of the maximiser of H\n\n{}",
        heat_map(world, truth.H_max.control.p_f, console.palette));
  print_notes(truth.notes, console.out);
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

// a table where the starts are not too many
void print_starts(const TabularWorld& world, const StartMap& map, std::ostream& out) {
  constexpr std::size_t most_rows = 40;
  if (map.starts.size() > most_rows) return;
  print(out, "  {:<12} {:>7}", "start", "states");
  for (const StartField& field : start_fields) print(out, " {:>11}", field.name);
  print(out, "\n");
  for (const StartOptima& start : map.starts) {
    print(out, "  {:<12} {:>7}", world.state_names[start.s_0], start.states_reachable);
    for (const StartField& field : start_fields) {
      print(out, " {:>11}", number_text(start.*field.value, 4));
    }
    print(out, "\n");
  }
  print(out, "\n");
}

void print_summary(const TabularWorld& world, const StartMap& map, std::ostream& out) {
  print(out, "  {:<12} {:>8} {:>8} {:<12} {:>8} {}\n", "", "mean", "least", "at", "largest", "at");
  for (const StartField& field : start_fields) {
    if (const std::optional<StartSummary> found = summarise(map, field)) {
      print(out, "  {:<12} {:>8.4f} {:>8.4f} {:<12} {:>8.4f} {}\n", field.name, found->mean,
            found->least, world.state_names[found->least_at], found->largest,
            world.state_names[found->largest_at]);
    } else {
      print(out, "  {:<12} {:>8}\n", field.name, "-");
    }
  }
}

// the fields that are known; without noise all are the same, and one is enough
std::vector<ValuePanel> panels_of(const TabularWorld& world, const StartMap& map) {
  std::vector<ValuePanel> panels;
  for (const StartField& field : start_fields) {
    if (!summarise(map, field) || (world.deterministic() && !panels.empty())) continue;
    std::vector<std::optional<double>> values(world.S);
    for (const StartOptima& start : map.starts) values[start.s_0] = start.*field.value;
    panels.push_back({field.name, std::move(values)});
  }
  return panels;
}

void print_map(const TabularWorld& world, const StartMap& map, double gap, const Console& console) {
  double widest = 0;
  for (const StartOptima& start : map.starts) {
    for (const auto& own : {start.H_max_gap, start.D_max_gap, start.C_open_gap}) {
      widest = std::max(widest, own.value_or(0));
    }
  }
  print(console.out,
        "{}, T_max = {}: the optima from each of {} starts, in nats (certified to within "
        "{:.1e}; exact.gap = {:g})\n\n",
        world.name, world.T_max, map.starts.size(), widest, gap);
  print_starts(world, map, console.out);
  print_summary(world, map, console.out);
  for (const ValuePanel& panel : panels_of(world, map)) {
    if (world.picture.empty()) continue;
    print(console.out, "\n  {} by start{}\n\n{}", panel.title,
          world.deterministic() ? ", and all the others" : "",
          value_map(world, panel.values, console.palette));
  }
  print_notes(map.notes, console.out);
}

// --from all: the empowerment map, every start by itself
void run_start_map(const TabularWorld& world, const ExactSettings& settings,
                   const ExactOptions& options, const Console& console) {
  const Stopwatch watch;
  const StartMap map =
      map_starts(world, settings, thread_count(options.threads), shares_on(console, "starts"));
  if (options.timing) {
    print(console.err, "{} starts, {:.3f} s\n", map.starts.size(), watch.seconds());
  }
  if (!options.svg.empty()) {
    const std::string label = fmt::format("the empowerment map of {}, by start", world.name);
    write_file(options.svg, value_sheet(world, panels_of(world, map), label));
  }
  console.show([&] { return start_map_json(world, map, settings.gap); },
               [&] { print_map(world, map, settings.gap, console); });
}

void print_frontier(const TabularWorld& world, const Frontier& frontier, std::ostream& out) {
  print(out, "{}, T_max = {}: the maximisers of D + lambda N, in nats\n\n", world.name,
        world.T_max);
  print(out, "  {:>6} {:>10} {:>8}  {:>8} {:>8} {:>8} {:>8}\n", "lambda", "D + l N", "gap", "H",
        "D", "N", "success");
  bool beyond = false;
  for (const FrontierPoint& point : frontier.points) {
    beyond = beyond || point.lambda > 1;
    print(out, "  {:>6g} {:>10.6f} {:>8.1e}{} {:>8.4f} {:>8.4f} {:>8.4f} {:>8.4f}\n", point.lambda,
          point.value, point.gap, point.lambda > 1 ? "*" : " ", point.control.H, point.control.D,
          point.control.N, point.success);
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

// --frontier: coverage against control, and what is reached
void run_frontier(const TabularWorld& world, const ExactSettings& settings,
                  const ExactOptions& options, const Console& console) {
  const Stopwatch watch;
  const auto lambdas = options.lambdas.empty() ? frontier_lambdas() : options.lambdas;
  const std::optional<Frontier> frontier = find_frontier(
      world, lambdas, settings, thread_count(options.threads), shares_on(console, "lambdas"));
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
               [&] { print_frontier(world, *frontier, console.out); });
}

// --eigenoptions: the control of options that are derived from the map alone
void run_eigenoptions(const TabularWorld& world, const ExactOptions& options,
                      const Console& console) {
  const OptionSet set = eigenoptions(world, options.eigenoptions);
  console.stop.check();
  const double success = mean_success(world, set.success);
  const double best = mean_success(world, best_success(world));
  const auto json = [&] {
    return Json{{"world", world.name}, {"T_max", world.T_max}, {"options", set.options},
                {"I", set.I},          {"H", set.H},           {"success", success},
                {"best_success", best}};
  };
  console.show(json, [&] {
    print(console.out, "{}, T_max = {}: {} eigenoptions, chosen uniformly\n\n", world.name,
          world.T_max, set.options);
    const ValueTable table{console.out, 8};
    table.row("I", number_text(set.I),
              fmt::format("I(option; s_f), in nats; log {} = {:.6f}", set.options,
                          std::log(set.options)));
    table.row("H", number_text(set.H), "H(s_f)");
    table.row("reach", number_text(success),
              fmt::format("mean success over the reachable goals, by the option that ends there "
                          "most often; {:.4f} at best",
                          best));
    print(console.out, "\n  p(s_f)\n\n{}", heat_map(world, set.p_f, console.palette));
  });
}

// a map and a frontier solve many problems: they need not be known to as many digits as one start
ExactSettings default_settings(bool map, bool frontier) {
  if (map) return {.gap = 1e-4, .budget = 3e8};
  if (frontier) return {.gap = 1e-5, .budget = 1e9};
  return {};
}

void run_exact(const ExactOptions& options, const UserSettings& given, const Console& console) {
  Overrides overrides = given.overrides();
  TabularWorld world = load_table(options.world, overrides);
  const bool map = options.from == "all", frontier = options.frontier || !options.lambdas.empty();
  if (map && frontier) fail_usage("--from all and the frontier exclude each other; use one.");
  ExactSettings settings = default_settings(map, frontier);
  overrides.apply("exact", settings);
  overrides.finish();
  settings.stop = console.stop;
  if (!map && !options.svg.empty()) {
    fail_usage("--svg {} draws the map of --from all; add --from all.", options.svg);
  }
  if (map) return run_start_map(world, settings, options, console);
  warn_of_distant_goals(world, warning_to(console));
  if (!options.from.empty()) world = started_at(std::move(world), options.from);
  if (options.eigenoptions > 0) return run_eigenoptions(world, options, console);
  if (frontier) return run_frontier(world, settings, options, console);
  std::optional<SolveMonitor> monitor(std::in_place, console, settings.gap);
  const SolveProgress follow = [&](std::string_view quantity, double value, double gap) {
    monitor->follow(quantity, value, gap);
  };
  const Truth truth = options.fast ? find_optima_alone(world, settings, follow)
                                   : find_truth(world, settings, follow);
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
  arguments.flag("--fast", options->fast,
                 "leave out D and N of the uniform policy, most of the time in large worlds");
  arguments.flag("--timing", options->timing, "write time and memory to stderr");
  arguments.footer(settings_help({describe("exact", ExactSettings{})}) + world_settings_help);
  return action(options, run_exact);
}

}  // namespace vic
