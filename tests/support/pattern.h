// For the tests: extended regular expressions of POSIX. The <regex> of the standard library takes
// more time to compile than the tests that would use it.
#pragma once

#include <gtest/gtest.h>
#include <regex.h>

#include <string>
#include <vector>

namespace vic {

// A compiled pattern: `.` and [^…] match no newline, ^ and $ match at the ends of lines. \w, \s and
// \S are supported, \d is not.
class Pattern {
 public:
  explicit Pattern(const std::string& pattern) {
    EXPECT_EQ(regcomp(&compiled_, pattern.c_str(), REG_EXTENDED | REG_NEWLINE), 0) << pattern;
  }
  ~Pattern() { regfree(&compiled_); }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  // The first group of every match, in order.
  std::vector<std::string> groups_in(const std::string& text) const {
    std::vector<std::string> found;
    regmatch_t at[2];
    // a match that begins in the middle does not begin a line
    for (std::size_t from = 0; regexec(&compiled_, text.c_str() + from, 2, at,
                                       from == 0 || text[from - 1] == '\n' ? 0 : REG_NOTBOL) == 0;
         from += static_cast<std::size_t>(at[0].rm_eo)) {
      // a pattern that matches the empty text, or whose group takes no part, would never end
      if (at[0].rm_eo == 0 || at[1].rm_so < 0) return ADD_FAILURE(), found;
      found.push_back(text.substr(from + static_cast<std::size_t>(at[1].rm_so),
                                  static_cast<std::size_t>(at[1].rm_eo - at[1].rm_so)));
    }
    return found;
  }

  // Whether the whole line is a match.
  bool matches(const std::string& line) const {
    regmatch_t at;
    return regexec(&compiled_, line.c_str(), 1, &at, 0) == 0 && at.rm_so == 0 &&
           at.rm_eo == static_cast<regoff_t>(line.size());
  }

 private:
  regex_t compiled_;
};

}  // namespace vic
