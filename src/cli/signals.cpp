#include "cli/signals.h"

#include <unistd.h>

namespace vic {
namespace {

// a signal handler can only set what outlives every object
StopRequest request;
std::atomic<int> stop_signal = 0;
std::atomic<unsigned> seconds_to_notice = 0, seconds_to_end = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void note_signal(int signal) {
  int none = 0;
  if (!stop_signal.compare_exchange_strong(none, signal)) {
    // a second signal of any kind has its default effect, once this handler has returned
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  request.wanted = true;
  ::alarm(seconds_to_notice);
}

extern "C" void give_up(int) {
  if (request.noticed && seconds_to_end > 0) {
    ::alarm(seconds_to_end.exchange(0));
    return;
  }
  constexpr char line[] =
      "vic: Stopped in the middle of a long step; what was saved before it is kept.\n";
  // there is no way left to report that this failed
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line, sizeof line - 1);
  ::_exit(128 + stop_signal);
}

}  // namespace

SignalStop::SignalStop(Patience patience) {
  request.wanted = request.noticed = false;
  stop_signal = 0;
  seconds_to_notice = patience.to_notice;
  seconds_to_end = patience.to_end;
  struct sigaction action = {};
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    ::sigaction(signals[i], nullptr, &before_[i]);
    // ignored already: started in the background or with nohup, the process is meant to go on
    if (signals[i] != SIGALRM && before_[i].sa_handler == SIG_IGN) continue;
    action.sa_handler = signals[i] == SIGALRM ? give_up : note_signal;
    ::sigaction(signals[i], &action, nullptr);
  }
}

SignalStop::~SignalStop() {
  ::alarm(0);
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
}

Stop SignalStop::token() const {
  return Stop(request);
}

int SignalStop::exit_code() const {
  return 128 + stop_signal;
}

}  // namespace vic
