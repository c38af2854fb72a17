// Running other programs as separate processes, without a shell.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/system_call.h"

namespace vic {

// A file in memory, for the output of a program.
Descriptor memory_file();
// Its last bytes, at most `most`.
std::string last_bytes(const Descriptor& file, std::size_t most);

// A process in its own session does not receive Ctrl-C from the terminal of this one.
enum class Session { same, own };

// Starts a program, given its path or its name in PATH, and its arguments. Standard input is empty;
// output goes to the open files, and nowhere where they are -1; signals are handled by default.
// Returns the process, or -1 with errno.
pid_t spawn(const std::vector<std::string>& words, int out, int err, Session session);

// The exit code of a process that has ended, by the convention of shells.
int exit_code_of(int wait_status);

// The output of a program that has ended.
struct Output {
  int code = 0;
  std::string out, err;
};

// Runs a program to its end; empty where there is no program of that name. Throws an Error where it
// cannot be started.
std::optional<Output> run_and_read(const std::vector<std::string>& words);

}  // namespace vic
