// Formatted text to a stream.
#pragma once

#include <fmt/format.h>

#include <ostream>
#include <utility>

namespace vic {

// As fmt::print of fmt/ostream.h, which takes three seconds to compile in every file.
template <class... Args>
void print(std::ostream& out, fmt::format_string<Args...> format, Args&&... args) {
  out << fmt::format(format, std::forward<Args>(args)...);
}

}  // namespace vic
