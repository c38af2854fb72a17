#include "cli/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "base/error.h"
#include "base/print.h"
#include "base/text.h"
#include "cli/signals.h"

namespace vic {
namespace {

// the table of commands, in the order of the help
const std::vector<Command> commands = {
    {"worlds", "list the worlds, or show one", declare_worlds},
    {"exact", "the exact optima of a world: how much control any agent can have", declare_exact},
    {"train", "train an agent that discovers its own options", declare_train},
    {"eval", "evaluate a run against the exact optima", declare_eval},
    {"reach", "execute a run's options to reach a goal, or every goal", declare_reach},
    {"sweep", "train a world over settings and seeds, or the runs of an experiment", declare_sweep},
    {"reproduce", "reproduce a figure of the paper: its runs, its page, its verdicts",
     declare_reproduce},
    {"runs", "list runs: how far they are, time left, H and its share of H_max", declare_runs},
    {"report", "show runs: a table, a page with figures, SVG or CSV files", declare_report},
    {"export", "options, policies and curves as JSONL, CSV or npz, for other programs",
     declare_export},
    {"film", "draw the options of a simulated world as filmstrips", declare_film},
    {"bench", "measure speed, as ratios", declare_bench},
};

std::string overview(const std::vector<Command>& all) {
  std::string text =
      "vic: a workbench for intrinsic control\n\nUsage: vic COMMAND [OPTIONS]\n\nCommands:\n";
  for (const Command& command : all) {
    text += fmt::format("  {:<10} {}\n", command.name, command.summary);
  }
  return text +
         "\nvic COMMAND --help describes a command. Exit codes: 0 done, 1 failed, 2 wrong usage, "
         "130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP.\n";
}

const Command& find_command(const std::vector<Command>& all, const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : all) {
    if (command.name == name) return command;
    names.push_back(command.name);
  }
  fail_usage("There is no command '{}'{}", name, suggestion(name, names));
}

void run_command(const Command& command, const std::vector<std::string>& args,
                 const Console& console, Stop stop) {
  Arguments arguments("vic " + command.name, command.summary);
  const Action action = command.declare(arguments);
  bool json = false;
  UserSettings settings;
  arguments.flag("--json", json, "write JSON instead of text for people");
  arguments.option("--set KEY=VALUE", settings.sets,
                   "change a setting, as in --set world.noise=0.2; may be repeated");
  arguments.option("--settings FILE", settings.file,
                   "read settings from a TOML file; --set wins over it");
  if (const auto help = arguments.parse({args.begin() + 1, args.end()})) {
    print(console.out, "{}", *help);
    return;
  }
  Console chosen = console;
  chosen.format = json ? Format::json : Format::text;
  chosen.stop = stop;
  action(settings, chosen);
}

}  // namespace

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

int run_program(const std::vector<std::string>& args, const Console& given,
                const std::vector<Command>& more, SignalStop::Patience patience) {
  // on a terminal, lines break between words; documents and exported rows are not text
  FittedBuffer buffer(given.out, given.columns);
  std::ostream fitting(&buffer);
  const bool fits =
      given.columns > 0 && std::ranges::find(args, "--json") == args.end() &&
      (args.empty() || args[0] != "export" || std::ranges::find(args, "--help") != args.end());
  Console console{.out = fits ? fitting : given.out, .err = given.err};
  console.palette = given.palette;
  console.progress = given.progress;
  console.columns = given.columns;
  console.err_columns = given.err_columns;
  std::vector<Command> all = commands;
  all.insert(all.end(), more.begin(), more.end());
  // what it repeats may come from the files of others
  const auto complain = [&](const std::exception& error) {
    print(console.err, "vic: {}\n", shown(error.what(), std::string::npos));
  };
  const SignalStop signals(patience);
  try {
    if (args.empty()) {
      print(console.err, "{}", overview(all));
      return exit_usage;
    }
    if (args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
      print(console.out, "{}", overview(all));
    } else if (args[0] == "--version" || args[0] == "-V") {
      print(console.out, "vic {}\n", VIC_VERSION);
    } else {
      run_command(find_command(all, args[0]), args, console, signals.token());
    }
    if (!console.out.flush()) throw Error("The output could not be written; is the disk full?");
    return exit_done;
  } catch (const Interrupted& stopped) {
    complain(stopped);
    return signals.exit_code();
  } catch (const UsageError& error) {
    complain(error);
    return exit_usage;
  } catch (const std::bad_alloc&) {
    print(console.err, "vic: Out of memory; choose a smaller world or batch.\n");
    return exit_failed;
  } catch (const std::exception& error) {
    complain(error);
    return exit_failed;
  }
}

}  // namespace vic
