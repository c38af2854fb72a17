// One flat block of parameters with named slices, so that zeroing, Adam, norms and saving are a
// single loop over numbers, while a layer sees its matrices; and Adam (Kingma and Ba, 2015).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/matrix.h"

namespace vic {

// The initial values of a slice.
enum class Init { zero, gaussian };

// The standard deviation of Init::gaussian, the paper's.
inline constexpr double init_deviation = 0.1;

// A matrix inside the block.
struct Slice {
  std::string name;  // "lstm.W_h"
  Index rows = 0, cols = 0;
  Index offset = 0;  // of the first number, a multiple of 16
  Init init = Init::gaussian;
};

// The slices of a block and their places. Each begins at a multiple of 16 numbers; the gaps are 0
// and stay so, because their gradient is 0.
class ParameterLayout {
 public:
  // Appends a slice and returns its number. Throws an Error for a name that is taken.
  int add(std::string name, Index rows, Index cols, Init init = Init::gaussian);

  const std::vector<Slice>& slices() const { return slices_; }
  const Slice& slice(int i) const { return slices_[static_cast<std::size_t>(i)]; }

  // The number of the slice with this name. Throws an Error that lists the known names.
  int find(std::string_view name) const;

  // The length of the block, gaps included.
  Index size() const { return size_; }

 private:
  std::vector<Slice> slices_;
  Index size_ = 0;
};

// The matrix of a slice in a block, be it values, a gradient or a moment of Adam.
template <class Real>
MatrixView<Real> view(Block<Real>& block, const Slice& slice) {
  return {block.data() + slice.offset, slice.rows, slice.cols};
}
template <class Real>
MatrixView<const Real> view(const Block<Real>& block, const Slice& slice) {
  return {block.data() + slice.offset, slice.rows, slice.cols};
}

// Parameters. Their gradient is a block of the same layout, provided by the caller.
template <class Real>
struct Parameters {
  ParameterLayout layout;
  Block<Real> values;  // (layout.size())

  MatrixView<const Real> value(int slice) const { return view(values, layout.slice(slice)); }
};

// The random numbers of a block's initial values: blocks with different streams are independent.
struct InitAddress {
  std::uint64_t seed = 0;
  std::uint32_t stream = 0;
};

// Fills a block: a gaussian slice with N(0, 0.1^2), the rest with zeros. Number i of slice k has
// the same random address for float and double.
template <class Real>
Parameters<Real> make_parameters(const ParameterLayout& layout, InitAddress address);

// Whether no number is infinite or NaN.
template <class Real>
bool all_finite(const Block<Real>& block);

struct AdamSettings {
  double learning_rate = 1e-3;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double epsilon = 1e-8;
};

// The state of Adam, which a checkpoint saves besides the parameters.
template <class Real>
struct AdamState {
  explicit AdamState(std::size_t size = 0) : mean(size, Real{0}), square(size, Real{0}) {}

  Block<Real> mean;    // (size): running mean of the gradient
  Block<Real> square;  // (size): running mean of its square
  std::int64_t steps = 0;
};

// One step down the gradient, with bias correction. The three blocks have the same length.
template <class Real>
void adam_step(Block<Real>& values, AdamState<Real>& state, const Block<Real>& gradients,
               const AdamSettings& settings);

}  // namespace vic
