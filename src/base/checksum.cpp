#include "base/checksum.h"

#include <array>
#include <bit>
#include <cstring>

namespace vic {
namespace {

static_assert(std::endian::native == std::endian::little, "eight bytes are read as one number");

// remainders[k][b]: the effect of the byte b on the checksum when k bytes follow it
using Table = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Table make_table() {
  constexpr std::uint32_t polynomial = 0x82F63B78;  // Castagnoli's, bits reversed
  Table remainders{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
    remainders[0][b] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t b = 0; b < 256; ++b) {
      remainders[k][b] = (remainders[k - 1][b] >> 8) ^ remainders[0][remainders[k - 1][b] & 0xFF];
    }
  }
  return remainders;
}

constexpr Table remainders = make_table();

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  // eight bytes at a time: one look-up each, independent of the others
  while (bytes.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    word ^= crc;
    crc = 0;
    for (std::size_t k = 0; k < 8; ++k) crc ^= remainders[7 - k][(word >> (8 * k)) & 0xFF];
    bytes.remove_prefix(8);
  }
  for (const char c : bytes)
    crc = (crc >> 8) ^ remainders[0][(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~crc;
}

}  // namespace vic
