#include "nn/parameters.h"

#include <fmt/core.h>

#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "nn/lanes.h"

namespace vic {
namespace {

// a cache line of floats: slices never share one
constexpr Index slice_step = 16;

// the initial values live at an update that no training reaches
constexpr std::uint32_t init_update = 0xFFFFFFFF;

}  // namespace

int ParameterLayout::add(std::string name, Index rows, Index cols, Init init) {
  for (const Slice& slice : slices_) {
    if (slice.name == name) throw Error(fmt::format("two parameter slices are named {}", name));
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
  // 0 x is 0 for finite x, else NaN, which no sum loses; four chains of additions run side by side
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

template decltype(make_parameters<float>) make_parameters<float>;
template decltype(make_parameters<double>) make_parameters<double>;
template decltype(all_finite<float>) all_finite<float>;
template decltype(all_finite<double>) all_finite<double>;

}  // namespace vic
