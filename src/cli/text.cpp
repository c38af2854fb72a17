#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/print.h"
#include "info/entropy.h"

namespace vic {

std::string run_title(const Run& run) {
  const TrainSettings& settings = run.learner->settings();
  return fmt::format("{}, {}, seed {}", world_name(run.world), settings.algorithm, settings.seed);
}

Json run_json(const Run& run) {
  const TrainSettings& settings = run.learner->settings();
  return {
      {"world", world_name(run.world)}, {"algorithm", settings.algorithm}, {"seed", settings.seed}};
}

void ValueTable::row(std::string_view name, const std::string& value,
                     const std::string& meaning) const {
  print(out, "  {:<{}} {:>10}  {}\n", name, width, value, meaning);
}

std::string number_text(const std::optional<double>& number, int digits) {
  return number ? fmt::format("{:.{}f}", *number, digits) : std::string("-");
}

std::vector<std::string> list_names(const std::vector<int>& numbers,
                                    const std::vector<std::string>& names) {
  std::vector<std::string> list;
  for (int i : numbers) list.push_back(names[i]);
  return list;
}

void warn_of_distant_goals(const TabularWorld& world, const Warn& warn) {
  const std::vector<int> reachable = world.final_states();
  for (int s = 0; s < world.S; ++s) {
    if (!world.absorbing[s] || std::ranges::find(reachable, s) != reachable.end()) continue;
    warn(fmt::format(
        "The absorbing state {} of {} cannot be reached in the {} moves of an option; raise "
        "world.T_max.",
        world.state_names[s], world.name, world.T_max - 1));
  }
}

void print_survey(const SimulatorSpec& spec, const Survey& survey, std::ostream& out) {
  const EntropyEstimate entropy = estimate_entropy(survey.cell_counts());
  print(out, "  {:<22} {}\n", "failed", survey.failures());
  for (std::size_t k = 0; k < spec.coordinates.size(); ++k) {
    const auto [mean, spread, min, max] = survey.coordinate(k);
    const std::string& unit = spec.coordinates[k].unit;
    print(out, "  {:<22} mean {:.2f} {}, spread {:.2f} {}, from {:.2f} to {:.2f} {}\n",
          spec.coordinates[k].name, mean, unit, spread, unit, min, max, unit);
  }
  if (spec.ground) print(out, "  {:<22} {:.2f} m at most\n", "height", survey.height_max());
  print(out, "  {:<22} {} of {}, H = {:.3f} +- {:.3f} nats\n\n", "cells", survey.cells().size(),
        cell_text(spec.coordinates), entropy.H, entropy.ci95);
  print(out, "  {:<22} {:>8} {:>8}\n", "behaviour", "options", "%");
  for (const BehaviourCount& one : survey.behaviours()) {
    print(out, "  {:<22} {:>8} {:>8.2f}\n", one.name, one.options,
          100 * static_cast<double>(one.options) / static_cast<double>(survey.options()));
  }
  if (survey.failures() > 0) print(out, "\n  the first: {}\n", survey.first_failure());
}

}  // namespace vic
