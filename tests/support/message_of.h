// For the tests: the sentence that a user reads.
#pragma once

#include <string>

#include "base/error.h"

namespace vic {

// The sentence of the UsageError that an action throws.
std::string message_of(const auto& action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace vic
