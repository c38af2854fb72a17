// System calls on files, with errors as sentences.
#pragma once

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.h"

namespace vic {

[[noreturn]] inline void fail_write(const std::string& path, int error) {
  throw Error(fmt::format("Cannot write {}: {}.", path, std::strerror(error)));
}

[[noreturn]] inline void fail_read(const std::string& path, int error) {
  throw Error(fmt::format("Cannot read {}: {}.", path, std::strerror(error)));
}

// The result of a system call, repeated while signals interrupt it.
template <class Call>
auto retried(Call system_call) {
  auto result = system_call();
  while (result == -1 && errno == EINTR) result = system_call();
  return result;
}

// The same for a call that writes `path` and must succeed.
template <class Call>
auto call(const std::string& path, Call system_call) {
  const auto result = retried(system_call);
  if (result == -1) fail_write(path, errno);
  return result;
}

// Writes all of the bytes to an open file.
inline void write_all(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const auto n = call(path, [&] { return ::write(file, bytes.data(), bytes.size()); });
    if (n == 0) fail_write(path, EIO);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

// An open file, closed at the end of the scope.
struct Descriptor {
  int number = -1;

  explicit Descriptor(int open_file) : number(open_file) {}
  Descriptor(Descriptor&& other) noexcept : number(std::exchange(other.number, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace vic
