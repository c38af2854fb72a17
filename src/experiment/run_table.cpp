// Tables of runs: the product of worlds, algorithms, settings and seeds.
#include <algorithm>
#include <charconv>
#include <set>

#include "experiment/experiment.h"

namespace vic {
namespace {

constexpr double most_runs = 100'000;

// of a run's name, which is that of a folder: file systems end at 255
constexpr std::size_t longest_name = 200;

// "lambda" of "train.lambda"; the whole key if another one has the same last part
std::string short_name(const std::string& key, const std::vector<Assignment>& varied) {
  const auto last = [](const std::string& whole) { return whole.substr(whole.rfind('.') + 1); };
  const auto same = std::ranges::count_if(
      varied, [&](const Assignment& one) { return last(one.key) == last(key); });
  return same > 1 ? key : last(key);
}

// a group may have any name: characters that a folder's name cannot have become '-'
std::string folder_name(const RunPlan& run) {
  std::string name = fmt::format("{}-{}-", run.group, run.algorithm);
  for (const Assignment& one : run.varied) {
    name += fmt::format("{}-{}-", short_name(one.key, run.varied), one.value);
  }
  name += fmt::format("{}", run.seed);
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && c != '.' && c != '_') c = '-';
  }
  return name;
}

// calls `visit` with every choice of a value from each axis, the last axis fastest
template <class Visit>
void for_each_choice(const std::vector<Axis>& axes, std::vector<Assignment>& chosen,
                     const Visit& visit) {
  if (chosen.size() == axes.size()) return visit(chosen);
  for (const Assignment& choice : axes[chosen.size()].choices) {
    chosen.push_back(choice);
    for_each_choice(axes, chosen, visit);
    chosen.pop_back();
  }
}

}  // namespace

std::string RunPlan::method() const {
  std::string text = algorithm;
  for (const Assignment& one : varied) {
    text += fmt::format(", {} {}", short_name(one.key, varied), one.value);
  }
  return text;
}

double count_runs(const RunTable& table) {
  double all = static_cast<double>(table.worlds.size()) *
               static_cast<double>(table.algorithms.size() * table.seeds.size());
  for (const Axis& axis : table.axes) all *= static_cast<double>(axis.choices.size());
  return all;
}

void add_runs(Experiment& experiment, const RunTable& table) {
  if (static_cast<double>(experiment.runs.size()) + count_runs(table) > most_runs) {
    fail_usage("{}: these are more than {} runs; split them into several experiments.",
               table.origin, most_runs);
  }
  std::set<std::string> names;
  for (const RunPlan& run : experiment.runs) names.insert(run.name);
  const auto add = [&](const std::string& group, const std::string& world,
                       const std::string& algorithm, const std::vector<Assignment>& varied,
                       int seed) {
    RunPlan& run = experiment.runs.emplace_back(
        RunPlan{"", group, algorithm, seed, seed == table.seeds.front(), varied, table.settings});
    run.name = folder_name(run);
    if (run.name.size() > longest_name) {
      fail_usage(
          "{}: the folder of a run would have a name of {} characters, {}...; choose a "
          "shorter group or shorter values, {} characters at most.",
          table.origin, run.name.size(), run.name.substr(0, 40), longest_name);
    }
    const auto set = [&](const char* key, const std::string& text) {
      run.assignments.push_back({key, text, table.origin});
    };
    set("run.world", world);
    set("run.group", group);
    set("train.algorithm", algorithm);
    set("train.seed", fmt::format("{}", seed));
    run.assignments.insert(run.assignments.end(), varied.begin(), varied.end());
    if (names.insert(run.name).second) return;
    fail_usage("{}: the run {} is there twice; give one of its [[runs]] another group.",
               table.origin, run.name);
  };
  for (const auto& [group, world] : table.worlds) {
    for (const std::string& algorithm : table.algorithms) {
      std::vector<Assignment> chosen;
      for_each_choice(table.axes, chosen, [&, &group = group, &world = world](const auto& varied) {
        for (const int seed : table.seeds) add(group, world, algorithm, varied, seed);
      });
    }
  }
}

std::vector<double> Experiment::frontier_lambdas() const {
  std::set<double> all;
  for (const RunPlan& run : runs) {
    const auto found = std::ranges::find(run.varied, "train.lambda", &Assignment::key);
    double lambda = 0;
    if (found == run.varied.end()) continue;
    const std::string& text = found->value;
    // anything but a number is refused when the run is made
    if (std::from_chars(text.data(), text.data() + text.size(), lambda).ec == std::errc()) {
      all.insert(lambda);
    }
  }
  // the curve bends between the runs, most of all on both sides of 1
  if (!all.empty() && !quick) {
    all.insert({0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 0.95, 0.99, 1.01, 1.1, 1.25});
  }
  return {all.begin(), all.end()};
}

}  // namespace vic
