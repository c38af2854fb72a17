#include "cli/command.h"

namespace vic {

void CommonOptions::add_to(CLI::App& app) {
  app.add_flag("--json", json, "write JSON instead of text for people");
  app.add_option("--set", sets, "change a setting, as in --set world.noise=0.2; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_option("--settings", settings_file, "read settings from a TOML file; --set wins over it")
      ->type_name("FILE");
}

std::vector<Assignment> CommonOptions::assignments() const {
  std::vector<Assignment> list;
  if (!settings_file.empty()) list = read_settings_file(settings_file);
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
