// Counter-based random numbers: a number is a pure function of its address, so that the order in
// which threads draw numbers, or an interruption between two of them, changes nothing.
#pragma once

#include <array>
#include <cstdint>

namespace vic {

// The Philox 4x32 bijection with 10 rounds (Salmon et al., SC 2011).
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

// The address of a random number. Draws at different addresses are independent.
struct RandomAddress {
  std::uint64_t seed = 0;
  std::uint32_t update = 0;
  std::uint32_t row = 0;
  std::uint32_t step = 0;
  std::uint32_t draw = 0;
};

// The purposes of random numbers. Training uses the user's seed as it is; every other purpose has
// its own stream of seeds, far from training's and from each other.
enum class Stream : std::uint64_t {
  evaluation = std::uint64_t{1} << 32,
  reach = std::uint64_t{3} << 32,
  attempt = (std::uint64_t{3} << 32) + (std::uint64_t{1} << 40),
  chain = std::uint64_t{5} << 40,
  start_map = std::uint64_t{7} << 40,
  journey = std::uint64_t{10} << 40,
};

// The seed of a stream, for a RandomAddress.
inline std::uint64_t stream_seed(Stream stream, int seed) {
  return static_cast<std::uint64_t>(stream) + static_cast<std::uint64_t>(seed);
}

// A uniform number in [0, 1) with 53 random bits.
double uniform(const RandomAddress& address);

// Two such numbers for the price of one; the first is uniform(address).
std::array<double, 2> uniform_pair(const RandomAddress& address);

// A standard normal number. It uses the whole address: `uniform` there is not independent of it.
double normal(const RandomAddress& address);

}  // namespace vic
