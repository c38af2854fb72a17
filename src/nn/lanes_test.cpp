#include "nn/lanes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace vic {
namespace {

// the error of `got` in units of the last place of `want`
template <class Real>
double ulps(Real got, long double want) {
  const auto rounded = static_cast<Real>(want);
  const Real next = std::nextafter(std::abs(rounded), std::numeric_limits<Real>::infinity());
  const auto unit = static_cast<long double>(next) - static_cast<long double>(std::abs(rounded));
  return static_cast<double>(std::abs(static_cast<long double>(got) - want) / unit);
}

struct Sweep {
  double from, to;
  int count = 200001;
};

// the largest error of f over a sweep; also, every lane must agree with the single number
template <class Real, class F, class G>
double worst(const F& f, const G& truth, Sweep sweep) {
  double most = 0;
  for (int i = 0; i < sweep.count; ++i) {
    const auto x = static_cast<Real>(sweep.from + (sweep.to - sweep.from) * i / (sweep.count - 1));
    const Real got = f(x);
    most = std::max(most, ulps(got, truth(static_cast<long double>(x))));
    const Lanes<Real> many = f(fill<Lanes<Real>>(x));
    for (int lane = 0; lane < lane_count<Real>; ++lane) {
      // a number of any size that is no error in the last places
      if (many[lane] != got) return 1e9;
    }
  }
  return most;
}

template <class Real>
class LanesOf : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(LanesOf, Reals);

constexpr bool is_float(float) {
  return true;
}
constexpr bool is_float(double) {
  return false;
}

TYPED_TEST(LanesOf, ExpIsWithinTwoUlp) {
  const double end = is_float(TypeParam{}) ? 87.3 : 708;
  const auto f = [](auto x) { return lanes::exp(x); };
  const auto truth = [](long double x) { return std::exp(x); };
  EXPECT_LT(worst<TypeParam>(f, truth, {-end, end}), 2);
  EXPECT_LT(worst<TypeParam>(f, truth, {-1, 1}), 2);
}

TYPED_TEST(LanesOf, Decay2IsWithinTwoUlpOrZero) {
  const double end = is_float(TypeParam{}) ? 96 : 960;
  const auto f = [](auto x) { return lanes::decay_2(x); };
  const auto truth = [](long double x) { return std::exp2(x); };
  EXPECT_LT(worst<TypeParam>(f, truth, {-end, 0}), 2);
  EXPECT_LT(worst<TypeParam>(f, truth, {-1, 0}), 2);
  EXPECT_EQ(lanes::decay_2(TypeParam{0}), TypeParam{1});
  EXPECT_EQ(lanes::decay_2(static_cast<TypeParam>(-end - 1)), TypeParam{0});
  EXPECT_EQ(lanes::decay_2(-std::numeric_limits<TypeParam>::infinity()), TypeParam{0});
  EXPECT_TRUE(std::isnan(lanes::decay_2(std::numeric_limits<TypeParam>::quiet_NaN())));
}

TYPED_TEST(LanesOf, TanhIsWithinFourUlpAlsoNearZero) {
  const auto f = [](auto x) { return lanes::tanh(x); };
  const auto truth = [](long double x) { return std::tanh(x); };
  EXPECT_LT(worst<TypeParam>(f, truth, {-25, 25}), 4);
  EXPECT_LT(worst<TypeParam>(f, truth, {-1, 1}), 4);
  EXPECT_LT(worst<TypeParam>(f, truth, {1e-6, 1e-3}), 4);
}

TYPED_TEST(LanesOf, SigmoidIsWithinFourUlpAlsoInItsTails) {
  const auto f = [](auto x) { return lanes::sigmoid(x); };
  const auto truth = [](long double x) { return 1 / (1 + std::exp(-x)); };
  EXPECT_LT(worst<TypeParam>(f, truth, {-80, 80}), 4);
  EXPECT_LT(worst<TypeParam>(f, truth, {-1, 1}), 4);
}

TYPED_TEST(LanesOf, LogIsWithinFourUlp) {
  const auto f = [](auto x) { return lanes::log(x); };
  const auto truth = [](long double x) { return std::log(x); };
  EXPECT_LT(worst<TypeParam>(f, truth, {1e-3, 2}), 4);
  EXPECT_LT(worst<TypeParam>(f, truth, {2, 1e6}), 4);
  EXPECT_EQ(lanes::log(TypeParam{1}), TypeParam{0});
}

TYPED_TEST(LanesOf, TheEndsOfTheRangeAreKept) {
  using Limits = std::numeric_limits<TypeParam>;
  EXPECT_EQ(lanes::exp(-Limits::infinity()), TypeParam{0});
  EXPECT_EQ(lanes::exp(Limits::infinity()), Limits::infinity());
  EXPECT_EQ(lanes::exp(TypeParam{0}), TypeParam{1});
  EXPECT_EQ(lanes::sigmoid(-Limits::infinity()), TypeParam{0});
  EXPECT_EQ(lanes::sigmoid(Limits::infinity()), TypeParam{1});
  EXPECT_EQ(lanes::tanh(Limits::infinity()), TypeParam{1});
  EXPECT_EQ(lanes::tanh(-Limits::infinity()), TypeParam{-1});
  EXPECT_EQ(lanes::tanh(TypeParam{0}), TypeParam{0});
}

TYPED_TEST(LanesOf, NotANumberStaysSo) {
  const TypeParam nan = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_TRUE(std::isnan(lanes::exp(nan)));
  EXPECT_TRUE(std::isnan(lanes::sigmoid(nan)));
  EXPECT_TRUE(std::isnan(lanes::tanh(nan)));
}

TYPED_TEST(LanesOf, SumAddsEveryLaneOnce) {
  Lanes<TypeParam> v{};
  for (int i = 0; i < lane_count<TypeParam>; ++i) v[i] = static_cast<TypeParam>(1 << i);
  EXPECT_EQ(sum_lanes<TypeParam>(v), static_cast<TypeParam>((1 << lane_count<TypeParam>)-1));
}

TYPED_TEST(LanesOf, APartOfARegisterTouchesNoMoreThanThat) {
  constexpr Index L = lane_count<TypeParam>;
  for (Index count = 0; count <= L; ++count) {
    std::vector<TypeParam> from(static_cast<std::size_t>(count)), to(L, TypeParam{-1});
    for (Index i = 0; i < count; ++i) from[static_cast<std::size_t>(i)] = static_cast<TypeParam>(i);
    const auto v = load_part(from.data(), count, TypeParam{-7});
    store_part<TypeParam>(to.data(), v, count);
    for (Index i = 0; i < L; ++i) {
      EXPECT_EQ(v[i], i < count ? static_cast<TypeParam>(i) : TypeParam{-7});
      EXPECT_EQ(to[static_cast<std::size_t>(i)], i < count ? v[i] : TypeParam{-1});
    }
    EXPECT_EQ(max_lane<TypeParam>(v),
              count == 0 ? TypeParam{-7} : static_cast<TypeParam>(count - 1));
  }
}

}  // namespace
}  // namespace vic
