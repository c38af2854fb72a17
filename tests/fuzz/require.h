// How every fuzzer reports a failure.
#pragma once

#include <cstdlib>
#include <string_view>

#include "base/text.h"

namespace vic {

// the fuzzer detects abort
inline void require(bool holds) {
  if (!holds) std::abort();
}

// Requires one clean line that begins with its subject.
inline void require_sentence(std::string_view message, std::string_view begin) {
  require(message.starts_with(begin) && (message.ends_with('.') || message.ends_with('?')));
  require(!has_control(message) && message.size() < 2000);
}

}  // namespace vic
