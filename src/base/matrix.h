// Row-major matrices in flat memory: views of them, and buffers that only grow.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <new>
#include <vector>

namespace vic {

using Index = std::ptrdiff_t;

// The smallest multiple of `step` that is not below n.
constexpr Index round_up(Index n, Index step) {
  return (n + step - 1) / step * step;
}

// A matrix in memory that it does not own, its rows one after the other. A view is a value:
// assigning it rebinds it. MatrixView<const Real> only reads.
template <class Real>
struct MatrixView {
  Real* data = nullptr;
  Index rows = 0, cols = 0;

  Index size() const { return rows * cols; }
  Real* row(Index i) const { return data + i * cols; }

  Real& operator()(Index i, Index j) const {
    assert(0 <= i && i < rows && 0 <= j && j < cols);
    return data[i * cols + j];
  }

  // The rows [begin, end).
  MatrixView slice(Index begin, Index end) const {
    assert(0 <= begin && begin <= end && end <= rows);
    return {row(begin), end - begin, cols};
  }

  void set_zero() const { std::fill_n(data, size(), Real{0}); }

  operator MatrixView<const Real>() const { return {data, rows, cols}; }
};

// Allocates at the boundaries of cache lines, so that no register of numbers straddles two of them.
template <class T>
struct CacheAligned {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  CacheAligned() = default;
  template <class U>
  explicit CacheAligned(const CacheAligned<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
  bool operator==(const CacheAligned&) const { return true; }
};

// A flat run of numbers at a cache line's boundary.
template <class Real>
using Block = std::vector<Real, CacheAligned<Real>>;

// A matrix whose memory only grows: after its largest shape it allocates nothing.
template <class Real>
class Buffer {
 public:
  // Gives the matrix a shape. With the same number of columns as before, rows keep their contents;
  // those of new rows are undefined. Views taken earlier may dangle.
  void reshape(Index rows, Index cols) {
    const auto size = static_cast<std::size_t>(rows * cols);
    // grow by half at least, so that a buffer fed level by level settles quickly
    if (size > numbers_.size()) numbers_.resize(std::max(size, numbers_.size() * 3 / 2));
    rows_ = rows;
    cols_ = cols;
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }

  Real* row(Index i) { return numbers_.data() + i * cols_; }
  const Real* row(Index i) const { return numbers_.data() + i * cols_; }

  MatrixView<Real> view() { return {numbers_.data(), rows_, cols_}; }
  MatrixView<const Real> view() const { return {numbers_.data(), rows_, cols_}; }

 private:
  Block<Real> numbers_;
  Index rows_ = 0, cols_ = 0;
};

}  // namespace vic
