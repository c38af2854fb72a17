#include "cli/signals.h"

namespace vic {
namespace {

// a signal handler can only set what outlives every object
std::atomic<bool> stop_wanted = false;
std::atomic<int> stop_signal = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void note_signal(int signal) {
  if (stop_wanted.exchange(true)) {
    // the second of any kind does what it does to other programs, once this handler has returned
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  stop_signal.store(signal);
}

}  // namespace

SignalStop::SignalStop() {
  stop_wanted = false;
  stop_signal = 0;
  struct sigaction action = {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    ::sigaction(signals[i], nullptr, &before_[i]);
    // who started this process in the background, or with nohup, wanted it to go on
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(signals[i], &action, nullptr);
  }
}

SignalStop::~SignalStop() {
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
}

const std::atomic<bool>* SignalStop::flag() const {
  return &stop_wanted;
}

int SignalStop::caught() const {
  return stop_signal.load();
}

}  // namespace vic
