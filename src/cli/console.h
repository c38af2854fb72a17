// Where a command writes: data to `out`, progress and errors to `err`.
#pragma once

#include <chrono>
#include <functional>
#include <ostream>
#include <string>

namespace vic {

struct Console {
  std::ostream& out;
  std::ostream& err;
  bool colour = false;    // out is a terminal and NO_COLOR is not set
  bool progress = false;  // err is a terminal
};

// The console of this process.
Console standard_console();

// Writes a sentence to `err`, for what was wrong and did not end the command.
std::function<void(const std::string&)> warning_to(const Console& console);

// One line on a terminal that is written over again and again, and gone at the end. Silent where
// `err` is no terminal.
class ProgressLine {
 public:
  explicit ProgressLine(const Console& console) : console_(console) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether it is time to show something again; ask before making the text.
  bool due();
  void show(const std::string& text);

 private:
  const Console& console_;
  std::chrono::steady_clock::time_point last_{};
  bool shown_ = false;
};

// A bar of `width` characters, filled to `fraction`.
std::string bar(double fraction, int width);

}  // namespace vic
