#include "base/checksum.h"

#include <gtest/gtest.h>

#include <string>

namespace vic {
namespace {

// the examples of RFC 3720, appendix B.4
TEST(Checksum, IsThatOfTheStandard) {
  std::string rising(32, '\0'), falling(32, '\0');
  for (int i = 0; i < 32; ++i)
    rising[i] = static_cast<char>(i), falling[i] = static_cast<char>(31 - i);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
  EXPECT_EQ(crc32c(rising), 0x46DD794EU);
  EXPECT_EQ(crc32c(falling), 0x113FDB5CU);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(Checksum, OfPartsIsThatOfTheWhole) {
  const std::string text = "The quick brown fox jumps over the lazy dog";
  for (std::size_t n = 0; n <= text.size(); ++n) {
    EXPECT_EQ(crc32c(text.substr(n), crc32c(text.substr(0, n))), crc32c(text)) << n;
  }
}

}  // namespace
}  // namespace vic
