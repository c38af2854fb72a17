// Numbers as files of films keep them.
#pragma once

#include <algorithm>
#include <cmath>

namespace vic {

// Whole thousandths: millimetres of metres. What is beyond 1e9, as in a simulation that is about to
// explode, stays there.
inline long thousandths(double number) {
  constexpr double far = 1e12;
  return std::lround(std::clamp(1000 * number, -far, far));
}

}  // namespace vic
