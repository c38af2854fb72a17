#include "run/run_folder.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "run/checkpoint.h"
#include "world/registry.h"

namespace vic {
namespace {

constexpr const char* settings_name = "/settings.toml";
constexpr const char* world_name = "/world.toml";
constexpr const char* checkpoint_name = "/checkpoint.safetensors";

// what cannot be looked at is not there
bool exists(const std::string& path) {
  std::error_code status;
  return std::filesystem::exists(path, status);
}

}  // namespace

Run make_run(Overrides overrides) {
  Run run;
  overrides.apply("run", run.settings);
  run.world = std::make_unique<TabularWorld>(load_world(run.settings.world, overrides));
  TrainSettings train;
  overrides.apply("train", train);
  overrides.finish();
  run.resolved = overrides.resolved();
  run.learner = std::make_unique<Learner>(*run.world, train);
  return run;
}

Run load_run(const std::string& folder) {
  if (!exists(folder + settings_name)) {
    fail_usage("'{}' is no run: it has no settings.toml; vic train makes runs.", folder);
  }
  if (!exists(folder + checkpoint_name)) {
    fail_usage("'{}' has no checkpoint: its training was cut off; train again in another folder.",
               folder);
  }
  std::vector<Assignment> assignments = read_settings_file(folder + settings_name);
  std::string original;
  for (const Assignment& said : assignments) {
    if (said.key == "run.world") original = said.value;
  }
  // the world's own file was copied beside the settings
  if (exists(folder + world_name)) {
    assignments.push_back({"run.world", folder + world_name, folder + settings_name});
  }
  Run run = make_run(Overrides(assignments));
  // a file that does not say its name was named after the path it had
  if (run.world->name == "world") {
    run.world->name = std::filesystem::path(original).stem().string();
  }
  for (const Assignment& setting : run.resolved) {
    const bool said = std::any_of(assignments.begin(), assignments.end(),
                                  [&](const Assignment& a) { return a.key == setting.key; });
    if (!said) {
      fail_usage("{}{} lacks {}: it was changed after the run was made.", folder, settings_name,
                 setting.key);
    }
  }
  restore(*run.learner, read_tensor_file(folder + checkpoint_name));
  return run;
}

void begin_run_folder(const Run& run, const std::string& folder) {
  if (exists(folder + settings_name)) {
    fail_usage("{} has a run already; choose another folder with --out.", folder);
  }
  std::error_code status;
  std::filesystem::create_directories(folder, status);
  if (status) throw Error(fmt::format("Cannot make the folder {}: {}.", folder, status.message()));
  if (is_world_file(run.settings.world)) {
    write_file(folder + world_name, read_file(run.settings.world));
  }
  write_file(folder + settings_name, settings_text(run.resolved));
}

void save_checkpoint(const Run& run, const std::string& folder) {
  write_file(folder + checkpoint_name, write_tensors(snapshot(*run.learner)));
}

std::string metrics_line(Metrics metrics) {
  nlohmann::ordered_json json;
  metrics.visit([&](const char* name, auto& value) { json[name] = value; });
  return json.dump() + "\n";
}

}  // namespace vic
