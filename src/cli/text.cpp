#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/print.h"
#include "base/text.h"
#include "cli/console.h"

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

std::string phase_text(const Learner& learner, int width) {
  const TrainSettings& settings = learner.settings();
  const long update = learner.state().update, warm_up = settings.warm_up;
  const bool warming = update < warm_up;
  const long done = warming ? update : update - warm_up;
  const long all = warming ? warm_up : settings.updates;
  return fmt::format("{} {}{}/{}", bar(static_cast<double>(done) / static_cast<double>(all), width),
                     warming ? "warm-up " : "", done, all);
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

void print_survey(const SimulatorSpec& spec, const FileValue& survey, std::ostream& out) {
  const long options = survey.whole("options"), failures = survey.whole("failures");
  print(out, "  {:<22} {}\n", "failed", failures);
  for (const Coordinate& coordinate : spec.coordinates) {
    const std::string &name = coordinate.name, &unit = coordinate.unit;
    const auto of = [&](const char* what) { return survey.number(name + what); };
    print(out, "  {:<22} mean {:.2f} {}, spread {:.2f} {}, from {:.2f} to {:.2f} {}\n", name,
          of("_mean"), unit, of("_spread"), unit, of("_min"), of("_max"), unit);
  }
  if (spec.ground) {
    print(out, "  {:<22} {:.2f} m at most\n", "height", survey.number("height_max"));
  }
  print(out, "  {:<22} {} of {}, H = {:.3f} +- {:.3f} nats\n\n", "cells", survey.whole("cells"),
        cell_text(spec.coordinates), survey.number("H"), survey.number("ci95"));
  print(out, "  {:<22} {:>8} {:>8}\n", "behaviour", "options", "%");
  for (const FileValue& one : survey.objects("behaviours")) {
    const long count = one.whole("options");
    print(out, "  {:<22} {:>8} {:>8.2f}\n", shown(one.text("behaviour")), count,
          100 * static_cast<double>(count) / static_cast<double>(options));
  }
  if (failures > 0 && survey.has("first_failure")) {
    print(out, "\n  the first: {}\n", shown(survey.text("first_failure"), std::string::npos));
  }
}

}  // namespace vic
