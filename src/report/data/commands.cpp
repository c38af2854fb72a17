#include "report/data/commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "run/run_folder.h"
#include "sim/registry.h"
#include "world/registry.h"

namespace vic {
namespace {

std::map<std::string, std::string> default_settings(const std::string& world) {
  std::map<std::string, std::string> defaults;
  const auto add = [&](const std::vector<SettingInfo>& list) {
    for (const SettingInfo& info : list) defaults[info.key] = info.value;
  };
  add(describe("train", TrainSettings{}));
  add(describe("run", RunSettings{}));
  for (const WorldEntry& entry : registry()) {
    if (entry.name == world) add(entry.settings());
  }
  if (const SimulatorFamily* family = find_simulators(world)) add(family->settings(world));
  return defaults;
}

// as a word of the shell
std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("._-/=+:,@%").find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string out = "'";
  for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string train_command(const WorldReport& world, const Series& series) {
  const RunFiles& run = series.runs[0];
  const std::string name = run.setting("run.world");
  const auto defaults = default_settings(name);
  std::string text = fmt::format("./vic train {} --algorithm {} --seed $seed", quoted(name),
                                 quoted(series.algorithm));
  if (const auto found = defaults.find("train.updates");
      found == defaults.end() || found->second != std::to_string(run.updates)) {
    text += fmt::format(" --updates {}", run.updates);
  }
  for (const Assignment& said : run.settings) {
    const auto found = defaults.find(said.key);
    const bool implied = (found != defaults.end() && found->second == said.value) ||
                         said.key == "run.world" || said.key == "train.algorithm" ||
                         said.key == "train.seed" || said.key == "train.updates" ||
                         is_indifferent(said.key);
    if (implied) continue;
    text += fmt::format(" --set {}", quoted(said.key + "=" + said.value));
  }
  std::vector<std::string> seeds;
  for (const RunFiles& one : series.runs) seeds.push_back(std::to_string(one.seed));
  return fmt::format("for seed in {}; do {} --out again/{}-$seed; done", joined(seeds, " "), text,
                     file_name(world.label + "-" + series.label));
}

}  // namespace vic
