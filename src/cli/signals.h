// Ctrl-C, SIGTERM and SIGHUP as a request to stop, so that work in progress can be saved.
#pragma once

#include <array>
#include <atomic>
#include <csignal>

#include "base/error.h"

namespace vic {

// While one exists, the first Ctrl-C, SIGTERM or SIGHUP only raises a flag; a second, of any kind,
// ends the process at once. There is one at a time, because a process has its signals once.
class SignalStop {
 public:
  SignalStop();
  ~SignalStop();
  SignalStop(const SignalStop&) = delete;
  SignalStop& operator=(const SignalStop&) = delete;

  // What the work polls.
  const std::atomic<bool>* flag() const;

  // The signal that came; 0 while none has.
  int caught() const;

 private:
  static constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> before_ = {};  // what was in force
};

// The work was saved and ends on request of a signal. The exit code is 128 + the signal, as
// shells have it: 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP.
class StoppedBySignal : public Error {
 public:
  StoppedBySignal(int signal, const std::string& message) : Error(message), signal_(signal) {}
  int exit_code() const { return 128 + signal_; }

 private:
  int signal_;
};

}  // namespace vic
