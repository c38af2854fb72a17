// A command of the program: what it is called, which arguments it takes, what it does.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/settings.h"
#include "cli/console.h"

namespace vic {

// The options that every command takes.
struct CommonOptions {
  bool json = false;
  std::vector<std::string> sets;
  std::string settings_file;

  void add_to(CLI::App& app);

  // The file's assignments, then those of --set, which win.
  std::vector<Assignment> assignments() const;
  Overrides overrides() const { return Overrides(assignments()); }
};

// A command declares its options on `app` and returns what to do once they are parsed.
using Action = std::function<void(const Console&)>;
struct Command {
  std::string name;
  std::string summary;
  Action (*declare)(CLI::App& app);
};

Action declare_worlds(CLI::App& app);
Action declare_exact(CLI::App& app);
Action declare_train(CLI::App& app);
Action declare_eval(CLI::App& app);
Action declare_reach(CLI::App& app);
Action declare_sweep(CLI::App& app);
Action declare_reproduce(CLI::App& app);
Action declare_report(CLI::App& app);
Action declare_film(CLI::App& app);
Action declare_bench(CLI::App& app);

// The end of a command's help: its settings, with defaults and ranges.
std::string settings_help(const std::vector<std::vector<SettingInfo>>& groups);
inline constexpr const char* world_settings_help =
    "  world.*                         vic worlds NAME lists those of a world\n";

}  // namespace vic
