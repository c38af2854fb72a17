#include "base/npz.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"

namespace vic {
namespace {

std::uint64_t little(const std::string& bytes, std::size_t at, int n) {
  std::uint64_t number = 0;
  for (int i = n; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

TEST(Npz, IsAStoredZipOfNpyFiles) {
  const std::string bytes = npz_bytes({{"x", {2, 2}, std::vector<double>{1, 2.5, -3, 4}},
                                       {"names", {2}, std::vector<std::string>{"a", "Ωb"}}});
  EXPECT_EQ(bytes.substr(0, 4), std::string("PK\x03\x04", 4));
  EXPECT_EQ(little(bytes, 26, 2), 5u);  // the length of "x.npy"
  EXPECT_EQ(bytes.substr(30, 5), "x.npy");
  const std::size_t npy = 35;
  EXPECT_EQ(bytes.substr(npy, 6), "\x93NUMPY");
  const std::size_t header = little(bytes, npy + 8, 2);
  EXPECT_EQ((10 + header) % 64, 0u);
  EXPECT_NE(bytes.substr(npy + 10, header)
                .find("'descr': '<f8', 'fortran_order': False, "
                      "'shape': (2,2,), "),
            std::string::npos);
  double second = 0;
  std::memcpy(&second, &bytes[npy + 10 + header + 8], 8);
  EXPECT_EQ(second, 2.5);
  EXPECT_EQ(little(bytes, 22, 4), 10 + header + 4 * 8);  // the length of the file
  EXPECT_NE(bytes.find("'<U2'"), std::string::npos);
  // the directory's end: two files
  const std::size_t end = bytes.size() - 22;
  EXPECT_EQ(bytes.substr(end, 4), std::string("PK\x05\x06", 4));
  EXPECT_EQ(little(bytes, end + 10, 2), 2u);
  EXPECT_EQ(bytes.substr(little(bytes, end + 16, 4), 4), std::string("PK\x01\x02", 4));
}

TEST(Npz, ChecksumIsThatOfZip) {
  // of the file of an empty array, as zlib has it
  const std::string bytes = npz_bytes({{"x", {0}, std::vector<double>{}}});
  EXPECT_EQ(little(bytes, 14, 4), 0x735b4836u);
}

TEST(Npz, RefusesAShapeThatDoesNotFit) {
  EXPECT_THROW(npz_bytes({{"x", {3}, std::vector<double>{1, 2}}}), Error);
}

}  // namespace
}  // namespace vic
