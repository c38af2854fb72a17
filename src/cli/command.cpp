#include "cli/command.h"

namespace vic {

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
