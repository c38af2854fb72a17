#include "nn/product.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "nn/lanes.h"
#include "nn/operations.h"

namespace vic {
namespace {

thread_local std::uint64_t operations = 0;

void count_product(Index N, Index K, Index M) {
  operations += 2 * static_cast<std::uint64_t>(N) * static_cast<std::uint64_t>(K * M);
}

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

// the initial values of a product's sums: one row for all, rows `step` apart, or zeros where null
template <class Real>
struct Begin {
  const Real* row = nullptr;
  Index step = 0;

  Begin at(Index n, Index m) const { return {row == nullptr ? nullptr : row + n * step + m, step}; }
};

// R rows of C registers of out, whose rows lie M apart
template <int R, int C, class Real>
void multiply_tile(Real* out, Index M, const Real* a, const Real* panel, Index K,
                   Begin<Real> begin) {
  using V = Lanes<Real>;
  constexpr Index L = lane_count<Real>;
  V sum[R][C];
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) {
      sum[r][c] = begin.row == nullptr ? V{} : load(begin.row + r * begin.step + c * L);
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
void multiply_block(Index rows, Real* out, Index M, const Real* a, const Real* panel, Index K,
                    Begin<Real> begin) {
  if constexpr (R > 0) {
    if (rows == R) {
      multiply_tile<R, C>(out, M, a, panel, K, begin);
    } else {
      multiply_block<R - 1, C>(rows, out, M, a, panel, K, begin);
    }
  }
}

template <int C, class Real>
void multiply_panel(Real* out, Index M, MatrixView<const Real> a, const Real* panel,
                    Begin<Real> begin) {
  for (Index n = 0; n < a.rows;) {
    // the last rows are halved: in a block of very few the sums wait for each other
    const Index left = a.rows - n;
    const bool halve = left > tile_rows && left < tile_rows + 4;
    const Index rows = halve ? (left + 1) / 2 : std::min<Index>(left, tile_rows);
    multiply_block<tile_rows, C>(rows, out + n * M, M, a.row(n), panel, a.cols, begin.at(n, 0));
    n += rows;
  }
}

template <class Real>
void shape_panels(Panels<Real>& panels, Index K, Index M) {
  require(M % width_step == 0, "packed weights need a multiple of 8 columns");
  panels.K = K;
  panels.M = M;
  panels.numbers.reshape(1, K * M);
}

// exchanges the blocks of s x s numbers beside the diagonal of rows a and b, which lie s apart
template <Index s, class Real, Index... j>
[[gnu::always_inline]] inline void exchange(Lanes<Real>& a, Lanes<Real>& b,
                                            std::integer_sequence<Index, j...>) {
  constexpr Index L = lane_count<Real>;
  const Lanes<Real> upper = __builtin_shufflevector(a, b, (j & s ? L + j - s : j)...);
  b = __builtin_shufflevector(a, b, (j & s ? L + j : j + s)...);
  a = upper;
}

// for all rows, then for smaller blocks; inlined, so that the rows stay in registers
template <Index s, class Real>
[[gnu::always_inline]] inline void exchange_blocks(Lanes<Real>* rows) {
  constexpr Index L = lane_count<Real>;
  for (Index i = 0; i < L; ++i) {
    if (i & s) continue;
    exchange<s, Real>(rows[i], rows[i + s], std::make_integer_sequence<Index, L>{});
  }
  if constexpr (s > 1) exchange_blocks<s / 2, Real>(rows);
}

// a square of as many rows as a register has lanes
template <class Real>
void transpose_square(Real* to, Index to_step, const Real* from, Index from_step) {
  constexpr Index L = lane_count<Real>;
  Lanes<Real> rows[L];
  for (Index i = 0; i < L; ++i) rows[i] = load(from + i * from_step);
  exchange_blocks<L / 2, Real>(rows);
  for (Index i = 0; i < L; ++i) store(to + i * to_step, rows[i]);
}

// the number of rows that are summed over before a sum is stored
constexpr Index rows_at_once = 64;

// R rows of C registers of out, whose rows lie M apart, += a^T panel; panel is (rows, C registers)
template <int R, int C, class Real>
void transposed_tile(Real* out, Index M, const Real* a, Index K, const Real* panel, Index rows) {
  using V = Lanes<Real>;
  constexpr Index L = lane_count<Real>;
  V sum[R][C];
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) sum[r][c] = load(out + r * M + c * L);
  }
  for (Index n = 0; n < rows; ++n) {
    V row[C];
    for (int c = 0; c < C; ++c) row[c] = load(panel + (n * C + c) * L);
    for (int r = 0; r < R; ++r) {
      const V x = fill<V>(a[n * K + r]);
      for (int c = 0; c < C; ++c) sum[r][c] += x * row[c];
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) store<Real>(out + r * M + c * L, sum[r][c]);
  }
}

// C registers of columns of out += a^T b, at most rows_at_once rows
template <int C, class Real>
void transposed_columns(Real* out, MatrixView<const Real> a, const Real* b, Index M) {
  constexpr Index L = lane_count<Real>;
  // every tile reads the columns of b: side by side they stay in the first cache
  alignas(64) Real panel[rows_at_once * C * L];
  for (Index n = 0; n < a.rows; ++n) {
    for (int c = 0; c < C; ++c) store(panel + (n * C + c) * L, load(b + n * M + c * L));
  }
  Index k = 0;
  for (; k + 4 <= a.cols; k += 4) {
    transposed_tile<4, C>(out + k * M, M, a.data + k, a.cols, panel, a.rows);
  }
  if (k + 2 <= a.cols) {
    transposed_tile<2, C>(out + k * M, M, a.data + k, a.cols, panel, a.rows);
    k += 2;
  }
  if (k < a.cols) transposed_tile<1, C>(out + k * M, M, a.data + k, a.cols, panel, a.rows);
}

// out = begin + a w
template <class Real>
void multiply_from(MatrixView<Real> out, MatrixView<const Real> a, const Panels<Real>& w,
                   Begin<Real> begin) {
  require(out.rows == a.rows && out.cols == w.M && a.cols == w.K,
          "a product's matrices do not fit each other");
  count_product(a.rows, w.K, w.M);
  const Real* panel = w.numbers.row(0);
  for_panels<Real>(w.M, [&](Index m, Index cols) {
    if (cols == panel_cols<Real>) {
      multiply_panel<panel_lanes>(out.data + m, w.M, a, panel, begin.at(0, m));
    } else {
      multiply_panel<1>(out.data + m, w.M, a, panel, begin.at(0, m));
    }
    panel += cols * w.K;
  });
}

}  // namespace

std::uint64_t product_operations() {
  return operations;
}

template <class Real>
void pack(Panels<Real>& panels, MatrixView<const Real> w) {
  shape_panels(panels, w.rows, w.cols);
  Real* to = panels.numbers.row(0);
  for_panels<Real>(w.cols, [&](Index m, Index cols) {
    for (Index k = 0; k < w.rows; ++k) {
      for (Index c = 0; c < cols; c += lane_count<Real>, to += lane_count<Real>) {
        store(to, load(w.row(k) + m + c));
      }
    }
  });
}

template <class Real>
void pack_transposed(Panels<Real>& panels, MatrixView<const Real> w) {
  shape_panels(panels, w.cols, w.rows);
  Real* to = panels.numbers.row(0);
  for_panels<Real>(w.rows, [&](Index m, Index cols) {
    // squares of numbers, as far as they go
    constexpr Index L = lane_count<Real>;
    Index k = 0;
    for (; k + L <= w.cols; k += L, to += L * cols) {
      for (Index c = 0; c < cols; c += L) transpose_square(to + c, cols, w.row(m + c) + k, w.cols);
    }
    for (; k < w.cols; ++k, to += cols) {
      for (Index c = 0; c < cols; ++c) to[c] = w.data[(m + c) * w.cols + k];
    }
  });
}

template <class Real>
void multiply(MatrixView<Real> out, MatrixView<const Real> a, const Panels<Real>& w,
              MatrixView<const Real> bias) {
  require(bias.data == nullptr || (bias.rows == 1 && bias.cols == w.M),
          "a product's bias has the wrong width");
  multiply_from<Real>(out, a, w, {bias.data});
}

template <class Real>
void add_product(MatrixView<Real> out, MatrixView<const Real> a, const Panels<Real>& w) {
  multiply_from<Real>(out, a, w, {out.data, w.M});
}

template <class Real>
void add_transposed_product(MatrixView<Real> out, MatrixView<const Real> a,
                            MatrixView<const Real> b) {
  require(out.rows == a.cols && out.cols == b.cols && a.rows == b.rows && b.cols % width_step == 0,
          "a transposed product's matrices do not fit each other, or 8 columns");
  count_product(a.rows, a.cols, b.cols);
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

template decltype(pack<float>) pack<float>;
template decltype(pack<double>) pack<double>;
template decltype(pack_transposed<float>) pack_transposed<float>;
template decltype(pack_transposed<double>) pack_transposed<double>;
template decltype(multiply<float>) multiply<float>;
template decltype(multiply<double>) multiply<double>;
template decltype(add_product<float>) add_product<float>;
template decltype(add_product<double>) add_product<double>;
template decltype(add_transposed_product<float>) add_transposed_product<float>;
template decltype(add_transposed_product<double>) add_transposed_product<double>;

}  // namespace vic
