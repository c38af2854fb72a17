#include "experiment/experiment.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "base/file_value.h"
#include "base/text.h"
#include "sim/world.h"
#include "world/registry.h"

namespace vic {
namespace {

constexpr int most_seeds = 1000;
constexpr double most_runs = 100'000;

// A file of an experiment, which lies beside it or below. Those of others must not open what lies
// elsewhere.
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

// a group may be called anything: what a folder cannot be called becomes '-'
std::string folder_name(const RunPlan& run) {
  const std::string lambda = run.lambda ? fmt::format("lambda-{}-", *run.lambda) : "";
  std::string name = fmt::format("{}-{}-{}{}", run.group, run.algorithm, lambda, run.seed);
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && c != '.' && c != '_') c = '-';
  }
  return name;
}

// a [[runs]] table: every world with every algorithm, lambda and seed
void read_runs(const FileValue& value, std::vector<RunPlan>& runs) {
  const FileValue& keys =
      value.table({"group", "worlds", "algorithms", "lambdas", "seeds", "settings"});
  const std::vector<FileValue> worlds = keys["worlds"].list("a list of names");
  const std::vector<std::string> algorithms = read_names(keys["algorithms"]);
  std::vector<std::optional<double>> lambdas = {std::nullopt};
  if (const FileValue given = keys["lambdas"]) {
    const std::vector<double> list = read_lambdas(given);
    lambdas.assign(list.begin(), list.end());
  }
  const int seeds = keys["seeds"].whole(Range{1, most_seeds});
  std::vector<Assignment> settings;
  if (const FileValue given = keys["settings"]) {
    settings = given.assignments();
    for (Assignment& setting : settings) {
      if (setting.key == "world.model") setting.value = path_beside(given["world"]["model"]);
    }
  }
  const std::string origin = fmt::format("{}:{}", keys.path(), value.line());
  const double all = static_cast<double>(worlds.size() * algorithms.size()) *
                     static_cast<double>(lambdas.size()) * seeds;
  if (static_cast<double>(runs.size()) + all > most_runs) {
    value.fail("these are more than {} runs; split them into several experiments.", most_runs);
  }
  const auto add = [&](const FileValue& world, const std::string& path,
                       const std::string& algorithm, const std::optional<double>& lambda,
                       int seed) {
    const std::string group = (keys["group"] ? keys["group"] : world).name();
    RunPlan& run = runs.emplace_back(RunPlan{"", group, algorithm, seed, lambda, settings});
    run.name = folder_name(run);
    const auto set = [&](const char* key, const std::string& text) {
      run.assignments.push_back({key, text, origin});
    };
    set("run.world", path);
    set("run.group", group);
    set("train.algorithm", algorithm);
    set("train.seed", fmt::format("{}", seed));
    if (lambda) set("train.lambda", fmt::format("{}", *lambda));
  };
  for (const FileValue& world : worlds) {
    const std::string path = world_path(world);
    for (const std::string& algorithm : algorithms) {
      for (const std::optional<double>& lambda : lambdas) {
        for (int seed = 1; seed <= seeds; ++seed) add(world, path, algorithm, lambda, seed);
      }
    }
  }
}

std::set<double> lambdas_of(const std::vector<RunPlan>& runs) {
  std::set<double> all;
  for (const RunPlan& run : runs) {
    if (run.lambda) all.insert(*run.lambda);
  }
  return all;
}

}  // namespace

std::string RunPlan::method() const {
  return lambda ? fmt::format("{}, lambda {}", algorithm, *lambda) : algorithm;
}

Experiment read_experiment(std::string_view text, const std::string& path) {
  const FileValue file = FileValue::parse_toml(text, path, {"title", "about", "runs", "claims"});
  Experiment experiment;
  experiment.title = file["title"].text();
  // what it is about is for readers of the file
  if (const FileValue about = file["about"]) about.text();
  std::set<std::string> names;
  for (const FileValue& runs : file["runs"].list("a list of at least one [[runs]]")) {
    const std::size_t before = experiment.runs.size();
    read_runs(runs, experiment.runs);
    for (std::size_t i = before; i < experiment.runs.size(); ++i) {
      const std::string& name = experiment.runs[i].name;
      if (names.insert(name).second) continue;
      runs.fail("the run {} is there twice; give one of its [[runs]] another group.", name);
    }
  }
  std::set<double> lambdas = lambdas_of(experiment.runs);
  // the curve bends between the runs, and most of all on both sides of 1
  if (!lambdas.empty()) {
    lambdas.insert({0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 0.95, 0.99, 1.01, 1.1, 1.25});
  }
  experiment.lambdas.assign(lambdas.begin(), lambdas.end());
  if (const FileValue claims = file["claims"]) {
    for (const FileValue& claim : claims.list("a list of [[claims]]")) {
      experiment.claims.push_back(read_claim(claim, experiment.runs));
    }
  }
  return experiment;
}

Experiment quick(Experiment experiment) {
  std::erase_if(experiment.runs, [](const RunPlan& run) { return run.seed > 1; });
  const std::set<double> lambdas = lambdas_of(experiment.runs);
  experiment.lambdas.assign(lambdas.begin(), lambdas.end());
  for (RunPlan& run : experiment.runs) {
    run.assignments.push_back({"train.warm_up", "10", "--quick"});
    run.assignments.push_back({"train.updates", "20", "--quick"});
  }
  return experiment;
}

}  // namespace vic
