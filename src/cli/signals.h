// Ctrl-C, SIGTERM and SIGHUP as a request to stop, so that work in progress can be saved.
#pragma once

#include <array>
#include <csignal>

#include "base/stop.h"

namespace vic {

// While one exists, the first Ctrl-C, SIGTERM or SIGHUP is a request to stop; a second, of any
// kind, ends the process at once. Work that does not notice the request in time, as in a very long
// step, is ended with the exit code below, and so is what has noticed it and does not come to its
// end: files are written whole or not at all. There is one at a time, because a process has its
// signals once.
class SignalStop {
 public:
  // Seconds in which the request must be noticed, and in which the work must then end: a save may
  // take its time.
  struct Patience {
    unsigned to_notice, to_end;
  };
  explicit SignalStop(Patience patience);
  ~SignalStop();
  SignalStop(const SignalStop&) = delete;
  SignalStop& operator=(const SignalStop&) = delete;

  // What the work polls.
  Stop token() const;

  // 128 + the signal that came, as shells have it: 130 after Ctrl-C, 143 after SIGTERM, 129 after
  // SIGHUP.
  int exit_code() const;

 private:
  static constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
  std::array<struct sigaction, signals.size()> before_ = {};  // what was in force
};

}  // namespace vic
