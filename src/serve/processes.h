// Trainings as processes of their own: the page starts them, finds who trains a run, and stops it.
#pragma once

#include <sys/types.h>

#include <list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/system_call.h"

namespace vic {

// The process that has a folder locked, as the kernel lists it; nothing where none has, or where it
// is not a process of ours to see.
std::optional<pid_t> lock_holder(const std::string& folder);

// Sends SIGTERM to the process that trains in the folder: it saves and ends. Whether there is one;
// a process that took its number meanwhile is not hit. Throws an Error where it belongs to others.
bool stop_training(const std::string& folder);

// Programs that were started from the page. They are sessions of their own, so that Ctrl-C in the
// server's terminal does not reach them, and go on when the server ends.
class Children {
 public:
  // Starts the program with these arguments, no shell between. `name` is what its end is reported
  // as. Throws an Error where it cannot be started.
  void start(const std::string& program, const std::vector<std::string>& arguments,
             const std::string& name);

  // A child that has ended since the last call, with what it wrote to stderr at the end.
  struct Ended {
    std::string name;
    int code = 0;  // as shells have it
    std::string words;
  };
  std::vector<Ended> ended();

 private:
  struct Child {
    pid_t process;
    std::string name;
    Descriptor words;  // what it wrote, in memory
  };
  std::list<Child> children_;
};

}  // namespace vic
