#include "cli/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "base/error.h"
#include "base/print.h"
#include "base/text.h"
#include "cli/completion.h"
#include "cli/manual.h"
#include "cli/signals.h"

namespace vic {
namespace {

// the table of commands, in the order of the help
const std::vector<Command> commands = {
    {"worlds", "list the worlds, or show one", declare_worlds},
    {"exact", "the exact optima of a world: how much control any agent can have", declare_exact},
    {"estimators", "compare estimators of H, D and N where the truth is known", declare_estimators},
    {"train", "train an agent that discovers its own options", declare_train},
    {"eval", "evaluate a run against the exact optima", declare_eval},
    {"reach", "execute a run's options to reach a goal, or every goal", declare_reach},
    {"sweep", "train a world over settings and seeds, or the runs of an experiment", declare_sweep},
    {"reproduce", "reproduce a figure of the paper: its runs, its page, its verdicts",
     declare_reproduce},
    {"submit", "the runs of an experiment as a Slurm job array", declare_submit},
    {"runs", "list runs: progress, time left, H and its share of H_max", declare_runs},
    {"report", "show runs: a table, a page with figures, SVG or CSV files", declare_report},
    {"serve", "a live page of runs as they train", declare_serve},
    {"export", "options, policies and curves as JSONL, CSV or npz, for other programs",
     declare_export},
    {"film", "draw the options of a simulated world as filmstrips", declare_film},
    {"bench", "measure speed, as ratios", declare_bench},
};

void run_command(const Command& command, const std::vector<std::string>& args,
                 const Console& console, Stop stop) {
  DeclaredCommand declared(command);
  if (const auto help = declared.arguments.parse({args.begin() + 1, args.end()})) {
    print(console.out, "{}", *help);
    return;
  }
  Console chosen = console;
  chosen.format = declared.json ? Format::json : Format::text;
  chosen.stop = stop;
  declared.action(declared.settings, chosen);
}

// vic help [--man] [COMMAND]
void run_help(const std::vector<Command>& all, std::vector<std::string> args,
              const Console& console) {
  const bool manual = std::erase(args, "--man") > 0;
  if (args.size() > 2) fail_usage("vic help takes one command, as in vic help train.");
  if (manual) {
    print(console.out, "{}",
          args.size() == 1 ? manual_page(all) : manual_page(find_command(all, args[1])));
  } else if (args.size() == 1) {
    print(console.out, "{}", overview(all));
  } else {
    run_command(find_command(all, args[1]), {args[1], "--help"}, console, {});
  }
}

// vic completion SHELL prints a script for the user to source, which calls vic completion words
void run_completion(const std::vector<Command>& all, const std::vector<std::string>& args,
                    const Console& console) {
  const bool words = args.size() > 1 && args[1] == "words";
  if (!words && args.size() != 2) {
    fail_usage("vic completion takes the shell: source <(vic completion bash), or zsh.");
  }
  print(console.out, "{}",
        words ? completions(all, {args.begin() + 2, args.end()}) : completion_script(args[1]));
}

// handles the program's own first arguments; all others are commands
void run_first(const std::vector<Command>& all, const std::vector<std::string>& args,
               const Console& console, Stop stop) {
  if (args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
    run_help(all, args, console);
  } else if (args[0] == "--version" || args[0] == "-V") {
    print(console.out, "vic {}\n", VIC_VERSION);
  } else if (args[0] == "completion") {
    run_completion(all, args, console);
  } else {
    run_command(find_command(all, args[0]), args, console, stop);
  }
}

}  // namespace

DeclaredCommand::DeclaredCommand(const Command& command)
    : arguments("vic " + command.name, command.summary), action(command.declare(arguments)) {
  arguments.flag("--json", json, "write JSON instead of text for people");
  arguments.option("--set KEY=VALUE", settings.sets,
                   "change a setting, as in --set world.noise=0.2; may be repeated");
  arguments.option("--settings FILE", settings.file,
                   "read settings from a TOML file; --set wins over it");
}

const Command& find_command(const std::vector<Command>& commands, const std::string& name) {
  std::vector<std::string> names;
  for (const OwnCommand& own : own_commands) names.push_back(own.name);
  for (const Command& command : commands) {
    if (command.name == name) return command;
    names.push_back(command.name);
  }
  fail_usage("There is no command '{}'{}", name, suggestion(name, names));
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

void run_arguments(const std::vector<std::string>& args, const Console& console) {
  run_first(commands, args, console, console.stop);
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
  // the text may quote files from elsewhere
  const auto complain = [&](const std::exception& error) {
    console.say(fmt::format("vic: {}", shown(error.what(), std::string::npos)));
  };
  const SignalStop signals(patience);
  try {
    if (args.empty()) {
      print(console.err, "{}", overview(all));
      return exit_usage;
    }
    run_first(all, args, console, signals.token());
    if (!console.out.flush()) throw Error("The output could not be written; is the disk full?");
    return exit_done;
  } catch (const Interrupted& stopped) {
    complain(stopped);
    return signals.exit_code();
  } catch (const UsageError& error) {
    complain(error);
    return exit_usage;
  } catch (const ClaimRefuted& finding) {
    complain(finding);
    return exit_refuted;
  } catch (const std::bad_alloc&) {
    print(console.err, "vic: Out of memory; choose a smaller world or batch.\n");
    return exit_failed;
  } catch (const std::exception& error) {
    complain(error);
    return exit_failed;
  }
}

}  // namespace vic
