#include "cli/signals.h"

namespace vic {
namespace {

// a signal handler can only set what outlives every object
std::atomic<bool> stop_wanted = false;
std::atomic<int> stop_signal = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void note_signal(int signal) {
  stop_signal.store(signal);
  stop_wanted.store(true);
}

}  // namespace

SignalStop::SignalStop() {
  stop_wanted = false;
  stop_signal = 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  // the second one finds the default in force again
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &interrupt_);
  ::sigaction(SIGTERM, &action, &terminate_);
  // who started this process in the background wanted it not to be interrupted
  if (interrupt_.sa_handler == SIG_IGN) ::sigaction(SIGINT, &interrupt_, nullptr);
  if (terminate_.sa_handler == SIG_IGN) ::sigaction(SIGTERM, &terminate_, nullptr);
}

SignalStop::~SignalStop() {
  ::sigaction(SIGINT, &interrupt_, nullptr);
  ::sigaction(SIGTERM, &terminate_, nullptr);
}

const std::atomic<bool>* SignalStop::flag() const {
  return &stop_wanted;
}

int SignalStop::caught() const {
  return stop_signal.load();
}

}  // namespace vic
