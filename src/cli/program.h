// The program as a function, so that tests can run it without a process.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/signals.h"

namespace vic {

// Exit codes. After Ctrl-C it is 130, after SIGTERM 143, after SIGHUP 129; what was trained is
// saved first. exit_refuted: everything is done, and a claim of the paper is refuted.
enum ExitCode : int { exit_done = 0, exit_failed = 1, exit_usage = 2, exit_refuted = 3 };

// Runs `vic ARGS`, or a command among `more`, and returns its exit code; an error is a line on err.
int run_program(const std::vector<std::string>& args, const Console& console,
                const std::vector<Command>& more = {},
                SignalStop::Patience patience = {.to_notice = 2, .to_end = 8});

// The same without signals and exit codes, stopped by the console's request: throws. There is at
// least one argument.
void run_arguments(const std::vector<std::string>& args, const Console& console);

}  // namespace vic
