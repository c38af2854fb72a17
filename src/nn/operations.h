// The work of matrix products, counted for benchmarks.
#pragma once

#include <cstdint>

namespace vic {

// Floating-point operations of this thread's products so far: a multiplication and an addition for
// every term.
std::uint64_t product_operations();

}  // namespace vic
