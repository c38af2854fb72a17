// Numbers side by side in one register, and the functions of the nets on them. Every function takes
// a single number or a whole Lanes<Real> and computes the same bits for both: a value does not
// depend on its place in a vector. No table, no branch, no errno; NaN stays NaN.
#pragma once

#include <immintrin.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/matrix.h"

namespace vic {

// Real: the scalar; Whole and Bits: integers of the same shape, with and without a sign.
template <class V>
struct LaneTraits;

template <>
struct LaneTraits<float> {
  using Real = float;
  using Whole = std::int32_t;
  using Bits = std::uint32_t;
  using Vector = float __attribute__((vector_size(32)));
};

template <>
struct LaneTraits<double> {
  using Real = double;
  using Whole = std::int64_t;
  using Bits = std::uint64_t;
  using Vector = double __attribute__((vector_size(32)));
};

// One register of numbers: 8 floats or 4 doubles.
template <class Real>
using Lanes = typename LaneTraits<Real>::Vector;

template <>
struct LaneTraits<Lanes<float>> {
  using Real = float;
  using Whole = std::int32_t __attribute__((vector_size(32)));
  using Bits = std::uint32_t __attribute__((vector_size(32)));
};

template <>
struct LaneTraits<Lanes<double>> {
  using Real = double;
  using Whole = std::int64_t __attribute__((vector_size(32)));
  using Bits = std::uint64_t __attribute__((vector_size(32)));
};

template <class Real>
inline constexpr Index lane_count = Index{32} / Index{sizeof(Real)};

// The width of a layer is a multiple of this, so that a row is a whole number of registers.
inline constexpr Index width_step = 8;

template <class Real>
inline Lanes<Real> load(const Real* from) {
  Lanes<Real> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <class Real>
inline void store(Real* to, const Lanes<Real>& v) {
  std::memcpy(to, &v, sizeof v);
}

// All lanes hold x.
template <class V>
inline V fill(typename LaneTraits<V>::Real x) {
  return x - V{};
}

// The sum of the lanes, halves first.
template <class Real>
inline Real sum_lanes(const Lanes<Real>& v) {
  if constexpr (lane_count<Real> == 8) {
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
  } else {
    return (v[0] + v[2]) + (v[1] + v[3]);
  }
}

// The largest lane.
template <class Real>
inline Real max_lane(const Lanes<Real>& v) {
  Real most = v[0];
  for (Index i = 1; i < lane_count<Real>; ++i) most = v[i] > most ? v[i] : most;
  return most;
}

namespace detail {

// all bits set in the first `count` lanes
template <class Real>
inline typename LaneTraits<Lanes<Real>>::Whole first_lanes(Index count) {
  using Whole = typename LaneTraits<Lanes<Real>>::Whole;
  const auto n = static_cast<typename LaneTraits<Real>::Whole>(count);
  if constexpr (lane_count<Real> == 8) {
    return Whole{0, 1, 2, 3, 4, 5, 6, 7} < n;
  } else {
    return Whole{0, 1, 2, 3} < n;
  }
}

}  // namespace detail

// The first `count` lanes from memory, reading no further; the others hold `rest`.
template <class Real>
inline Lanes<Real> load_part(const Real* from, Index count, Real rest) {
  using V = Lanes<Real>;
  using Whole = typename LaneTraits<V>::Whole;
  const Whole wanted = detail::first_lanes<Real>(count);
  const auto mask = std::bit_cast<__m256i>(wanted);
  V v;
  if constexpr (std::is_same_v<Real, float>) {
    v = _mm256_maskload_ps(from, mask);
  } else {
    v = _mm256_maskload_pd(from, mask);
  }
  return std::bit_cast<V>((std::bit_cast<Whole>(v) & wanted) |
                          (std::bit_cast<Whole>(fill<V>(rest)) & ~wanted));
}

// The first `count` lanes to memory.
template <class Real>
inline void store_part(Real* to, const Lanes<Real>& v, Index count) {
  const auto mask = std::bit_cast<__m256i>(detail::first_lanes<Real>(count));
  if constexpr (std::is_same_v<Real, float>) {
    _mm256_maskstore_ps(to, mask, v);
  } else {
    _mm256_maskstore_pd(to, mask, v);
  }
}

// The functions, in a separate namespace from those of <cmath>.
namespace lanes {

// a > b ? a : b, and so b where one of them is NaN. From that expression on a whole register the
// compiler makes four instructions in place of one.
template <class V>
inline V max(V a, V b) {
  if constexpr (std::is_same_v<V, Lanes<float>>) {
    return _mm256_max_ps(a, b);
  } else if constexpr (std::is_same_v<V, Lanes<double>>) {
    return _mm256_max_pd(a, b);
  } else {
    return a > b ? a : b;
  }
}

// a < b ? a : b, and so b where one of them is NaN.
template <class V>
inline V min(V a, V b) {
  if constexpr (std::is_same_v<V, Lanes<float>>) {
    return _mm256_min_ps(a, b);
  } else if constexpr (std::is_same_v<V, Lanes<double>>) {
    return _mm256_min_pd(a, b);
  } else {
    return a < b ? a : b;
  }
}

// The square root, rounded correctly.
template <class V>
inline V sqrt(V x) {
  if constexpr (std::is_same_v<V, Lanes<float>>) {
    return _mm256_sqrt_ps(x);
  } else if constexpr (std::is_same_v<V, Lanes<double>>) {
    return _mm256_sqrt_pd(x);
  } else {
    return std::sqrt(x);
  }
}

// x < bound ? 0 : y.
template <class V>
inline V zero_below(V x, typename LaneTraits<V>::Real bound, V y) {
  if constexpr (std::is_arithmetic_v<V>) {
    return x < bound ? V{} : y;
  } else {
    using Whole = typename LaneTraits<V>::Whole;
    return std::bit_cast<V>(std::bit_cast<Whole>(y) & ~(x < bound));
  }
}

namespace detail {

inline constexpr double ln2 = 0.69314718055994530942;

// c[0] + c[1] x + c[2] x^2 + ...
template <class V, std::size_t n>
inline V polynomial(V x, const std::array<typename LaneTraits<V>::Real, n>& c) {
  V y = fill<V>(c[n - 1]);
  for (std::size_t i = n - 1; i-- > 0;) y = y * x + c[i];
  return y;
}

// the first n coefficients of a series, each by a call of `next` with 2, 3, ...
template <class Real, std::size_t n, class Next>
constexpr std::array<Real, n> series(Next next) {
  std::array<Real, n> c{};
  for (std::size_t i = 0; i < n; ++i) c[i] = static_cast<Real>(next(static_cast<double>(i + 2)));
  return c;
}

// 1/2!, 1/3!, ...: the series of (e^r - 1 - r) / r^2
inline constexpr auto exponential_term = [factorial = 1.0](double i) mutable {
  return 1 / (factorial *= i);
};

// log(2)^2/2!, log(2)^3/3!, ...: the series of (2^r - 1 - r log 2) / r^2
inline constexpr auto power_term = [term = ln2](double i) mutable { return term *= ln2 / i; };

// 1/3, 1/5, ...: the series of (artanh(s) / s - 1) / s^2 in s^2
inline constexpr auto artanh_term = [](double i) { return 1 / (2 * i - 1); };

// The constants of a scalar's format. The series end where, for |r| <= log(2) / 2 and |s| <= 0.172,
// the next term is below a tenth of the last bit.
template <class Real>
struct Format;

template <>
struct Format<float> {
  static constexpr int mantissa_bits = 23;
  static constexpr std::uint32_t one_bits = 0x3F800000;
  static constexpr std::int32_t sqrt_half_bits = 0x3F3504F3;
  static constexpr float rounder = 0x1.8p23F;  // added and subtracted, it rounds to whole numbers
  static constexpr float ln2_high = 0x1.62E4p-1F, ln2_low = 0x1.7F7D1Cp-20F;
  static constexpr float exp_lowest = -87.3365F, exp_highest = 88.5F;
  static constexpr float negligible = -96;
  static constexpr float tanh_highest = 9.1F;
  static constexpr auto exponential = series<float, 6>(exponential_term);
  static constexpr auto power = series<float, 6>(power_term);
  static constexpr auto artanh = series<float, 4>(artanh_term);
};

template <>
struct Format<double> {
  static constexpr int mantissa_bits = 52;
  static constexpr std::uint64_t one_bits = 0x3FF0000000000000;
  static constexpr std::int64_t sqrt_half_bits = 0x3FE6A09E667F3BCD;
  static constexpr double rounder = 0x1.8p52;
  static constexpr double ln2_high = 0x1.62E42FEFA38p-1, ln2_low = 0x1.EF35793C7673p-45;
  static constexpr double exp_lowest = -708.39, exp_highest = 709.5;
  static constexpr double negligible = -960;
  static constexpr double tanh_highest = 19.1;
  static constexpr auto exponential = series<double, 12>(exponential_term);
  static constexpr auto power = series<double, 12>(power_term);
  static constexpr auto artanh = series<double, 10>(artanh_term);
};

// e^x as scale * (1 + rest), scale a power of two and |rest| <= sqrt(2) - 1
template <class V>
struct Exponential {
  V scale, rest;
};

template <class V>
inline Exponential<V> split_exponential(V x) {
  using Real = typename LaneTraits<V>::Real;
  using Bits = typename LaneTraits<V>::Bits;
  using F = Format<Real>;
  // x = n log(2) + r with n whole; the low bits of `rounded` are n
  const V rounded = x * static_cast<Real>(1.4426950408889634) + F::rounder;
  const V n = rounded - F::rounder;
  const V r = (x - n * F::ln2_high) - n * F::ln2_low;
  const Bits bits = (std::bit_cast<Bits>(rounded) << F::mantissa_bits) + F::one_bits;
  return {std::bit_cast<V>(bits), r + r * r * polynomial(r, F::exponential)};
}

}  // namespace detail

// e^x to 2 ulp. Below the smallest normal number it is 0; within 0.3 of overflow it is infinite.
template <class V>
inline V exp(V x) {
  using F = detail::Format<typename LaneTraits<V>::Real>;
  const V inside = min(fill<V>(F::exp_highest), max(fill<V>(F::exp_lowest), x));
  const auto [scale, rest] = detail::split_exponential(inside);
  return zero_below<V>(x, F::exp_lowest, scale * (rest + fill<V>(1)));
}

// 2^x for x <= 0, in fewer steps: 0 where it is negligible beside 1. Other values stay far from the
// subnormal numbers, which are slow, also when they are multiplied by a weight.
template <class V>
inline V decay_2(V x) {
  using Real = typename LaneTraits<V>::Real;
  using Bits = typename LaneTraits<V>::Bits;
  using F = detail::Format<Real>;
  // x = n + r with n whole; the low bits of `rounded` are n
  const V rounded = x + F::rounder;
  const V r = x - (rounded - F::rounder);
  const V scale =
      std::bit_cast<V>((std::bit_cast<Bits>(rounded) << F::mantissa_bits) + F::one_bits);
  const V tail = detail::polynomial(r, F::power) * r + static_cast<Real>(detail::ln2);
  return zero_below<V>(x, F::negligible, scale * (tail * r + fill<V>(1)));
}

// 1 / (1 + e^-x).
template <class V>
inline V sigmoid(V x) {
  using F = detail::Format<typename LaneTraits<V>::Real>;
  const V inside = min(fill<V>(-F::exp_lowest), max(fill<V>(-F::exp_highest), x));
  const auto [scale, rest] = detail::split_exponential<V>(-inside);
  return fill<V>(1) / (scale * (rest + fill<V>(1)) + fill<V>(1));
}

// tanh x from e^2x - 1, so that small x lose no precision.
template <class V>
inline V tanh(V x) {
  using F = detail::Format<typename LaneTraits<V>::Real>;
  const V inside = min(fill<V>(F::tanh_highest), max(fill<V>(-F::tanh_highest), x));
  const auto [scale, rest] = detail::split_exponential<V>(inside + inside);
  const V e = scale * rest + (scale - fill<V>(1));
  return e / (e + fill<V>(2));
}

// log x for normal x > 0.
template <class V>
inline V log(V x) {
  using Real = typename LaneTraits<V>::Real;
  using Whole = typename LaneTraits<V>::Whole;
  using F = detail::Format<Real>;
  // x = 2^n (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2)
  const Whole bits = std::bit_cast<Whole>(x);
  const Whole n = (bits - F::sqrt_half_bits) >> F::mantissa_bits;
  const V f = std::bit_cast<V>(bits - (n << F::mantissa_bits)) - fill<V>(1);
  V whole;
  if constexpr (std::is_arithmetic_v<V>) {
    whole = static_cast<V>(n);
  } else {
    whole = __builtin_convertvector(n, V);
  }
  // log(1 + f) = 2 artanh(f / (2 + f))
  const V s = f / (f + fill<V>(2));
  const V s2 = s * s;
  const V tail = s * s2 * detail::polynomial(s2, F::artanh);
  return whole * F::ln2_high + (whole * F::ln2_low + (s + s + (tail + tail)));
}

}  // namespace lanes
}  // namespace vic
