// The program run in the test's own process, which receives a signal when it shows a text.
#pragma once

#include <csignal>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/program_run.h"

namespace vic {

// Sends signals to this process when the progress contains a text, which happens on the working
// thread between two of its steps: no clock decides what is tested.
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
  double seconds = 0;  // from the first signal to the end; -1 if none was sent
};

// Its output without the progress line.
inline SignalResult run_until(const std::string& text, const std::vector<std::string>& args,
                              std::vector<int> signals) {
  std::ostringstream out;
  SignalOnText buffer(text, std::move(signals));
  std::ostream err(&buffer);
  // work that does not notice the request in time fails by the test's clock, not by vic's
  const int code = run_program(args, {.out = out, .err = err, .progress = true},
                               /*more=*/{}, {.to_notice = 60, .to_end = 60});
  const double seconds = buffer.seconds_since();
  const std::string shown = buffer.str();
  // the progress is erased by ESC [K, or by ESC [J if it has several lines
  const std::size_t last = shown.rfind("\x1b[");
  return {{code, out.str(), last == std::string::npos ? shown : shown.substr(last + 3)}, seconds};
}

}  // namespace vic
