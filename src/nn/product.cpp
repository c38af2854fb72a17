#include "nn/product.h"

#include "base/error.h"
#include "nn/eigen.h"
#include "nn/lanes.h"

namespace vic {
namespace {

// up to here the kernel is faster than Eigen, which is faster beyond
constexpr Index few_rows = 24;

// C registers of columns of R rows of out (N, M), from a (N, K) and w (K, M): R rows share every
// load of w
template <int R, int C, class Real>
void multiply_tile(Real* out, const Real* a, const Real* w, Index K, Index M, bool add) {
  using V = Lanes<Real>;
  constexpr Index L = lane_count<Real>;
  V sum[R][C];
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) sum[r][c] = add ? load(out + r * M + c * L) : V{};
  }
  for (Index k = 0; k < K; ++k) {
    V row[C];
    for (int c = 0; c < C; ++c) row[c] = load(w + k * M + c * L);
    for (int r = 0; r < R; ++r) {
      const V x = fill<V>(a[r * K + k]);
      for (int c = 0; c < C; ++c) sum[r][c] += x * row[c];
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) store<Real>(out + r * M + c * L, sum[r][c]);
  }
}

template <int R, class Real>
void multiply_rows(Real* out, const Real* a, const MatrixView<const Real>& w, bool add) {
  constexpr Index L = lane_count<Real>;
  Index c = 0;
  for (; c + 2 * L <= w.cols; c += 2 * L) {
    multiply_tile<R, 2>(out + c, a, w.data + c, w.rows, w.cols, add);
  }
  for (; c < w.cols; c += L) multiply_tile<R, 1>(out + c, a, w.data + c, w.rows, w.cols, add);
}

template <class Real>
void multiply_few(MatrixView<Real> out, MatrixView<const Real> a, MatrixView<const Real> w,
                  bool add) {
  Index n = 0;
  for (; n + 4 <= a.rows; n += 4) multiply_rows<4>(out.row(n), a.row(n), w, add);
  for (; n < a.rows; ++n) multiply_rows<1>(out.row(n), a.row(n), w, add);
}

template <class Real>
void check_shapes(const MatrixView<Real>& out, const MatrixView<const Real>& a,
                  const MatrixView<const Real>& w) {
  if (out.rows != a.rows || out.cols != w.cols || a.cols != w.rows || w.cols % width_step != 0) {
    throw Error("a product's matrices do not fit each other, or 8 columns");
  }
}

}  // namespace

template <class Real>
void multiply(MatrixView<Real> out, MatrixView<const Real> a, MatrixView<const Real> w) {
  check_shapes(out, a, w);
  if (a.rows <= few_rows) {
    multiply_few(out, a, w, /*add=*/false);
  } else {
    as_eigen(out).noalias() = as_eigen(a) * as_eigen(w);
  }
}

template <class Real>
void multiply_add(MatrixView<Real> out, MatrixView<const Real> a, MatrixView<const Real> w) {
  check_shapes(out, a, w);
  if (a.rows <= few_rows) {
    multiply_few(out, a, w, /*add=*/true);
  } else {
    as_eigen(out).noalias() += as_eigen(a) * as_eigen(w);
  }
}

template void multiply(MatrixView<float>, MatrixView<const float>, MatrixView<const float>);
template void multiply(MatrixView<double>, MatrixView<const double>, MatrixView<const double>);
template void multiply_add(MatrixView<float>, MatrixView<const float>, MatrixView<const float>);
template void multiply_add(MatrixView<double>, MatrixView<const double>, MatrixView<const double>);

}  // namespace vic
