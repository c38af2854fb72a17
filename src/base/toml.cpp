// TOML: toml++ is compiled here alone.
#include <toml++/toml.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"

namespace vic {
namespace {

// Scans a text before parsing for what makes toml++ 3.3 crash:
// - It limits how deep values nest, but not how many parts a dotted key has, and makes one table
//   inside the other for each: a key of a hundred thousand parts overflows the stack.
// - Testing whether an accented letter is white space, it runs into code that it has declared
//   unreachable. It does so outside of strings, where TOML allows ASCII only, after a backslash,
//   and where it takes a date, a space and a digit for the beginning of a time.
//
// Strings, comments and bare words are recognised as by the parser, up to the first mistake in the
// text: there the parser stops, and the rest no longer matters.
class Screen {
 public:
  Screen(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  void check() {
    if (text_.starts_with("\xef\xbb\xbf")) i_ = 3;  // a byte order mark is not a letter
    while (i_ < text_.size()) {
      const char c = text_[i_];
      if (c == '#') {
        skip_to(text_.find('\n', i_));
      } else if ((c == '"' || c == '\'') && expected_ != Expected::end) {
        skip_string();
        if (expected_ == Expected::value) expected_ = Expected::end;
      } else {
        if (beyond_ascii(c)) fail("a letter outside of quotes is not ASCII; add quotes.");
        switch (expected_) {
          case Expected::key:
            read_key(c);
            break;
          case Expected::value:
            read_value(c);
            break;
          case Expected::end:
            read_end(c);
            break;
        }
        ++i_;
      }
    }
  }

 private:
  // what comes next: (the rest of) a key, a value, or the end of a value that has begun; a quote in
  // the middle of a bare word does not begin a string
  enum class Expected { key, value, end };

  static constexpr int most_key_parts = 8;

  static bool beyond_ascii(char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; }

  bool is_digit(std::size_t i) const {
    return i < text_.size() && text_[i] >= '0' && text_[i] <= '9';
  }

  void expect_key() {
    expected_ = Expected::key;
    parts_ = 1;
  }

  void read_key(char c) {
    if (c == '\n') expect_key();
    if (c == '=') expected_ = Expected::value;
    if (c == '}') close(c);
    if (c == '.' && ++parts_ > most_key_parts) {
      fail(fmt::format("a key has more than {} parts with dots between them; use fewer.",
                       most_key_parts));
    }
  }

  void read_value(char c) {
    if (c == '[') {
      open_ += c;
    } else if (c == '{') {
      open_ += c;
      expect_key();
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
      expected_ = Expected::end;
      close(c);
    }
  }

  void read_end(char c) {
    if (is_digit(i_) && text_[i_ - 1] == ' ' && !is_digit(i_ + 1)) {
      fail("a digit follows a value; write one value only.");
    }
    close(c);
  }

  // a character that ends a value, or the list or table it is in
  void close(char c) {
    if (c == ',' && open_.ends_with('{')) expect_key();
    if (c == ',' && open_.ends_with('[')) expected_ = Expected::value;
    if (c == ']' || c == '}') {
      expected_ = Expected::end;
      if (!open_.empty()) open_.pop_back();
    }
    if (c == '\n' && open_.empty()) expect_key();
  }

  void skip_to(std::size_t i) { i_ = std::min(i, text_.size()); }

  // moves from an opening quote past the closing one
  void skip_string() {
    const char quote = text_[i_];
    const std::string fence(3, quote);
    const bool fenced = text_.substr(i_, 3) == fence;
    i_ += fenced ? 3 : 1;
    while (i_ < text_.size()) {
      if (quote == '"' && text_[i_] == '\\') {
        skip_escape();
      } else if (fenced && text_.substr(i_, 3) == fence) {
        // up to two more quotes belong to the string
        return skip_to(text_.find_first_not_of(quote, i_));
      } else if (!fenced && text_[i_] == quote) {
        return skip_to(i_ + 1);
      } else if (!fenced && text_[i_] == '\n') {
        return;  // never closed: the parser will report it
      } else {
        ++i_;
      }
    }
  }

  // moves past a backslash and what it escapes: a letter, or all white space up to the next one
  void skip_escape() {
    const std::size_t next = text_.find_first_not_of(" \t\r\n\v\f", i_ + 1);
    if (next < text_.size() && beyond_ascii(text_[next])) {
      fail("a letter after a backslash is not ASCII; leave the backslash out.");
    }
    skip_to(i_ + 2);
  }

  [[noreturn]] void fail(std::string_view message) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(i_);
    fail_usage("{}:{}: {}", path_, 1 + std::count(text_.begin(), end, '\n'), message);
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t i_ = 0;
  Expected expected_ = Expected::key;
  int parts_ = 1;     // of the key that is being read
  std::string open_;  // the brackets that are open: [ of lists and { of tables
};

// toml++ limits how deep values nest, and the screen how many parts a key has: recursion is safe
Json copied(const toml::node& node) {
  Json copy;
  if (const auto* text = node.as_string()) {
    copy = text->get();
  } else if (const auto* whole = node.as_integer()) {
    copy = whole->get();
  } else if (const auto* real = node.as_floating_point()) {
    copy = real->get();
  } else if (const auto* flag = node.as_boolean()) {
    copy = flag->get();
  } else if (const auto* array = node.as_array()) {
    copy = Json::array();
    for (const toml::node& element : *array) copy.push_back(copied(element));
  } else if (const auto* table = node.as_table()) {
    Json::Object members;
    for (const auto& [key, member] : *table) {
      Json& value = members.emplace_back(key.str(), copied(member)).second;
      // a table that is only implied, as a in [a.b], has the line of its key
      if (value.first_line == 0) value.first_line = static_cast<int>(key.source().begin.line);
    }
    copy = Json::object(std::move(members));
  }
  copy.first_line = static_cast<int>(node.source().begin.line);
  copy.last_line = static_cast<int>(node.source().end.line);
  return copy;
}

}  // namespace

Json parse_toml(std::string_view text, const std::string& path) {
  // messages of the parser are longer than values that are shown
  constexpr std::size_t longest_sentence = 200;
  if (text.find('\0') != std::string_view::npos || !is_utf8(text)) {
    fail_usage("{} is not a text file in UTF-8, and so no TOML.", path);
  }
  Screen(text, path).check();
  try {
    return copied(toml::parse(text));
  } catch (const toml::parse_error& error) {
    fail_usage("{}:{}: this is not TOML: {}.", path,
               std::max<unsigned>(1, error.source().begin.line),
               shown(error.description(), longest_sentence));
  }
}

}  // namespace vic
