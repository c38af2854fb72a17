// Ctrl-C, SIGTERM and SIGHUP as a request to stop, so that work in progress can be saved.
#pragma once

#include <array>
#include <csignal>

#include "base/stop.h"

namespace vic {

// While an object exists, the first Ctrl-C, SIGTERM or SIGHUP is a request to stop; a second, of
// any kind, ends the process at once. Work that does not notice the request in time, as in a very
// long step, is ended with the exit code below; so is work that has noticed it but does not finish:
// files are written completely or not at all. There is one object at a time, since signals belong
// to the process.
class SignalStop {
 public:
  // Seconds within which the request must be noticed, and within which the work must then end: a
  // save may take its time.
  struct Patience {
    unsigned to_notice, to_end;
  };
  explicit SignalStop(Patience patience);
  ~SignalStop();
  SignalStop(const SignalStop&) = delete;
  SignalStop& operator=(const SignalStop&) = delete;

  // The request, for the work to poll.
  Stop token() const;

  // 128 + the signal received, as in shells: 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP.
  int exit_code() const;

 private:
  static constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
  std::array<struct sigaction, signals.size()> before_ = {};  // the previous handlers
};

}  // namespace vic
