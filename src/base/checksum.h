// CRC-32C, the checksum of checkpoints and of TensorBoard's records.
#pragma once

#include <cstdint>
#include <string_view>

namespace vic {

// The checksum of the bytes; given the checksum of the bytes before them, that of both together.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

}  // namespace vic
