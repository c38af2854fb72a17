#include "cli/run_head.h"

#include <fmt/format.h>

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

}  // namespace vic
