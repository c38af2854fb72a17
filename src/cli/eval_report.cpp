#include "cli/eval_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/print.h"
#include "cli/heat_map.h"
#include "cli/text.h"
#include "eval/measures.h"
#include "info/entropy.h"

namespace vic {
namespace {

// of a simulated world: what the options did, beside random actions
void print_survey_of(const Run& run, const Simulator& world, const Evaluation& evaluation,
                     const Reference& reference, const Console& console) {
  const Coordinate& first = world.spec().coordinates[0];
  const Survey& random = *reference.random;
  print(console.out, "{}, after {} updates: {} options\n\n", run_title(run),
        run.learner->state().update, evaluation.survey->options());
  print_survey(world.spec(), *evaluation.survey, console.out);
  if (const auto& reach = evaluation.own_reach) {
    print(console.out,
          "\n  conditioned on the final cell of one of its own options, {:.3f} ({:.3f} to "
          "{:.3f}) of the options end in that cell; by chance {:.3f}\n",
          reach->success.share, reach->success.in.low, reach->success.in.high, reach->chance);
  }
  print(console.out, "\n  random actions: H {:.3f} nats, {} cells, spread {:.2f} {}\n",
        estimate_entropy(random.cell_counts()).H, random.cells().size(),
        random.coordinate(0).spread, first.unit);
}

// what is said of a measure of this run beyond its meaning: its share of the best, its interval
std::string remark(const Measure& measure, const Evaluation& evaluation, const Truth& truth) {
  const std::string_view name = measure.name;
  const auto share = [](double part, double whole) {
    // in a world with nothing to choose there is no share of anything
    return whole > 0 ? fmt::format("; {:.2f} % of the best", 100 * part / whole) : "; all there is";
  };
  const auto half = [&](double ci95) {
    return evaluation.exact ? "" : fmt::format(", +- {:.4f} (95 %)", ci95);
  };
  const auto between = [](const std::optional<Interval>& in) {
    return in ? fmt::format(", between {:.4f} and {:.4f} (95 %)", in->low, in->high) : "";
  };
  if (name == "H") return share(evaluation.H, truth.H_max.value) + half(evaluation.ci95);
  if (name == "D" && evaluation.D && truth.D_max) {
    return share(*evaluation.D, truth.D_max->value) + between(evaluation.D_in);
  }
  if (name == "D") return between(evaluation.D_in);
  if (name == "N") return between(evaluation.N_in);
  if (name == "external") return half(evaluation.external_ci95);
  if (name == "states") return fmt::format(", of {} reachable", truth.states_reachable);
  if (name == "reach.mean") return fmt::format("; best {:.4f}", evaluation.reach->best_mean);
  return "";
}

// the measures that are known of a run in a table, and mean something there
void print_measures(const TabularWorld& world, const Measured& measured, const ValueTable& table) {
  const bool absorbing = std::count(world.absorbing.begin(), world.absorbing.end(), 1) > 0;
  for (const Measure& measure : measures()) {
    const std::string_view name = measure.name;
    if ((measure.of & Measure::table) == 0 || *measure.meaning == '\0') continue;
    if ((name == "external" && !world.has_reward) || (name == "rooms" && !absorbing)) continue;
    const Json value = measure.value(measured);
    if (value.is_null() && name != "D" && name != "N") continue;
    table.row(name == "rooms" ? "absorbing" : name,
              value.is_null()      ? "-"
              : value.is_integer() ? value.dump()
                                   : number_text(value.get<double>()),
              measure.meaning + (value.is_null() ? ""
                                                 : remark(measure, *measured.evaluation,
                                                          *measured.reference->exact)));
  }
}

}  // namespace

Reference solve(const Run& run, const Console& console) {
  if (const TabularWorld* table = table_in(run.world)) {
    warn_of_distant_goals(*table, warning_to(console));
  }
  ProgressLine line(console);
  const auto show = [&](std::string_view quantity, double value, double gap) {
    if (!line.due()) return;
    line.show(fmt::format("solving the world: {} {:.4f}, certified to within {:.1e}", quantity,
                          value, gap));
  };
  return find_reference(run.world, {}, show, console.stop);
}

void print_evaluation(const Run& run, const Evaluation& evaluation, const Reference& reference,
                      const Console& console) {
  if (const Simulator* simulated = simulator_in(run.world)) {
    return print_survey_of(run, *simulated, evaluation, reference, console);
  }
  print(console.out, "{}, after {} updates: {}, in nats\n\n", run_title(run),
        run.learner->state().update, evaluation.exact ? "exact" : "sampled");
  print_measures(run.table(),
                 {.evaluation = &evaluation,
                  .reference = &reference,
                  .survey = nullptr,
                  .spec = nullptr,
                  .lambda = 0},
                 {console.out, 23});
  print(console.out, "\n  p(s_f)\n\n{}", heat_map(run.table(), evaluation.p_f, console.palette));
}

}  // namespace vic
