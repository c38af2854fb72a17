#include "base/random.h"

#include <cmath>
#include <numbers>

namespace vic {
namespace {

// the high and low word of a 32 x 32 bit product
std::array<std::uint32_t, 2> multiply(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t product = std::uint64_t{a} * b;
  return {static_cast<std::uint32_t>(product >> 32), static_cast<std::uint32_t>(product)};
}

// the 128 bits of an address
std::array<std::uint32_t, 4> bits_at(const RandomAddress& address) {
  return philox(
      {address.update, address.row, address.step, address.draw},
      {static_cast<std::uint32_t>(address.seed), static_cast<std::uint32_t>(address.seed >> 32)});
}

// the top 53 of 64 bits as a number in [0, 1)
double fraction(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t word = (std::uint64_t{high} << 32) | low;
  return static_cast<double>(word >> 11) * 0x1.0p-53;
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  // multipliers and Weyl increments of the published generator
  constexpr std::uint32_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl_0 = 0x9E3779B9, weyl_1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const auto [high_0, low_0] = multiply(multiplier_0, counter[0]);
    const auto [high_1, low_1] = multiply(multiplier_1, counter[2]);
    counter = {high_1 ^ counter[1] ^ key[0], low_1, high_0 ^ counter[3] ^ key[1], low_0};
    key[0] += weyl_0;
    key[1] += weyl_1;
  }
  return counter;
}

double uniform(const RandomAddress& address) {
  const auto bits = bits_at(address);
  return fraction(bits[0], bits[1]);
}

std::array<double, 2> uniform_pair(const RandomAddress& address) {
  const auto bits = bits_at(address);
  return {fraction(bits[0], bits[1]), fraction(bits[2], bits[3])};
}

double normal(const RandomAddress& address) {
  // Box-Muller; 1 - u is in (0, 1], whose logarithm is finite
  const auto bits = bits_at(address);
  const double radius = std::sqrt(-2 * std::log(1 - fraction(bits[0], bits[1])));
  return radius * std::cos(2 * std::numbers::pi * fraction(bits[2], bits[3]));
}

}  // namespace vic
