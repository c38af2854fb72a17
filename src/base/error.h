// Errors: sentences that name the value at fault and the remedy.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace vic {

// Something failed that should have worked. The program ends with exit code 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The user's request is invalid: a wrong name, key, value or file. Exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

// Throws an Error with a formatted message unless the condition holds.
template <class... Args>
void require(bool holds, fmt::format_string<Args...> format, Args&&... args) {
  if (!holds) throw Error(fmt::format(format, std::forward<Args>(args)...));
}

// Throws a UsageError with a formatted message.
template <class... Args>
[[noreturn]] void fail_usage(fmt::format_string<Args...> format, Args&&... args) {
  throw UsageError(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace vic
