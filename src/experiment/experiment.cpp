#include "experiment/experiment.h"

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/file_value.h"
#include "base/text.h"
#include "eval/measures.h"
#include "sim/world.h"
#include "world/registry.h"

namespace vic {
namespace {

constexpr int most_seeds = 1000;

template <class Value>
bool contains(const std::vector<Value>& list, const Value& value) {
  return std::ranges::find(list, value) != list.end();
}

std::vector<std::string> read_names(const FileValue& value) {
  std::vector<std::string> names;
  for (const FileValue& element : value.list("a list of names")) names.push_back(element.name());
  return names;
}

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

// 1 to n, or a list
std::vector<int> read_seeds(const FileValue& value) {
  std::vector<int> seeds;
  if (value && value.json().is_array()) {
    for (const FileValue& seed : value.list("a list of seeds")) {
      seeds.push_back(seed.whole(Range{0, 2147483647}));
      if (std::ranges::count(seeds, seeds.back()) > 1)
        seed.reject("a seed that is not there twice");
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

// Calls `visit` with every setting of a table, however deep: its key, and one value or several.
template <class Visit>
void read_settings(const FileValue& table, const std::string& prefix, const Visit& visit) {
  for (const auto& [name, value] : table.entries()) {
    const std::string key = prefix + name;
    if (value.json().is_object()) {
      read_settings(value, key + ".", visit);
      continue;
    }
    if (key == "train.seed" || key == "train.algorithm" || key == "run.world") {
      value.fail("{} is set by seeds, algorithms and worlds.", key);
    }
    Axis axis{key, {}};
    if (value.json().is_array()) {
      for (const FileValue& one : value.list("a list of values")) {
        axis.choices.push_back(read_setting(key, one));
      }
    } else {
      axis.choices.push_back(read_setting(key, value));
    }
    visit(std::move(axis), value.json().is_array());
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
    read_settings(given, "", [&](Axis axis, bool list) {
      if (list) {
        table.axes.push_back(std::move(axis));
      } else {
        table.settings.push_back(std::move(axis.choices[0]));
      }
    });
  }
  return table;
}

// one number, or the ratio of two
void check_measure(const FileValue& value) {
  const std::string text = value.text();
  const std::size_t slash = text.find(" / ");
  const auto check = [&](const std::string& name) {
    if (contains(measure_names(), name)) return;
    value.fail("{} = \"{}\" measures '{}', which is not known{}", value.key(), shown(text),
               shown(name), suggestion(name, measure_names()));
  };
  check(text.substr(0, slash));
  if (slash != std::string::npos) check(text.substr(slash + 3));
}

Claim read_claim(const FileValue& value, const std::vector<RunPlan>& runs) {
  const FileValue& keys = value.table(
      {"text", "groups", "algorithms", "settings", "measure", "at_least", "at_most", "over"});
  Claim claim;
  claim.text = keys["text"].text();
  if (const FileValue groups = keys["groups"]) claim.groups = read_names(groups);
  if (const FileValue names = keys["algorithms"]) claim.algorithms = read_names(names);
  if (const FileValue given = keys["settings"]) {
    read_settings(given, "", [&](Axis axis, bool) { claim.settings.push_back(std::move(axis)); });
  }
  claim.measure = keys["measure"].text();
  check_measure(keys["measure"]);
  if (const FileValue bound = keys["at_least"]) claim.at_least = bound.number(Range{});
  if (const FileValue bound = keys["at_most"]) claim.at_most = bound.number(Range{});
  if (!keys["at_least"] && !keys["at_most"]) {
    value.fail("this claim has no bound; give it at_least, at_most or both.");
  }
  if (const FileValue over = keys["over"]) {
    const std::string name = over.text();
    if (name != "mean" && name != "every") over.reject("\"mean\" or \"every\"");
    claim.over = name == "every" ? Over::every : Over::mean;
  }
  if (std::ranges::none_of(runs, [&](const RunPlan& run) { return claim.selects(run); })) {
    value.fail("this claim is about none of the runs; see its groups, algorithms and settings.");
  }
  return claim;
}

}  // namespace

bool Claim::selects(const RunPlan& run) const {
  const auto has = [&](const Axis& axis) {
    const auto found = std::ranges::find(run.varied, axis.key, &Assignment::key);
    return found != run.varied.end() &&
           std::ranges::find(axis.choices, found->value, &Assignment::value) != axis.choices.end();
  };
  return (groups.empty() || contains(groups, run.group)) &&
         (algorithms.empty() || contains(algorithms, run.algorithm)) &&
         std::ranges::all_of(settings, has);
}

Experiment read_experiment(std::string_view text, const std::string& path) {
  const FileValue file = FileValue::parse_toml(text, path, {"title", "about", "runs", "claims"});
  Experiment experiment;
  experiment.title = file["title"].text();
  // what it is about is for readers of the file
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
