// The output of a command and its format: results go to `out`, progress and errors to `err`.
#pragma once

#include <chrono>
#include <functional>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

#include "base/process.h"
#include "base/stop.h"

namespace vic {

enum class Format { text, json };
enum class Palette { plain, colour };

struct Console {
  std::ostream& out;
  std::ostream& err;
  Palette palette = Palette::plain;  // colour if out is a terminal and NO_COLOR is not set
  bool progress = false;             // err is a terminal
  Format format = Format::text;      // of the results: --json asks for a document
  int columns = 0;                   // of out if it is a terminal, at least 80; else 0
  int err_columns = 0;               // of err
  Stop stop = {};                    // requested by Ctrl-C

  // The width of a table in `out`: wide if that is not a terminal.
  std::size_t table_columns() const {
    return columns > 0 ? static_cast<std::size_t>(columns) : 116;
  }

  // Writes a result in the format that the user chose, and generates only that one: `document`
  // returns a JSON value, `print` writes text to `out`.
  template <class Document, class Print>
  void show(const Document& document, const Print& print) const {
    if (format == Format::json) {
      write_document(document().dump(2) + "\n");
    } else {
      print();
    }
  }

  // Writes a document that is already text; does nothing if the format is text.
  void write_document(const std::string& json) const;

  // Writes a line for people; does nothing if the format is a document.
  void note(const std::string& line) const;

  // Writes a line to `err`, replacing a progress line; on a terminal it breaks between words.
  void say(const std::string& line) const;
};

// Breaks the lines for a terminal between words, and passes them on. Widths are in columns.
class FittedBuffer : public std::streambuf {
 public:
  FittedBuffer(std::ostream& out, int width) : out_(out), width_(width) {}
  ~FittedBuffer() override { pass_on(); }

 protected:
  int overflow(int c) override;
  int sync() override;

 private:
  void pass_on();

  std::ostream& out_;
  int width_;
  std::string line_;
};

// The console of this process.
Console standard_console();

// Writes a sentence to `err`, for problems that do not end the command.
std::function<void(const std::string&)> warning_to(const Console& console);

// One line on a terminal that is overwritten again and again, and erased at the end. If `err` is
// not a terminal, a plain line every 20 seconds.
class ProgressLine {
 public:
  explicit ProgressLine(const Console& console) : console_(console) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether it is time to show an update; call it before making the text.
  bool due();
  void show(const std::string& text);

 private:
  const Console& console_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  bool shown_ = false;
};

// A progress line that shows how much of a list is done, and the seconds left, and throws
// Interrupted if the user wants to stop. It lives as long as the function: passed as a temporary,
// it disappears when the work returns.
Step shares_on(const Console& console, const char* what);

// The same for an evaluation, without the interruption: the part being measured, and the share
// done.
std::function<void(std::string_view part, double done)> evaluation_on(const Console& console);

// A bar of `width` characters, filled to `fraction`.
std::string bar(double fraction, int width);

}  // namespace vic
