// Trainings as separate processes: the page starts them, finds the process that trains a run, and
// stops it.
#pragma once

#include <sys/types.h>

#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/system_call.h"

namespace vic {

// The process that has a folder locked, as the kernel lists it; nothing if there is none, or if
// this user cannot see it.
std::optional<pid_t> lock_holder(const std::string& folder);

// Sends SIGTERM to the process that trains in the folder, which then saves and exits. Returns
// whether there is one; a process that has reused its number is not hit. Throws an Error if it
// belongs to another user.
bool stop_training(const std::string& folder);

// Programs that were started from the page. Each has its own session, so that Ctrl-C in the
// server's terminal does not reach it, and it goes on when the server ends.
class Children {
 public:
  // Starts the program with these arguments, without a shell. `name` is used to report its end.
  // Throws an Error if it cannot be started.
  void start(const std::string& program, const std::vector<std::string>& arguments,
             const std::string& name);

  // A child that has ended since the last call, with the end of its stderr.
  struct Ended {
    std::string name;
    int code = 0;  // exit status, as in shells
    std::string words;
  };
  std::vector<Ended> ended();

 private:
  struct Child {
    pid_t process;
    std::string name;
    Descriptor words;  // its stderr, in memory
  };
  std::list<Child> children_;
};

}  // namespace vic
