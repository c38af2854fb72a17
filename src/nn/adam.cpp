#include "nn/adam.h"

#include <fmt/core.h>

#include <cmath>

#include "base/error.h"
#include "nn/lanes.h"

namespace vic {
namespace {

// no bit of the three is set
template <class Real>
bool all_zero(const Lanes<Real>& a, const Lanes<Real>& b, const Lanes<Real>& c) {
  const auto bits = [](const Lanes<Real>& v) { return std::bit_cast<__m256i>(v); };
  const __m256i any = bits(a) | bits(b) | bits(c);
  return _mm256_testz_si256(any, any) != 0;
}

}  // namespace

template <class Real>
void adam_step(Block<Real>& values, AdamState<Real>& state, const Block<Real>& gradients,
               const AdamSettings& settings) {
  const std::size_t size = values.size();
  if (gradients.size() != size || state.mean.size() != size || state.square.size() != size) {
    throw Error(fmt::format("Adam for {} parameters met {} gradients and {} moments", size,
                            gradients.size(), state.mean.size()));
  }
  // the moments begin at 0: divide that bias out of both
  ++state.steps;
  const auto t = static_cast<double>(state.steps);
  const double scale_1 = 1 / (1 - std::pow(settings.beta_1, t));
  const double scale_2 = 1 / (1 - std::pow(settings.beta_2, t));
  const auto beta_1 = static_cast<Real>(settings.beta_1);
  const auto beta_2 = static_cast<Real>(settings.beta_2);
  const auto step = static_cast<Real>(settings.learning_rate * scale_1);
  const auto root_scale = static_cast<Real>(std::sqrt(scale_2));
  const auto epsilon = static_cast<Real>(settings.epsilon);

  const auto update = [&](auto& x, auto& m, auto& v, const auto& g) {
    m = beta_1 * m + (1 - beta_1) * g;
    v = beta_2 * v + (1 - beta_2) * (g * g);
    x -= step * m / (root_scale * lanes::sqrt(v) + epsilon);
  };
  using V = Lanes<Real>;
  constexpr std::size_t L = lane_count<Real>;
  std::size_t i = 0;
  for (; i + L <= size; i += L) {
    const V g = load(&gradients[i]);
    V m = load(&state.mean[i]), v = load(&state.square[i]);
    // what was never learned from stays as it is: in large worlds most rows of a table
    if (all_zero<Real>(g, m, v)) continue;
    V x = load(&values[i]);
    update(x, m, v, g);
    store(&values[i], x);
    store(&state.mean[i], m);
    store(&state.square[i], v);
  }
  for (; i < size; ++i) update(values[i], state.mean[i], state.square[i], gradients[i]);
}

template decltype(adam_step<float>) adam_step<float>;
template decltype(adam_step<double>) adam_step<double>;

}  // namespace vic
