// The softmax of a run of numbers, for the heads.
#pragma once

#include <limits>

#include "nn/lanes.h"

namespace vic {

// Sets p[0..K) to the softmax of x[0..K); returns log sum e^x, summed in an order that depends on K
// alone.
template <class Real>
Real softmax(Real* p, const Real* x, Index K) {
  using V = Lanes<Real>;
  constexpr Index L = lane_count<Real>;
  constexpr Real lowest = -std::numeric_limits<Real>::infinity();
  const Index whole = K / L * L, rest = K - whole;
  // pads the last register with numbers whose exponential is 0
  const V last = load_part(x + whole, rest, lowest);
  V most_of = last;
  for (Index j = 0; j < whole; j += L) most_of = lanes::max(most_of, load(x + j));
  const Real most = max_lane<Real>(most_of);

  V sums{};
  for (Index j = 0; j < whole; j += L) {
    const V e = lanes::exp<V>(load(x + j) - most);
    store(p + j, e);
    sums += e;
  }
  const V e = lanes::exp<V>(last - most);
  const Real sum = sum_lanes<Real>(sums + e);
  const Real inverse = 1 / sum;
  for (Index j = 0; j < whole; j += L) store<Real>(p + j, load(p + j) * inverse);
  store_part<Real>(p + whole, e * inverse, rest);
  return most + lanes::log(sum);
}

}  // namespace vic
