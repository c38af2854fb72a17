#include "nn/product.h"

#include <algorithm>

#include "base/error.h"
#include "nn/lanes.h"

namespace vic {
namespace {

// sixteen registers hold 6 x 2 sums, two of the weights and one of the rows
constexpr int tile_rows = 6, panel_lanes = 2;
template <class Real>
constexpr Index panel_cols = panel_lanes* lane_count<Real>;

// calls visit(first column, registers) for every panel of M columns
template <class Real, class Visit>
void for_panels(Index M, const Visit& visit) {
  Index m = 0;
  for (; m + panel_cols<Real> <= M; m += panel_cols<Real>) visit(m, panel_cols<Real>);
  if (m < M) visit(m, M - m);
}

// where sums begin: at zero, or at numbers of which one row lies `step` behind the other
template <class Real>
struct Start {
  const Real* at = nullptr;
  Index step = 0;
};

// R rows of C registers of out, whose rows lie M apart
template <int R, int C, class Real>
void multiply_tile(Real* out, Index M, const Real* a, const Real* panel, Index K,
                   const Start<Real>& start) {
  using V = Lanes<Real>;
  constexpr Index L = lane_count<Real>;
  V sum[R][C];
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) {
      sum[r][c] = start.at == nullptr ? V{} : load(start.at + r * start.step + c * L);
    }
  }
  for (Index k = 0; k < K; ++k) {
    V row[C];
    for (int c = 0; c < C; ++c) row[c] = load(panel + (k * C + c) * L);
    for (int r = 0; r < R; ++r) {
      const V x = fill<V>(a[r * K + k]);
      for (int c = 0; c < C; ++c) sum[r][c] += x * row[c];
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) store<Real>(out + r * M + c * L, sum[r][c]);
  }
}

// a tile of `rows` <= R rows
template <int R, int C, class Real>
void multiply_rest(Index rows, Real* out, Index M, const Real* a, const Real* panel, Index K,
                   const Start<Real>& start) {
  if constexpr (R > 0) {
    if (rows == R) {
      multiply_tile<R, C>(out, M, a, panel, K, start);
    } else {
      multiply_rest<R - 1, C>(rows, out, M, a, panel, K, start);
    }
  }
}

template <int C, class Real>
void multiply_panel(Real* out, Index M, MatrixView<const Real> a, const Real* panel,
                    Start<Real> start) {
  Index n = 0;
  for (; n + tile_rows <= a.rows; n += tile_rows) {
    multiply_tile<tile_rows, C>(out + n * M, M, a.row(n), panel, a.cols, start);
    if (start.at != nullptr) start.at += tile_rows * start.step;
  }
  multiply_rest<tile_rows - 1, C>(a.rows - n, out + n * M, M, a.row(n), panel, a.cols, start);
}

template <class Real>
void multiply_from(MatrixView<Real> out, MatrixView<const Real> a, const Panels<Real>& w,
                   const Start<Real>& start) {
  if (out.rows != a.rows || out.cols != w.M || a.cols != w.K) {
    throw Error("a product's matrices do not fit each other");
  }
  const Real* panel = w.numbers.row(0);
  for_panels<Real>(w.M, [&](Index m, Index cols) {
    const Start<Real> here{start.at == nullptr ? nullptr : start.at + m, start.step};
    if (cols == panel_cols<Real>) {
      multiply_panel<panel_lanes>(out.data + m, w.M, a, panel, here);
    } else {
      multiply_panel<1>(out.data + m, w.M, a, panel, here);
    }
    panel += cols * w.K;
  });
}

template <class Real>
void shape_panels(Panels<Real>& panels, Index K, Index M) {
  if (M % width_step != 0) throw Error("packed weights need a multiple of 8 columns");
  panels.K = K;
  panels.M = M;
  panels.numbers.reshape(1, K * M);
}

// R rows of C registers of out (K, M) += a^T b over `rows` rows
template <int R, int C, class Real>
void transposed_tile(Real* out, const Real* a, const Real* b, Index rows, Index K, Index M) {
  using V = Lanes<Real>;
  constexpr Index L = lane_count<Real>;
  V sum[R][C];
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) sum[r][c] = load(out + r * M + c * L);
  }
  for (Index n = 0; n < rows; ++n) {
    V row[C];
    for (int c = 0; c < C; ++c) row[c] = load(b + n * M + c * L);
    for (int r = 0; r < R; ++r) {
      const V x = fill<V>(a[n * K + r]);
      for (int c = 0; c < C; ++c) sum[r][c] += x * row[c];
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) store<Real>(out + r * M + c * L, sum[r][c]);
  }
}

// C registers of all columns of a
template <int C, class Real>
void transposed_columns(Real* out, MatrixView<const Real> a, const Real* b, Index M) {
  Index k = 0;
  for (; k + 4 <= a.cols; k += 4) {
    transposed_tile<4, C>(out + k * M, a.data + k, b, a.rows, a.cols, M);
  }
  for (; k < a.cols; ++k) {
    transposed_tile<1, C>(out + k * M, a.data + k, b, a.rows, a.cols, M);
  }
}

}  // namespace

template <class Real>
void pack(Panels<Real>& panels, MatrixView<const Real> w) {
  shape_panels(panels, w.rows, w.cols);
  Real* to = panels.numbers.row(0);
  for_panels<Real>(w.cols, [&](Index m, Index cols) {
    for (Index k = 0; k < w.rows; ++k, to += cols) std::copy_n(w.row(k) + m, cols, to);
  });
}

template <class Real>
void pack_transposed(Panels<Real>& panels, MatrixView<const Real> w) {
  shape_panels(panels, w.cols, w.rows);
  Real* to = panels.numbers.row(0);
  for_panels<Real>(w.rows, [&](Index m, Index cols) {
    for (Index k = 0; k < w.cols; ++k, to += cols) {
      for (Index c = 0; c < cols; ++c) to[c] = w.data[(m + c) * w.cols + k];
    }
  });
}

template <class Real>
void multiply(MatrixView<Real> out, MatrixView<const Real> a, const Panels<Real>& w) {
  multiply_from<Real>(out, a, w, {});
}

template <class Real>
void multiply_add(MatrixView<Real> out, MatrixView<const Real> a, const Panels<Real>& w) {
  multiply_from<Real>(out, a, w, {out.data, out.cols});
}

template <class Real>
void multiply_bias(MatrixView<Real> out, MatrixView<const Real> a, const Panels<Real>& w,
                   MatrixView<const Real> bias) {
  if (bias.rows != 1 || bias.cols != w.M) throw Error("a product's bias has the wrong width");
  multiply_from<Real>(out, a, w, {bias.data, 0});
}

template <class Real>
void add_transposed_product(MatrixView<Real> out, MatrixView<const Real> a,
                            MatrixView<const Real> b) {
  if (out.rows != a.cols || out.cols != b.cols || a.rows != b.rows || b.cols % width_step != 0) {
    throw Error("a transposed product's matrices do not fit each other, or 8 columns");
  }
  // so many rows of a and b stay in the first cache while every tile of out meets them
  constexpr Index rows_at_once = 32;
  constexpr Index L = lane_count<Real>;
  const Index M = b.cols;
  for (Index n = 0; n < a.rows; n += rows_at_once) {
    const MatrixView<const Real> rows = a.slice(n, std::min(n + rows_at_once, a.rows));
    Index m = 0;
    for (; m + 3 * L <= M; m += 3 * L) transposed_columns<3>(out.data + m, rows, b.row(n) + m, M);
    if (m + 2 * L <= M) {
      transposed_columns<2>(out.data + m, rows, b.row(n) + m, M);
    } else if (m < M) {
      transposed_columns<1>(out.data + m, rows, b.row(n) + m, M);
    }
  }
}

template void pack(Panels<float>&, MatrixView<const float>);
template void pack(Panels<double>&, MatrixView<const double>);
template void pack_transposed(Panels<float>&, MatrixView<const float>);
template void pack_transposed(Panels<double>&, MatrixView<const double>);
template void multiply(MatrixView<float>, MatrixView<const float>, const Panels<float>&);
template void multiply(MatrixView<double>, MatrixView<const double>, const Panels<double>&);
template void multiply_add(MatrixView<float>, MatrixView<const float>, const Panels<float>&);
template void multiply_add(MatrixView<double>, MatrixView<const double>, const Panels<double>&);
template void multiply_bias(MatrixView<float>, MatrixView<const float>, const Panels<float>&,
                            MatrixView<const float>);
template void multiply_bias(MatrixView<double>, MatrixView<const double>, const Panels<double>&,
                            MatrixView<const double>);
template void add_transposed_product(MatrixView<float>, MatrixView<const float>,
                                     MatrixView<const float>);
template void add_transposed_product(MatrixView<double>, MatrixView<const double>,
                                     MatrixView<const double>);

}  // namespace vic
