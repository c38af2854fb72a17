#include "cli/completion.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/text.h"
#include "cli/cli_files.h"
#include "cli/manual.h"
#include "experiment/shipped.h"
#include "method/algorithm.h"
#include "sim/world.h"
#include "world/registry.h"

namespace vic {
namespace {

using Words = std::vector<std::string>;

Words world_names() {
  Words names;
  for (const WorldEntry& entry : registry()) names.push_back(entry.name);
  for (const SimulatorFamily& family : simulator_registry()) {
    for (const SimulatorEntry& entry : family.entries) names.push_back(entry.name);
  }
  return names;
}

// the settings of the worlds that `given` names, or of all registered worlds if it names none
Words world_keys(const Words& given) {
  const auto is_given = [&](const std::string& name) {
    return std::ranges::find(given, name) != given.end();
  };
  const bool any = std::ranges::none_of(world_names(), is_given);
  std::set<std::string> keys;
  const auto add = [&](const std::vector<SettingInfo>& settings) {
    for (const SettingInfo& info : settings) keys.insert(info.key);
  };
  for (const WorldEntry& entry : registry()) {
    if (any || is_given(entry.name)) add(entry.settings());
  }
  for (const SimulatorFamily& family : simulator_registry()) {
    for (const SimulatorEntry& entry : family.entries) {
      if (any || is_given(entry.name)) add(family.settings(entry.name));
    }
  }
  return {keys.begin(), keys.end()};
}

// the keys that the command's help lists, as "  train.lambda  1 ..."; world.* stands for those of
// the worlds
Words setting_keys(const Arguments& arguments, const Words& given) {
  std::istringstream help(arguments.footer());
  Words keys;
  for (std::string line; std::getline(help, line);) {
    std::istringstream words(line);
    std::string key;
    if (!line.starts_with(' ') || !(words >> key)) continue;
    const std::size_t group = key.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
    if (group == 0 || group == std::string::npos || key[group] != '.') continue;
    if (key.ends_with(".*")) {
      for (const std::string& name : world_keys(given)) keys.push_back(name + "=");
    } else {
      keys.push_back(key + "=");
    }
  }
  return keys;
}

// the possible values of a placeholder; nothing if it is a file, a number or free text
Words values_of(const ArgumentInfo& argument, const Arguments& arguments, const Words& given) {
  const std::string& name = argument.placeholder;
  if (name == "WORLD") return world_names();
  if (name == "ALGORITHM") return algorithm_names();
  if (name == "FIGURE") return shipped_experiments();
  if (name.starts_with("KEY=")) return setting_keys(arguments, given);
  return {};
}

Words candidates(const Arguments& arguments, const Words& words) {
  const std::vector<ArgumentInfo> list = arguments.list();
  const auto option = [&](const std::string& name) {
    return std::ranges::find_if(list, [&](const ArgumentInfo& argument) {
      return argument.is_option() &&
             std::ranges::find(argument.names, name) != argument.names.end();
    });
  };
  // the value of an option; bash passes "key=value" as three words
  if (words.size() > 1) {
    if (words[words.size() - 2] == "=") return {};
    const auto before = option(words[words.size() - 2]);
    if (before != list.end() && !before->placeholder.empty()) {
      return values_of(*before, arguments, words);
    }
  }
  Words found;
  for (const ArgumentInfo& argument : list) {
    if (argument.is_option() == words.back().starts_with("-")) {
      const Words more =
          argument.is_option() ? argument.names : values_of(argument, arguments, words);
      found.insert(found.end(), more.begin(), more.end());
    }
  }
  return found;
}

}  // namespace

std::string completions(const std::vector<Command>& commands, const Words& words) {
  if (words.empty()) return "";
  Words found;
  if (words.size() == 1 || (words.size() == 2 && words[0] == "help")) {
    for (const Command& command : commands) found.push_back(command.name);
    if (words.size() == 1) {
      for (const OwnCommand& own : own_commands) found.push_back(own.name);
    }
  } else if (words[0] == "completion") {
    found = {"bash", "zsh"};
  } else {
    const auto command = std::ranges::find(commands, words[0], &Command::name);
    if (command == commands.end()) return "";
    const DeclaredCommand declared(*command);
    found = candidates(declared.arguments, {words.begin() + 1, words.end()});
  }
  std::erase_if(found, [&](const std::string& word) { return !word.starts_with(words.back()); });
  return found.empty() ? "" : joined(found, "\n") + "\n";
}

std::string completion_script(const std::string& shell) {
  if (shell == "bash") return std::string(resources::completion_bash);
  if (shell == "zsh") return std::string(resources::completion_zsh);
  fail_usage("There is no completion for the shell '{}'; there is for bash and zsh.", shell);
}

}  // namespace vic
