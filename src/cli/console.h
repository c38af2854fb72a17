// Where a command writes, and in which form: results to `out`, progress and errors to `err`.
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
  Palette palette = Palette::plain;  // colour where out is a terminal and NO_COLOR is not set
  bool progress = false;             // err is a terminal
  Format format = Format::text;      // of the results: --json asks for a document
  int columns = 0;                   // of out where it is a terminal, at least 80; 0: it is none
  int err_columns = 0;               // of err
  Stop stop = {};                    // what Ctrl-C asks for

  // The width of a table in `out`: what is no terminal has room for a wide one.
  std::size_t table_columns() const {
    return columns > 0 ? static_cast<std::size_t>(columns) : 116;
  }

  // Writes a result in the form that the user wants, and makes that form only: `document` returns a
  // JSON value, `print` writes text to `out`.
  template <class Document, class Print>
  void show(const Document& document, const Print& print) const {
    if (format == Format::json) {
      write_document(document().dump(2) + "\n");
    } else {
      print();
    }
  }

  // Writes a document that is text already; nothing beside text for people.
  void write_document(const std::string& json) const;

  // Writes a line for people; nothing beside a document.
  void note(const std::string& line) const;

  // Writes a line to `err`, in the place of a progress line; a terminal's breaks between words.
  void say(const std::string& line) const;
};

// Breaks the lines of a terminal between words; passes on what is written to it. Widths are in
// columns.
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

// Writes a sentence to `err`, for what was wrong and did not end the command.
std::function<void(const std::string&)> warning_to(const Console& console);

// One line on a terminal that is written over again and again, and gone at the end. Where `err` is
// no terminal, a plain line every 20 seconds.
class ProgressLine {
 public:
  explicit ProgressLine(const Console& console) : console_(console) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether it is time to show something again; call it before making the text.
  bool due();
  void show(const std::string& text);

 private:
  const Console& console_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  bool shown_ = false;
};

// A progress line that shows how much of a list is done, and the seconds that are left, and throws
// Interrupted where the user wants to stop. It is there as long as the function: passed as a
// temporary, it is gone when the work returns.
Step shares_on(const Console& console, const char* what);

// The same for an evaluation, without the interruption: what is measured, and how much of it.
std::function<void(std::string_view part, double done)> evaluation_on(const Console& console);

// A bar of `width` characters, filled to `fraction`.
std::string bar(double fraction, int width);

}  // namespace vic
