#include "nn/parameters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/error.h"

namespace vic {
namespace {

ParameterLayout two_slices() {
  ParameterLayout layout;
  layout.add("lstm.W_h", 64, 256);
  layout.add("lstm.b", 1, 5, Init::zero);
  layout.add("head.W", 3, 7);
  return layout;
}

TEST(ParameterLayout, SlicesBeginAtMultiplesOfSixteenAndDoNotOverlap) {
  const ParameterLayout layout = two_slices();
  Index end = 0;
  for (const Slice& slice : layout.slices()) {
    EXPECT_EQ(slice.offset % 16, 0);
    EXPECT_GE(slice.offset, end);
    end = slice.offset + slice.rows * slice.cols;
  }
  EXPECT_LE(end, layout.size());
  EXPECT_EQ(layout.size() % 16, 0);
}

TEST(ParameterLayout, FindsByNameAndNamesWhatItHas) {
  ParameterLayout layout = two_slices();
  EXPECT_EQ(layout.find("lstm.b"), 1);
  try {
    layout.find("lstm.c");
    FAIL() << "an unknown name was found";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("lstm.W_h"), std::string::npos);
  }
  EXPECT_THROW(layout.add("head.W", 1, 1), Error);
}

TEST(Parameters, BeginWithThePapersDeviationAndZeroBiases) {
  const auto p = make_parameters<double>(two_slices(), {.seed = 3, .stream = 0});
  const MatrixView<const double> W = p.value(0);
  double sum = 0, square = 0;
  for (Index i = 0; i < W.size(); ++i) {
    sum += W.data[i];
    square += W.data[i] * W.data[i];
  }
  // 16384 numbers: the mean within 4 standard errors, the deviation within 3 %
  const auto n = static_cast<double>(W.size());
  EXPECT_LT(std::abs(sum / n), 4 * init_deviation / std::sqrt(n));
  EXPECT_NEAR(std::sqrt(square / n), init_deviation, 0.03 * init_deviation);
  for (Index i = 0; i < p.value(1).size(); ++i) EXPECT_EQ(p.value(1).data[i], 0);
}

TEST(Parameters, AreAFunctionOfSeedAndStream) {
  const auto a = make_parameters<float>(two_slices(), {.seed = 3, .stream = 1});
  const auto same = make_parameters<float>(two_slices(), {.seed = 3, .stream = 1});
  const auto seed = make_parameters<float>(two_slices(), {.seed = 4, .stream = 1});
  const auto stream = make_parameters<float>(two_slices(), {.seed = 3, .stream = 2});
  EXPECT_EQ(a.values, same.values);
  EXPECT_NE(a.values, seed.values);
  EXPECT_NE(a.values, stream.values);
}

TEST(Parameters, FloatIsTheRoundedDouble) {
  const auto f = make_parameters<float>(two_slices(), {.seed = 3, .stream = 0});
  const auto d = make_parameters<double>(two_slices(), {.seed = 3, .stream = 0});
  for (std::size_t i = 0; i < f.values.size(); ++i) {
    EXPECT_EQ(f.values[i], static_cast<float>(d.values[i]));
  }
}

TEST(Block, StartsAtACacheLine) {
  const Block<float> block(100, 1.0F);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data()) % 64, 0U);
}

TEST(Block, NormAddsAllNumbersAndSeesWhatIsNotFinite) {
  Block<float> block(21, 2.0F);
  EXPECT_TRUE(all_finite(block));
  block[20] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(all_finite(block));
  block[20] = -std::numeric_limits<float>::infinity();
  EXPECT_FALSE(all_finite(block));
}

TEST(Buffer, KeepsItsRowsWhenItGrowsAndItsMemoryWhenItShrinks) {
  Buffer<double> buffer;
  buffer.reshape(2, 3);
  for (int i = 0; i < 6; ++i) buffer.row(0)[i] = i;
  buffer.reshape(50, 3);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(buffer.row(0)[i], i);
  const double* memory = buffer.row(0);
  buffer.reshape(1, 3);
  buffer.reshape(40, 3);
  EXPECT_EQ(buffer.row(0), memory);
}

}  // namespace
}  // namespace vic
