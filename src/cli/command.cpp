#include "cli/command.h"

namespace vic {

void UserSettings::add_to(Arguments& arguments) {
  arguments.option("--set KEY=VALUE", sets,
                   "change a setting, as in --set world.noise=0.2; may be repeated");
  arguments.option("--settings FILE", file, "read settings from a TOML file; --set wins over it");
}

std::vector<Assignment> UserSettings::assignments() const {
  std::vector<Assignment> list;
  if (!file.empty()) list = read_settings_file(file);
  for (const std::string& text : sets) list.push_back(parse_assignment(text));
  return list;
}

std::string settings_help(const std::vector<std::vector<SettingInfo>>& groups) {
  std::string text = "Settings (with --set):\n";
  for (const auto& group : groups) {
    for (const SettingInfo& info : group) {
      text +=
          fmt::format("  {:<20} {:<10} {} ({})\n", info.key, info.value, info.help, info.allowed);
    }
  }
  return text;
}

}  // namespace vic
