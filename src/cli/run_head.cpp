#include "cli/run_head.h"

#include <fmt/format.h>

namespace vic {

std::string run_title(const Run& run) {
  const TrainSettings& settings = run.learner->settings();
  return fmt::format("{}, {}, seed {}", run.world_name(), settings.algorithm, settings.seed);
}

Json run_json(const Run& run) {
  const TrainSettings& settings = run.learner->settings();
  return {{"world", run.world_name()}, {"algorithm", settings.algorithm}, {"seed", settings.seed}};
}

}  // namespace vic
