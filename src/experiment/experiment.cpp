#include "experiment/experiment.h"

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/file_value.h"
#include "base/text.h"
#include "sim/world.h"
#include "world/registry.h"

namespace vic {
namespace {

constexpr int most_seeds = 1000;

// A path in an experiment must lead to a file beside it or below: an experiment from elsewhere must
// not open other files.
std::string path_beside(const FileValue& value) {
  const std::string name = value.name();
  const std::filesystem::path path = std::filesystem::path(name).lexically_normal();
  if (path.is_absolute() || path.begin() == path.end() || *path.begin() == "..") {
    value.fail("{} lies outside of the experiment's folder; put a copy beside it.", shown(name));
  }
  const std::string beside = std::filesystem::path(value.path()).parent_path() / path;
  require_plain_file(beside);
  return beside;
}

// the name of a world, or the path of its file
std::string world_path(const FileValue& value) {
  const std::string name = value.name();
  const SimulatorFamily* family = find_simulators(name);
  const bool file = is_world_file(name) || (family != nullptr && family->is_file(name));
  return file ? path_beside(value) : name;
}

// 1 to n, or a list
std::vector<int> read_seeds(const FileValue& value) {
  std::vector<int> seeds;
  if (value && value.json().is_array()) {
    for (const FileValue& seed : value.list("a list of seeds")) {
      seeds.push_back(seed.whole(Range{0, 2147483647}));
      if (std::ranges::count(seeds, seeds.back()) > 1) seed.reject("a seed that is listed once");
    }
    if (seeds.size() > most_seeds) value.fail("these are more than {} seeds.", most_seeds);
    return seeds;
  }
  const int n = value.whole(Range{1, most_seeds});
  for (int seed = 1; seed <= n; ++seed) seeds.push_back(seed);
  return seeds;
}

Assignment read_setting(const std::string& key, const FileValue& value) {
  const Json& json = value.json();
  const std::string origin = fmt::format("{}:{}", value.path(), value.line());
  if (key == "world.model") return {key, path_beside(value), origin};
  if (json.is_string()) return {key, json.get<std::string>(), origin};
  if (json.is_integer()) return {key, fmt::format("{}", json.get<long>()), origin};
  if (json.is_number()) return {key, fmt::format("{}", json.get<double>()), origin};
  value.fail("{} is neither a number nor text nor a list of these.", shown(key));
}

void add_settings(std::vector<Axis>& axes, const FileValue& table, const std::string& prefix) {
  for (const auto& [name, value] : table.entries()) {
    const std::string key = prefix + name;
    if (value.json().is_object()) {
      add_settings(axes, value, key + ".");
      continue;
    }
    if (key == "train.seed" || key == "train.algorithm" || key == "run.world") {
      value.fail("{} is set by seeds, algorithms and worlds.", key);
    }
    Axis& axis = axes.emplace_back(Axis{key, {}, value.json().is_array()});
    if (!axis.varies) {
      axis.choices.push_back(read_setting(key, value));
      continue;
    }
    for (const FileValue& one : value.list("a list of values")) {
      axis.choices.push_back(read_setting(key, one));
    }
  }
}

// a [[runs]] table
RunTable read_table(const FileValue& value) {
  const FileValue& keys = value.table({"group", "worlds", "algorithms", "seeds", "settings"});
  RunTable table;
  table.origin = fmt::format("{}:{}", keys.path(), value.line());
  for (const FileValue& world : keys["worlds"].list("a list of names")) {
    table.worlds.emplace_back((keys["group"] ? keys["group"] : world).name(), world_path(world));
  }
  table.algorithms = read_names(keys["algorithms"]);
  table.seeds = read_seeds(keys["seeds"]);
  if (const FileValue given = keys["settings"]) {
    for (Axis& axis : read_settings(given)) {
      if (axis.varies) {
        table.axes.push_back(std::move(axis));
      } else {
        table.settings.push_back(std::move(axis.choices[0]));
      }
    }
  }
  return table;
}

}  // namespace

std::vector<Axis> read_settings(const FileValue& table) {
  std::vector<Axis> axes;
  add_settings(axes, table, "");
  return axes;
}

Experiment read_experiment(std::string_view text, const std::string& path) {
  const FileValue file = FileValue::parse_toml(text, path, {"title", "about", "runs", "claims"});
  Experiment experiment;
  experiment.title = file["title"].text();
  // the description is only for readers of the file
  if (const FileValue about = file["about"]) about.text();
  for (const FileValue& runs : file["runs"].list("a list of at least one [[runs]]")) {
    add_runs(experiment, read_table(runs));
  }
  if (const FileValue claims = file["claims"]) {
    for (const FileValue& claim : claims.list("a list of [[claims]]")) {
      experiment.claims.push_back(read_claim(claim, experiment.runs));
    }
  }
  return experiment;
}

Experiment quick(Experiment experiment) {
  std::erase_if(experiment.runs, [](const RunPlan& run) { return !run.first_seed; });
  experiment.quick = true;
  for (RunPlan& run : experiment.runs) {
    run.assignments.push_back({"train.warm_up", "10", "--quick"});
    run.assignments.push_back({"train.updates", "20", "--quick"});
  }
  return experiment;
}

}  // namespace vic
