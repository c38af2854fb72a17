#include "nn/parameters.h"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "nn/lanes.h"

namespace vic {
namespace {

// a cache line of floats: slices never share one
constexpr Index slice_step = 16;

// initial values are drawn at an update that no training reaches
constexpr std::uint32_t init_update = 0xFFFFFFFF;

// no bit of the three is set
template <class Real>
bool all_zero(const Lanes<Real>& a, const Lanes<Real>& b, const Lanes<Real>& c) {
  const auto bits = [](const Lanes<Real>& v) { return std::bit_cast<__m256i>(v); };
  const __m256i any = bits(a) | bits(b) | bits(c);
  return _mm256_testz_si256(any, any) != 0;
}

}  // namespace

int ParameterLayout::add(std::string name, Index rows, Index cols, Init init) {
  for (const Slice& slice : slices_) {
    require(slice.name != name, "two parameter slices are named {}", name);
  }
  slices_.push_back(
      {.name = std::move(name), .rows = rows, .cols = cols, .offset = size_, .init = init});
  size_ += round_up(rows * cols, slice_step);
  return static_cast<int>(slices_.size()) - 1;
}

int ParameterLayout::find(std::string_view name) const {
  std::string known;
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    if (slices_[i].name == name) return static_cast<int>(i);
    known += (i == 0 ? "" : ", ") + slices_[i].name;
  }
  throw Error(fmt::format("no parameter slice is named {}; there are {}", name, known));
}

template <class Real>
Parameters<Real> make_parameters(const ParameterLayout& layout, InitAddress address) {
  Parameters<Real> p{.layout = layout, .values = {}};
  p.values.assign(static_cast<std::size_t>(p.layout.size()), Real{0});
  // number i of slice k is the draw at (stream, k, i)
  for (std::size_t k = 0; k < p.layout.slices().size(); ++k) {
    const Slice& slice = p.layout.slices()[k];
    if (slice.init == Init::zero) continue;
    Real* values = p.values.data() + slice.offset;
    for (Index i = 0; i < slice.rows * slice.cols; ++i) {
      values[i] =
          static_cast<Real>(init_deviation * normal({.seed = address.seed,
                                                     .update = init_update,
                                                     .row = address.stream,
                                                     .step = static_cast<std::uint32_t>(k),
                                                     .draw = static_cast<std::uint32_t>(i)}));
    }
  }
  return p;
}

template <class Real>
bool all_finite(const Block<Real>& block) {
  // 0 x is 0 for finite x, else NaN, which a sum keeps; four chains of additions run side by side
  using V = Lanes<Real>;
  constexpr std::size_t L = lane_count<Real>;
  V sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 * L <= block.size(); i += 4 * L) {
    for (std::size_t j = 0; j < 4; ++j) sums[j] += load(&block[i + j * L]) * Real{0};
  }
  Real sum = sum_lanes<Real>((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; i < block.size(); ++i) sum += block[i] * Real{0};
  return sum == 0;
}

template <class Real>
void adam_step(Block<Real>& values, AdamState<Real>& state, const Block<Real>& gradients,
               const AdamSettings& settings) {
  const std::size_t size = values.size();
  require(gradients.size() == size && state.mean.size() == size && state.square.size() == size,
          "Adam for {} parameters met {} gradients and {} moments", size, gradients.size(),
          state.mean.size());
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
    // numbers that never had a gradient stay as they are: in large worlds, most rows of a table
    if (all_zero<Real>(g, m, v)) continue;
    V x = load(&values[i]);
    update(x, m, v, g);
    store(&values[i], x);
    store(&state.mean[i], m);
    store(&state.square[i], v);
  }
  for (; i < size; ++i) update(values[i], state.mean[i], state.square[i], gradients[i]);
}

template decltype(make_parameters<float>) make_parameters<float>;
template decltype(make_parameters<double>) make_parameters<double>;
template decltype(all_finite<float>) all_finite<float>;
template decltype(all_finite<double>) all_finite<double>;
template decltype(adam_step<float>) adam_step<float>;
template decltype(adam_step<double>) adam_step<double>;

}  // namespace vic
