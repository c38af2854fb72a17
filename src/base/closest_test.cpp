#include "base/closest.h"

#include <gtest/gtest.h>

#include <vector>

namespace vic {
namespace {

const std::vector<std::string> names = {"line", "line-noisy", "grid", "tree"};

TEST(Closest, PicksTheSmallestEditDistance) {
  EXPECT_EQ(closest("lime", names), "line");
  EXPECT_EQ(closest("gird", names), "grid");
  EXPECT_EQ(closest("line-nois", names), "line-noisy");
  EXPECT_EQ(closest("anything", std::vector<std::string>{}), "");
}

TEST(Closest, SuggestsOneNameWhereItIsNearAndAllOtherwise) {
  EXPECT_EQ(suggestion("tre", names), "; did you mean tree?");
  EXPECT_EQ(suggestion("banana", names), "; known are line, line-noisy, grid and tree.");
  EXPECT_EQ(suggestion(std::string(100000, 'x'), names),
            "; known are line, line-noisy, grid and tree.");
}

}  // namespace
}  // namespace vic
