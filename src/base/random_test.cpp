#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace vic {
namespace {

using Words = std::array<std::uint32_t, 4>;

// the known answers published with the generator
TEST(Philox, ReproducesThePublishedVectors) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Uniform, HasTheMomentsOfTheUniformDistribution) {
  constexpr int n = 100000;
  double sum = 0, squares = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double u = uniform({.seed = 7, .row = i});
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    squares += u * u;
  }
  // four standard errors
  EXPECT_NEAR(sum / n, 1.0 / 2, 4 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(squares / n, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / n));
}

TEST(Uniform, EveryPartOfTheAddressMatters) {
  const std::set<double> values = {uniform({}),
                                   uniform({.seed = 1}),
                                   uniform({.seed = 1ull << 32}),
                                   uniform({.update = 1}),
                                   uniform({.row = 1}),
                                   uniform({.step = 1}),
                                   uniform({.draw = 1})};
  EXPECT_EQ(values.size(), 7u);
}

}  // namespace
}  // namespace vic
