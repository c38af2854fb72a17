// Other programs as processes of their own, no shell between.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/system_call.h"

namespace vic {

// A file in memory, for what a program writes.
Descriptor memory_file();
// Its last bytes, `most` of them at most.
std::string last_bytes(const Descriptor& file, std::size_t most);

// A session of its own is not reached by Ctrl-C in the terminal of this one.
enum class Session { same, own };

// Starts a program: its path, or its name in PATH, and its arguments. Standard input is empty, what
// it writes goes to the open files, and nowhere where they are -1; its signals are as at the start
// of a program, whatever this one does with them. Returns the process, or -1 with errno.
pid_t spawn(const std::vector<std::string>& words, int out, int err, Session session);

// The exit code of a process that has ended, as shells have it.
int exit_code_of(int wait_status);

// What a program wrote until it ended.
struct Output {
  int code = 0;
  std::string out, err;
};

// Runs a program to its end; nothing where there is none of that name. Throws an Error where it
// cannot be started.
std::optional<Output> run_and_read(const std::vector<std::string>& words);

}  // namespace vic
