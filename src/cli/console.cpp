#include "cli/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "base/text.h"

namespace vic {

void Console::write_document(const std::string& json) const {
  if (format == Format::json) out << json;
}

void Console::note(const std::string& line) const {
  if (format == Format::text) out << line << "\n";
}

void Console::say(const std::string& line) const {
  // a single write: several runs may print at once
  const std::string text = line + "\n";
  err << (progress ? "\r\x1b[K" : "") +
             (err_columns > 0 ? fitted(text, static_cast<std::size_t>(err_columns)) : text)
      << std::flush;
}

namespace {

// columns of a terminal, 80 if it does not know; 0 if the file is not one
int columns_of(int file) {
  winsize size = {};
  if (isatty(file) == 0 || ::ioctl(file, TIOCGWINSZ, &size) != 0) return 0;
  return std::max(80, static_cast<int>(size.ws_col));
}

}  // namespace

Console standard_console() {
  const char* no_colour = std::getenv("NO_COLOR");
  const bool wanted = no_colour == nullptr || *no_colour == '\0';
  return {.out = std::cout,
          .err = std::cerr,
          .palette = wanted && isatty(STDOUT_FILENO) == 1 ? Palette::colour : Palette::plain,
          .progress = isatty(STDERR_FILENO) == 1,
          .columns = columns_of(STDOUT_FILENO),
          .err_columns = columns_of(STDERR_FILENO)};
}

int FittedBuffer::overflow(int c) {
  line_ += static_cast<char>(c);
  if (c == '\n') pass_on();
  return c;
}

int FittedBuffer::sync() {
  pass_on();
  return out_.flush() ? 0 : -1;
}

void FittedBuffer::pass_on() {
  out_ << fitted(line_, static_cast<std::size_t>(width_));
  line_.clear();
}

std::function<void(const std::string&)> warning_to(const Console& console) {
  return [&console](const std::string& sentence) {
    console.say(fmt::format("vic: warning: {}", shown(sentence, std::string::npos)));
  };
}

ProgressLine::~ProgressLine() {
  if (shown_ && console_.progress) console_.err << "\r\x1b[K" << std::flush;
}

bool ProgressLine::due() {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (console_.progress ? shown_ && now - last_ < 100ms : now - last_ < 20s) return false;
  last_ = now;
  return true;
}

void ProgressLine::show(const std::string& text) {
  shown_ = true;
  if (console_.progress) {
    // a wrapped line could not be erased; the last column stays free for the cursor
    const auto room = static_cast<std::size_t>(std::max(80, console_.err_columns) - 1);
    console_.err << "\r\x1b[K" << cut_end(text, room) << std::flush;
  } else if (!text.empty()) {
    console_.err << text << "\n" << std::flush;
  }
}

Step shares_on(const Console& console, const char* what) {
  return [line = std::make_shared<ProgressLine>(console), watch = Stopwatch(), what,
          stop = console.stop](int done, int all) {
    stop.check();
    if (!line->due()) return;
    const double fraction = static_cast<double>(done) / all;
    line->show(fmt::format("{} {}/{} {}  {} left", bar(fraction, 24), done, all, what,
                           duration_text(watch.seconds() * (1 - fraction) / fraction)));
  };
}

std::function<void(std::string_view, double)> evaluation_on(const Console& console) {
  return [&console, line = std::make_shared<ProgressLine>(console), last = std::string()](
             std::string_view part, double done) mutable {
    // a new part is shown immediately
    if (!line->due() && (part == last || !console.progress)) return;
    last = part;
    line->show(fmt::format("{} evaluating: {}", bar(done, 24), part));
  };
}

std::string bar(double fraction, int width) {
  const double filled = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) * width : 0;
  return fmt::format("[{:<{}}]", std::string(std::lround(filled), '='), width);
}

}  // namespace vic
