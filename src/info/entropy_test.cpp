#include "info/entropy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace vic {
namespace {

using Vector = std::vector<double>;

TEST(Entropy, OfUniformPointAndBinaryDistributions) {
  EXPECT_DOUBLE_EQ(entropy(Vector(8, 1.0 / 8)), std::log(8));
  EXPECT_EQ(entropy(Vector{0, 1, 0}), 0);
  EXPECT_DOUBLE_EQ(entropy(Vector{0.25, 0.75}), std::log(4) - 0.75 * std::log(3));
}

TEST(KlDivergence, IsZeroOnlyForEqualDistributions) {
  EXPECT_EQ(kl_divergence(Vector{0.5, 0.5, 0}, Vector{0.5, 0.5, 0}), 0);
  EXPECT_DOUBLE_EQ(kl_divergence(Vector{1, 0}, Vector{0.5, 0.5}), std::log(2));
  EXPECT_EQ(kl_divergence(Vector{0.5, 0.5}, Vector{1, 0}), std::numeric_limits<double>::infinity());
}

TEST(LogSumExp, SurvivesLargeAndMissingTerms) {
  EXPECT_DOUBLE_EQ(log_sum_exp(Vector{1000, 1000}, Vector{1, 1}), 1000 + std::log(2));
  EXPECT_DOUBLE_EQ(log_sum_exp(Vector{-1000, 5000}, Vector{1, 0}), -1000);
  EXPECT_EQ(log_sum_exp(Vector{1, 2}, Vector{0, 0}), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace vic
