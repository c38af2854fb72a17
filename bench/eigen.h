// Eigen, for benchmarks to compare with. The macros above the include fix the order of sums: with
// them the bits of a product depend on its shape alone, not on the machine's caches or threads.
#pragma once

#ifdef EIGEN_CORE_H
#error "include bench/eigen.h in place of Eigen's own headers"
#endif
// the sizes of the caches are fixed here, not looked up
#define EIGEN_NO_CPUID
#define EIGEN_DEFAULT_L1_CACHE_SIZE (32 * 1024)
#define EIGEN_DEFAULT_L2_CACHE_SIZE (1024 * 1024)
#define EIGEN_DEFAULT_L3_CACHE_SIZE (8 * 1024 * 1024)
#define EIGEN_DONT_PARALLELIZE
// the packed panels of a product live on the stack: one of them takes at most 768 KiB
#define EIGEN_STACK_ALLOCATION_LIMIT (1024 * 1024)
#include <Eigen/Core>
#include <type_traits>

#include "base/matrix.h"

namespace vic {

template <class Real>
using EigenMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A view as Eigen sees it.
template <class Real>
auto as_eigen(const MatrixView<Real>& view) {
  using Plain = EigenMatrix<std::remove_const_t<Real>>;
  using Target = std::conditional_t<std::is_const_v<Real>, const Plain, Plain>;
  return Eigen::Map<Target>(view.data, view.rows, view.cols);
}

}  // namespace vic
