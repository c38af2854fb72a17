#include "cli/program.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <new>

#include "base/closest.h"
#include "base/error.h"
#include "cli/command.h"
#include "cli/signals.h"

namespace vic {
namespace {

// the table of commands, in the order of the help
const std::vector<Command> commands = {
    {"worlds", "list the worlds, or show one", declare_worlds},
    {"exact", "the truth about a world: how much control any agent can have", declare_exact},
    {"train", "train an agent that discovers its own options", declare_train},
    {"eval", "measure a run against the truth", declare_eval},
    {"reach", "send a run's options to a goal, or to all", declare_reach},
    {"sweep", "train the runs of an experiment", declare_sweep},
    {"reproduce", "a figure of the paper: its runs, its page, its verdict", declare_reproduce},
    {"report", "show runs: a table, a page with figures, SVG or CSV files", declare_report},
    {"film", "the options of a body as filmstrips", declare_film},
    {"bench", "measure the speed, as ratios", declare_bench},
};

std::string overview() {
  std::string text =
      "vic: a workbench for intrinsic control\n\nUsage: vic COMMAND [OPTIONS]\n\nCommands:\n";
  for (const Command& command : commands) {
    text += fmt::format("  {:<10} {}\n", command.name, command.summary);
  }
  return text +
         "\nvic COMMAND --help tells more. Exit codes: 0 done, 1 failed, 2 wrong usage, "
         "130 after Ctrl-C, 143 after SIGTERM.\n";
}

const Command& find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (command.name == name) return command;
    names.push_back(command.name);
  }
  fail_usage("There is no command '{}'{}", name, suggestion(name, names));
}

// what CLI11 could not place: an unknown option, or one argument too many
[[noreturn]] void reject_extra(const CLI::App& app, const std::string& extra) {
  if (!extra.starts_with("-")) {
    fail_usage("{} has no use for the argument '{}'; see {} --help.", app.get_name(), extra,
               app.get_name());
  }
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  }
  fail_usage("{} has no option {}{}", app.get_name(), extra, suggestion(extra, names));
}

void run_command(const std::vector<std::string>& args, const Console& console) {
  const Command& command = find_command(args[0]);
  CLI::App app(command.summary, "vic " + command.name);
  app.allow_extras();
  const Action action = command.declare(app);
  // CLI11 wants the arguments last first
  std::vector<std::string> rest(args.rbegin(), args.rend() - 1);
  try {
    app.parse(rest);
  } catch (const CLI::CallForHelp&) {
    fmt::print(console.out, "{}", app.help());
    return;
  } catch (const CLI::ParseError& error) {
    fail_usage("vic {}: {}; see vic {} --help.", command.name, error.what(), command.name);
  }
  if (const auto extras = app.remaining(); !extras.empty()) reject_extra(app, extras.front());
  action(console);
}

}  // namespace

int run_program(const std::vector<std::string>& args, const Console& console) {
  try {
    if (args.empty()) {
      fmt::print(console.err, "{}", overview());
      return exit_usage;
    }
    if (args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
      fmt::print(console.out, "{}", overview());
    } else if (args[0] == "--version") {
      fmt::print(console.out, "vic {}\n", VIC_VERSION);
    } else {
      run_command(args, console);
    }
    if (!console.out.flush()) throw Error("The output could not be written; is the disk full?");
    return exit_done;
  } catch (const StoppedBySignal& stopped) {
    fmt::print(console.err, "vic: {}\n", stopped.what());
    return stopped.exit_code();
  } catch (const UsageError& error) {
    fmt::print(console.err, "vic: {}\n", error.what());
    return exit_usage;
  } catch (const std::bad_alloc&) {
    fmt::print(console.err, "vic: The memory is not enough for this; choose a smaller world.\n");
    return exit_failed;
  } catch (const std::exception& error) {
    fmt::print(console.err, "vic: {}\n", error.what());
    return exit_failed;
  }
}

}  // namespace vic
