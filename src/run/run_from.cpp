#include "run/run_from.h"

#include <algorithm>

#include "run/checkpoint.h"
#include "run/result_mark.h"

namespace vic {
namespace {

bool has_world(const std::vector<Assignment>& set) {
  return std::ranges::find(set, "run.world", &Assignment::key) != set.end();
}

// The settings of a run as another inherits them: without world.* if that one is in another world.
std::vector<Assignment> inherited(const Run& source, const std::vector<Assignment>& set) {
  std::vector<Assignment> settings = source.resolved;
  if (has_world(set)) {
    std::erase_if(settings, [](const Assignment& one) { return one.key.starts_with("world."); });
  }
  return settings;
}

// a run with these settings and the weights of another
enum class Schedules { anew, as_they_are };
Run with_weights(const Run& source, std::vector<Assignment> settings, const std::string& folder,
                 Schedules schedules) {
  // the copy of the world's file is that of the source, unless another world was named
  const bool same = std::ranges::none_of(settings, [&](const Assignment& one) {
    return one.key == "run.world" && one.value != source.settings.world;
  });
  Run run = make_run(Overrides(std::move(settings)), same ? folder : "",
                     source.learner->agent().scales.mean.empty()
                         ? std::nullopt
                         : std::optional(source.learner->agent().scales));
  TensorFile learned = snapshot(*source.learner);
  if (schedules == Schedules::anew) {
    for (auto& [name, tensor] : learned.tensors) {
      if (name == "learner/update") tensor = make_tensor(std::vector<std::int64_t>{0}, {1});
    }
  }
  try {
    restore(*run.learner, learned);
  } catch (const Error& error) {
    fail_usage("{} does not fit these settings: {}", folder, error.what());
  }
  return run;
}

}  // namespace

Run make_run_from(const std::string& folder, const std::vector<Assignment>& set, const Warn& warn) {
  const Run source = load_trained_run(folder, warn);
  std::vector<Assignment> settings = inherited(source, set);
  // in a simulated world, the sizes of surveys follow from the length of their own training
  const bool simulated = simulator_in(source.world) != nullptr;
  std::erase_if(settings, [&](const Assignment& one) {
    const bool surveys = one.key == "run.survey_options" || one.key == "eval.survey";
    return one.key == "run.from" || (simulated && surveys);
  });
  settings.push_back({"train.warm_up", "0", "--from"});
  settings.insert(settings.end(), set.begin(), set.end());
  const std::string name = fmt::format("{}@{}", run_id(source.resolved, source.world_text),
                                       source.learner->state().update);
  settings.push_back({"run.from", name, "--from"});
  return with_weights(source, std::move(settings), folder, Schedules::anew);
}

Run load_run_elsewhere(const std::string& folder, const std::vector<Assignment>& set,
                       const Warn& warn) {
  const Run source = load_trained_run(folder, warn);
  std::vector<Assignment> settings = inherited(source, set);
  settings.insert(settings.end(), set.begin(), set.end());
  return with_weights(source, std::move(settings), folder, Schedules::as_they_are);
}

}  // namespace vic
