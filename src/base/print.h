// Formatted text to a stream.
#pragma once

#include <fmt/format.h>

#include <ostream>
#include <utility>

namespace vic {

// What fmt::print of fmt/ostream.h does, by the library's own formatter: that header compiles it
// into every file anew, three seconds each.
template <class... Args>
void print(std::ostream& out, fmt::format_string<Args...> format, Args&&... args) {
  out << fmt::format(format, std::forward<Args>(args)...);
}

}  // namespace vic
