#include "cli/sweep_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "run/run_folder.h"

namespace vic {
namespace {

// "a,b,c"; or with semicolons, "4,4;0,6", if values have commas themselves
std::vector<std::string> values_of(const std::string& text) {
  return split(text, text.find(';') == std::string::npos ? ',' : ';');
}

// --seeds 5 is 1 to 5, --seeds 1,2,7 a list, and so is --seeds 7,
std::vector<int> seeds_of(const std::string& text) {
  if (text.empty()) return {1};
  const bool list = text.size() > 1 && text.ends_with(',');
  std::vector<int> seeds;
  for (const std::string& part : values_of(text.substr(0, text.size() - (list ? 1 : 0)))) {
    parse_setting({"seeds", part, "--seeds"}, Range{0, 2147483647}, seeds.emplace_back());
  }
  if (list || seeds.size() > 1) return seeds;
  const int n = seeds[0];
  seeds.clear();
  if (n < 1 || n > 1000) {
    fail_usage("--seeds {} is not allowed; it must be a number from 1 to 1000, or a list.", n);
  }
  for (int seed = 1; seed <= n; ++seed) seeds.push_back(seed);
  return seeds;
}

// an experiment of one table: the world, and what --over, --seeds and --algorithm vary
Experiment direct_experiment(const SweepOptions& options, const UserSettings& given) {
  RunTable table;
  table.worlds = {{std::filesystem::path(options.file).stem().string(), options.file}};
  table.origin = "vic sweep";
  table.seeds = seeds_of(options.seeds);
  table.settings = given.assignments();
  if (!options.algorithms.empty()) table.algorithms = values_of(options.algorithms);
  std::string title;
  for (const std::string& text : options.over) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      fail_usage("--over: '{}' is not of the form key=a,b,c, as in --over train.lambda=0,0.5,1.",
                 shown(text));
    }
    Axis axis{text.substr(0, equals), {}};
    for (const std::string& value : values_of(text.substr(equals + 1))) {
      axis.choices.push_back({axis.key, value, "--over"});
    }
    title += (title.empty() ? ": " : ", ") + axis.key;
    if (axis.key == "train.seed") fail_usage("--over: seeds are varied with --seeds.");
    if (axis.key != "train.algorithm") {
      table.axes.push_back(std::move(axis));
      continue;
    }
    for (const Assignment& choice : axis.choices) table.algorithms.push_back(choice.value);
  }
  if (table.algorithms.empty()) {
    // the algorithm that vic train would choose
    std::vector<Assignment> first = table.settings;
    first.push_back({"run.world", options.file, "WORLD"});
    for (const Axis& axis : table.axes) first.push_back(axis.choices[0]);
    table.algorithms = {make_run(Overrides(first)).learner->settings().algorithm};
  }
  Experiment experiment;
  experiment.title = options.file + title;
  add_runs(experiment, table);
  return experiment;
}

}  // namespace

std::string SweepOptions::name() const {
  return std::filesystem::path(file).stem().string() + (direct() ? "-sweep" : "");
}

std::string SweepOptions::folder() const {
  return out.empty() ? fmt::format("runs/{}{}", name(), quick ? "-quick" : "") : out;
}

Experiment load_experiment(const SweepOptions& options, const UserSettings& given) {
  Experiment experiment;
  if (options.direct()) {
    experiment = direct_experiment(options, given);
  } else {
    experiment = read_experiment(read_file(options.file), options.file);
    for (RunPlan& run : experiment.runs) {
      for (const Assignment& set : given.assignments()) run.assignments.push_back(set);
    }
  }
  return options.quick ? quick(std::move(experiment)) : experiment;
}

void declare_runs_of(Arguments& arguments, SweepOptions& options) {
  arguments.option("--out FOLDER", options.out, "the folder of the runs; runs/NAME by default");
  arguments.flag("--quick", options.quick,
                 "one seed and a few updates of each: shows that all parts work");
}

void declare_variation(Arguments& arguments, SweepOptions& options) {
  arguments.option("--over KEY=A,B,C", options.over,
                   "train the world once for each value of a setting; may be repeated, then for "
                   "each combination. Values with commas are separated by semicolons");
  arguments.option("--seeds N", options.seeds,
                   "with seeds 1 to N, or those of a list, as in 1,2,7 or 7,");
  arguments.option("--algorithm LIST", options.algorithms, "with these algorithms");
}

}  // namespace vic
