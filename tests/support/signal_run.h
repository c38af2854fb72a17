// The program run in the test's own process, which gets a signal when it shows a text.
#pragma once

#include <csignal>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/program_run.h"

namespace vic {

// Sends this process signals when the progress has a text in it, which is on the thread that works
// and between two of its steps: no clock decides what is tested.
class SignalOnText : public std::stringbuf {
 public:
  SignalOnText(std::string text, std::vector<int> signals)
      : text_(std::move(text)), signals_(std::move(signals)) {}

  double seconds_since() const { return since_ ? since_->seconds() : -1; }

 protected:
  int sync() override {
    if (!since_ && str().find(text_) != std::string::npos) {
      since_.emplace();
      for (const int signal : std::exchange(signals_, {})) std::raise(signal);
    }
    return 0;
  }

 private:
  std::string text_;
  std::vector<int> signals_;
  std::optional<Stopwatch> since_;
};

struct SignalResult : Result {
  double seconds = 0;  // from the first signal to the end; -1 where none was sent
};

// What it wrote, the progress line left out.
inline SignalResult run_until(const std::string& text, const std::vector<std::string>& args,
                              std::vector<int> signals) {
  std::ostringstream out;
  SignalOnText buffer(text, std::move(signals));
  std::ostream err(&buffer);
  // what does not look at the request in time fails by the clock of the test, not by that of vic
  const int code = run_program(args, {.out = out, .err = err, .progress = true},
                               /*more=*/{}, {.to_notice = 60, .to_end = 60});
  const double seconds = buffer.seconds_since();
  const std::string shown = buffer.str();
  // the progress goes away with ESC [K, or with ESC [J where it has several lines
  const std::size_t last = shown.rfind("\x1b[");
  return {{code, out.str(), last == std::string::npos ? shown : shown.substr(last + 3)}, seconds};
}

}  // namespace vic
