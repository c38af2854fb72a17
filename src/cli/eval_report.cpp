#include "cli/eval_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/print.h"
#include "cli/heat_map.h"
#include "cli/text.h"
#include "report/data/run_files.h"

namespace vic {
namespace {

// in a simulated world: a survey of the options, compared with random actions
void print_survey_of(const Simulator& world, const FileValue& evaluation, const Console& console) {
  print_survey(world.spec(), evaluation, console.out);
  if (evaluation.has("reach")) {
    const FileValue reach = evaluation.object("reach");
    print(console.out,
          "\n  conditioned on the final cell of one of its own options, {:.3f} ({:.3f} to "
          "{:.3f}) of the options end in that cell; by chance {:.3f}\n",
          reach.number("mean"), reach.number("low"), reach.number("high"), reach.number("chance"));
  }
  if (evaluation.has("skills")) {
    const FileValue skills = evaluation.object("skills");
    print(console.out,
          "\n  each skill once, with its likeliest actions, which it repeats: {} cells, H = {:.3f} "
          "nats\n",
          skills.whole("cells"), skills.number("H"));
  }
  print(console.out, "\n  random actions: H {:.3f} nats, {} cells, spread {:.2f} {}\n",
        evaluation.number("random_H"), evaluation.whole("random_cells"),
        evaluation.number("random_spread"), world.spec().coordinates[0].unit);
}

// a remark on a measure of this run, besides its meaning: its share of the best, its interval
std::string remark(std::string_view name, const FinalValues& run) {
  const auto& measured = run.measures;
  const auto share = [&](const char* best) -> std::string {
    const auto whole = measured[best];
    if (!whole) return "";
    // in a world without choices there is no share of anything
    return *whole > 0 ? fmt::format("; {:.2f} % of the best", 100 * *measured[name] / *whole)
                      : "; all there is";
  };
  const auto half = [&](const char* ci95) {
    return run.exact ? "" : fmt::format(", +- {:.4f} (95 %)", measured[ci95].value_or(0));
  };
  const auto between = [&] {
    const auto low = measured[std::string(name) + "_low"];
    const auto high = measured[std::string(name) + "_high"];
    return low && high ? fmt::format(", between {:.4f} and {:.4f} (95 %)", *low, *high) : "";
  };
  if (name == "H") return share("H_max") + half("ci95");
  if (name == "D") return share("D_max") + between();
  if (name == "N") return between();
  if (name == "external") return half("external_ci95");
  if (name == "states") {
    return fmt::format(", of {:.0f} reachable", measured["states_reachable"].value_or(0));
  }
  if (name == "reach.mean") {
    return fmt::format("; best {:.4f}", measured["reach.best_mean"].value_or(0));
  }
  return "";
}

// the measures of a run in a table that are known and meaningful there
void print_measures(const TabularWorld& world, const FinalValues& run, const ValueTable& table) {
  const bool absorbing = std::count(world.absorbing.begin(), world.absorbing.end(), 1) > 0;
  for (const Measure& measure : measures()) {
    const std::string_view name = measure.name;
    if ((measure.of & Measure::table) == 0 || *measure.meaning == '\0') continue;
    if ((name == "external" && !world.has_reward) || (name == "rooms" && !absorbing)) continue;
    const std::optional<double> value = run.measures[name];
    if (!value && name != "D" && name != "N") continue;
    const bool counts = name == "states" || name == "rooms";
    table.row(name == "rooms" ? "absorbing" : name, number_text(value, counts ? 0 : 6),
              measure.meaning + (value ? remark(name, run) : ""));
  }
}

// (S) by index of the state
std::vector<double> by_state(const TabularWorld& world, const Distribution& p_f) {
  const std::map<std::string, double> named(p_f.begin(), p_f.end());
  std::vector<double> list;
  for (const std::string& name : world.state_names) {
    const auto found = named.find(name);
    list.push_back(found == named.end() ? 0 : found->second);
  }
  return list;
}

void print_evaluation(const Run& run, const FileValue& evaluation, const Console& console) {
  const FinalValues values = read_evaluation(evaluation);
  const std::string title = fmt::format("{}, after {} updates", run_title(run), values.updates);
  if (const Simulator* simulated = simulator_in(run.world)) {
    print(console.out, "{}: {} options\n\n", title, evaluation.whole("options"));
    return print_survey_of(*simulated, evaluation, console);
  }
  print(console.out, "{}: {}, in nats\n\n", title, values.exact ? "exact" : "sampled");
  print_measures(run.table(), values, {console.out, 23});
  print(console.out, "\n  p(s_f)\n\n{}",
        heat_map(run.table(), by_state(run.table(), values.p_f), console.palette));
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
  return find_reference(run, {}, show, console.stop);
}

void show_evaluation(const Run& run, const std::string& text, const std::string& path,
                     const Console& console) {
  console.write_document(text);
  if (console.format == Format::text) print_evaluation(run, FileValue::parse(text, path), console);
}

}  // namespace vic
