#include "cli/text.h"

#include <fmt/format.h>

#include "base/print.h"

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

}  // namespace vic
