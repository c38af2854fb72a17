// vic exact: the exact optima of a world, from one start or all, and the frontier of D and H.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/print.h"
#include "base/process.h"
#include "base/ranks.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/exact_view.h"
#include "cli/text.h"
#include "eval/reference.h"
#include "sim/enumeration.h"
#include "sim/world.h"

namespace vic {
namespace {

// Requests the solvers to return what they have, once the seconds are over.
class Deadline {
 public:
  explicit Deadline(double seconds) {
    if (seconds <= 0) return;
    thread_ = std::thread([this, seconds] {
      std::unique_lock lock(mutex_);
      const auto limit = std::chrono::duration<double>(seconds);
      if (!changed_.wait_for(lock, limit, [this] { return done_; })) request_.wanted = true;
    });
  }
  ~Deadline() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  Stop enough() { return Stop(request_); }

 private:
  StopRequest request_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

// Follows the solvers: a bar that shows how far the gap has shrunk from its first value to the
// wanted one, in orders of magnitude, and the seconds that each quantity took.
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

// a map and a frontier solve many problems: fewer digits are enough than for one start
ExactSettings default_settings(bool map, bool frontier) {
  if (map) return {.gap = 1e-4, .budget = 3e8};
  if (frontier) return {.gap = 1e-5, .budget = 1e9};
  return {};
}

// the quantities that --only lists, or all of the command's
Quantities quantities(const ExactOptions& options, bool map) {
  const std::vector<std::string> only = split(options.only, ',');
  const auto wanted = [&](const char* name) { return std::ranges::find(only, name) != only.end(); };
  if (options.only.empty()) {
    Quantities all = map ? optima : Quantities{};
    all.brackets = !map;
    return all;
  }
  const std::vector<std::string> names = {"H_max",  "D_max",      "H_at_D_max",
                                          "C_open", "reward_max", "uniform"};
  for (const std::string& name : only) {
    if (std::ranges::find(names, name) != names.end()) continue;
    fail_usage("--only {}: there is no such quantity{}", name, suggestion(name, names));
  }
  return {.H_max = wanted("H_max"),
          .D_max = wanted("D_max") || wanted("H_at_D_max"),
          .C_open = wanted("C_open"),
          .reward_max = wanted("reward_max"),
          .uniform = wanted("uniform"),
          .brackets = !map};
}

// notes on the world from which a table of all options was enumerated
std::vector<std::string> notes_on(const Simulator& simulator, const Unit& unit) {
  const SimulatorSpec& spec = simulator.spec();
  std::vector<std::string> notes = {
      fmt::format("s_f is the cell of {} in which one of {:.0f} sequences of {} actions ends.",
                  cell_text(spec.coordinates), sequence_count(spec), spec.T)};
  if (!spec.deterministic) {
    notes.push_back(
        "Actions are chosen in advance, and D_max is C_open: an agent that sees where it is may "
        "have more.");
  }
  if (const std::optional<double> capacity = simulator.power_capacity()) {
    notes.push_back(fmt::format(
        "C_open is at most C_power = {:.6f} {}, the capacity of all controls with the power of the "
        "largest ones, to states that are not cut into cells (water-filling).",
        unit.of(*capacity), unit.name));
  }
  return notes;
}

// `simulator`, unless null, is the one that the table was enumerated from
void run_one_start(const TabularWorld& world, const Simulator* simulator,
                   const ExactSettings& settings, const Quantities& wanted,
                   const ExactOptions& options, const Console& console) {
  std::optional<SolveMonitor> monitor(std::in_place, console, settings.gap);
  const SolveProgress follow = [&](std::string_view quantity, double value, double gap) {
    monitor->follow(quantity, value, gap);
  };
  Truth truth = find_truth(world, settings, follow, wanted);
  const std::string seconds = monitor->seconds();
  // the progress line is erased before the answer appears
  monitor.reset();
  if (options.timing) {
    print(console.err, "{}{:.0f} MB at most, {} rows, {} transitions per sweep\n", seconds,
          peak_megabytes(), truth.H_max.unrolled.rows(), truth.H_max.unrolled.transitions());
  }
  const Unit unit = options.unit();
  Json json = truth_json(truth);
  if (simulator != nullptr) {
    const std::optional<double> capacity = simulator->power_capacity();
    json["C_power"] = maybe(capacity);
    for (const std::string& note : notes_on(*simulator, unit)) truth.notes.push_back(note);
    json["notes"] = truth.notes;
  }
  console.show([&] { return in_unit(json, unit); }, [&] { print_truth(truth, unit, console); });
}

void run_exact(const ExactOptions& options, const UserSettings& given, const Console& console) {
  Overrides overrides = given.overrides();
  const World loaded = load_any_world(options.world, overrides).world;
  const Simulator* simulator = simulator_in(loaded);
  if (simulator != nullptr && (!options.from.empty() || options.eigenoptions > 0)) {
    fail_usage("{} is a simulated world: --from and --eigenoptions need a table of states.",
               options.world);
  }
  const bool map = options.from == "all", frontier = options.frontier || !options.lambdas.empty();
  if (map && frontier) fail_usage("--from all and the frontier exclude each other; use one.");
  if (!map && !options.svg.empty()) {
    fail_usage("--svg {} draws the map of --from all; add --from all.", options.svg);
  }
  if (!options.only.empty() && (frontier || options.eigenoptions > 0)) {
    fail_usage("--only chooses among the optima; the frontier and eigenoptions have none of them.");
  }
  Quantities wanted = quantities(options, map);
  ExactSettings settings = default_settings(map, frontier);
  overrides.apply("exact", settings);
  overrides.finish();
  settings.stop = console.stop;
  Deadline deadline(options.seconds);
  settings.enough = deadline.enough();
  TablePtr world;
  if (simulator == nullptr) {
    world = std::get<TablePtr>(loaded);
  } else {
    world = std::make_shared<const TabularWorld>(table_of(*simulator, settings.sequences));
    // for actions chosen in advance D_max is C_open
    if (!simulator->spec().deterministic) wanted.D_max = false;
  }
  if (map) return run_start_map(*world, settings, wanted, options, console);
  warn_of_distant_goals(*world, warning_to(console));
  if (!options.from.empty()) {
    world = std::make_shared<const TabularWorld>(started_at(*world, options.from));
  }
  if (options.eigenoptions > 0) return run_eigenoptions(*world, options, console);
  if (frontier) return run_frontier(*world, settings, options, console);
  if (ranks_of_job(console.stop).size() > 1) {
    fail_usage(
        "One start is solved by one process; start vic exact without mpirun, or solve many "
        "starts (--from all) or the frontier.");
  }
  run_one_start(*world, simulator, settings, wanted, options, console);
}

}  // namespace

Action declare_exact(Arguments& arguments) {
  auto options = std::make_shared<ExactOptions>();
  arguments.positional("world", options->world, Need::required,
                       "a registered name, or a world file (.toml, or .xml for a MuJoCo model "
                       "with few sequences of actions)");
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
  arguments.option("--only LIST", options->only,
                   "compute these alone: H_max, D_max, C_open, reward_max, uniform (D and N of the "
                   "uniform policy, most of the time in large worlds)");
  arguments.option("--seconds S", options->seconds, Range{1e-3, 1e9},
                   "print what is certified by then, with its gaps");
  arguments.flag("--bits", options->bits, "information in bits; nats by default");
  arguments.flag("--timing", options->timing, "write time and memory to stderr");
  arguments.footer(settings_help({describe("exact", ExactSettings{})}) + world_settings_help);
  return action(options, run_exact);
}

}  // namespace vic
