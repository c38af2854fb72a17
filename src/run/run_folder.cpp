#include "run/run_folder.h"

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

bool is_world_file(const std::string& world) {
  return world.find('/') != std::string::npos || world.ends_with(".toml");
}

}  // namespace

Run make_run(const std::string& world, Overrides overrides) {
  Run run;
  run.settings.world = world;
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
  if (!std::filesystem::exists(folder + settings_name)) {
    fail_usage("{} is no run: it has no settings.toml; vic train makes runs.", folder);
  }
  std::vector<Assignment> assignments = read_settings_file(folder + settings_name);
  // the world's own file was copied beside the settings
  if (std::filesystem::exists(folder + world_name)) {
    assignments.push_back({"run.world", folder + world_name, folder + settings_name});
  }
  Run run = make_run("", Overrides(std::move(assignments)));
  restore(*run.learner, read_tensor_file(folder + checkpoint_name));
  return run;
}

void begin_run_folder(const Run& run, const std::string& folder) {
  if (std::filesystem::exists(folder + settings_name)) {
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
