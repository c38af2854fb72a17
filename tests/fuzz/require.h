// How every fuzzer reports that something does not hold.
#pragma once

#include <cstdlib>
#include <string_view>

#include "base/text.h"

namespace vic {

// abort is what the fuzzer looks for
inline void require(bool holds) {
  if (!holds) std::abort();
}

// One clean line that begins with what it is about.
inline void require_sentence(std::string_view message, std::string_view begin) {
  require(message.starts_with(begin) && (message.ends_with('.') || message.ends_with('?')));
  require(!has_control(message) && message.size() < 2000);
}

}  // namespace vic
