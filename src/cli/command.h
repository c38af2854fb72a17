// A command of the program: its name, its arguments, its action.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/settings.h"
#include "cli/arguments.h"
#include "cli/console.h"

namespace vic {

// A command has completed, but refuted a claim of the paper. Exit code 3.
class ClaimRefuted : public Error {
 public:
  using Error::Error;
};

// The settings that every command takes: those of --settings FILE, overridden by those of --set.
struct UserSettings {
  std::vector<std::string> sets;
  std::string file;

  bool empty() const { return sets.empty() && file.empty(); }
  std::vector<Assignment> assignments() const;
  Overrides overrides() const { return Overrides(assignments()); }
};

// A command declares its arguments and returns the action to run once they are parsed. The program
// adds what all commands have: --json, which has set the console's format by then, --set and
// --settings.
using Action = std::function<void(const UserSettings&, const Console&)>;

// The action that runs with the options that the command declared.
template <class Options, class Run>
Action action(const std::shared_ptr<Options>& options, const Run& run) {
  return [options, run](const UserSettings& settings, const Console& console) {
    run(*options, settings, console);
  };
}

struct Command {
  std::string name;
  std::string summary;
  Action (*declare)(Arguments& arguments);
};

// A command with all its arguments: its own, and those that every command takes. Not movable: the
// arguments are bound to its members.
struct DeclaredCommand {
  explicit DeclaredCommand(const Command& command);

  Arguments arguments;
  Action action;
  bool json = false;
  UserSettings settings;
};

// The command of that name. Throws a UsageError that suggests the closest name.
const Command& find_command(const std::vector<Command>& commands, const std::string& name);

Action declare_worlds(Arguments& arguments);
Action declare_exact(Arguments& arguments);
Action declare_estimators(Arguments& arguments);
Action declare_train(Arguments& arguments);
Action declare_eval(Arguments& arguments);
Action declare_reach(Arguments& arguments);
Action declare_sweep(Arguments& arguments);
Action declare_reproduce(Arguments& arguments);
Action declare_submit(Arguments& arguments);
Action declare_runs(Arguments& arguments);
Action declare_report(Arguments& arguments);
Action declare_serve(Arguments& arguments);
Action declare_export(Arguments& arguments);
Action declare_film(Arguments& arguments);
Action declare_bench(Arguments& arguments);

// The end of a command's help: its settings, with defaults and ranges.
std::string settings_help(const std::vector<std::vector<SettingInfo>>& groups);
inline constexpr const char* world_settings_help =
    "  world.*                         vic worlds NAME lists those of a world\n";

}  // namespace vic
