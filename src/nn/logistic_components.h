// The components of a query of the head for cells, for the functions of nn/logistic_cells.h.
#pragma once

#include <fmt/core.h>

#include "base/error.h"
#include "nn/logistic_cells.h"
#include "nn/softmax.h"

namespace vic {

// v is bent so that widths stay within e^4 of their spread, and a gradient remains beyond it
inline constexpr double most_v = 4;

// the pieces of the scratch memory, for the components of one query; N is n rounded up. Numbers
// beyond n are finite and have no weight
template <class Real>
struct LogisticComponents {
  Index N;
  Real* w;        // (N): the weights
  Real* log_w;    // (N)
  Real* share;    // (N): the responsibilities
  Real* v;        // (d, N)
  Real* shift;    // (d, N): centre - at
  Real* inverse;  // (d, N): 1 / width
  Real* dm;       // (d, N): gradients of log p
  Real* dv;       // (d, N)
};

template <class Real>
LogisticComponents<Real> cut_components(LogisticCellsScratch<Real>& scratch,
                                        const LogisticCells& head) {
  const Index d = head.d(), N = round_up(head.n, lane_count<Real>);
  scratch.components.reshape(3 + 5 * d, N);
  scratch.components.view().set_zero();
  const auto row = [&](Index i) { return scratch.components.row(i); };
  return {N,          row(0),         row(1),         row(2),        row(3),
          row(3 + d), row(3 + 2 * d), row(3 + 3 * d), row(3 + 4 * d)};
}

template <class V>
V bend_width(V v) {
  using Real = typename LaneTraits<V>::Real;
  return lanes::tanh<V>(v * static_cast<Real>(1 / most_v));
}

// the weights, centres and widths of query q
template <class Real>
void prepare_components(const LogisticComponents<Real>& parts, const CellQueries<Real>& queries,
                        Index q, const LogisticCells& head) {
  using V = Lanes<Real>;
  const Index n = head.n, d = head.d(), N = parts.N;
  const Real* output = queries.outputs.row(q);
  const Real log_sum = softmax(parts.w, output, n);
  for (Index k = 0; k < n; ++k) parts.log_w[k] = output[k] - log_sum;
  const Real left = queries.left[static_cast<std::size_t>(q)];
  const auto smallest = static_cast<Real>(head.smallest);
  for (Index j = 0; j < d; ++j) {
    const CellAxis& axis = head.axis(j);
    const Real reach = static_cast<Real>(axis.reach) * left;
    const Real spread = static_cast<Real>(axis.spread) * lanes::sqrt(left);
    Real *v = parts.v + j * N, *shift = parts.shift + j * N;
    for (Index k = 0; k < n; ++k) {
      shift[k] = reach * output[n + k * d + j];
      v[k] = output[n + n * d + k * d + j];
    }
    for (Index k = 0; k < N; k += lane_count<Real>) {
      const V wide = lanes::exp<V>(bend_width<V>(load(v + k)) * static_cast<Real>(most_v));
      store<Real>(parts.inverse + j * N + k, fill<V>(1) / (wide * spread + smallest));
    }
  }
}

template <class Real>
void check_cell_queries(const CellQueries<Real>& queries, const LogisticCells& head) {
  bool good = head.n > 0 && head.d() > 0 && head.smallest > 0;
  for (const CellAxis& axis : head.axes) good = good && axis.bins > 0 && axis.spread >= 0;
  if (!good || queries.outputs.cols < head.outputs()) {
    throw Error(fmt::format("{} outputs for {} components in {} coordinates, smallest width {}",
                            queries.outputs.cols, head.n, head.d(), head.smallest));
  }
  const Index Q = queries.outputs.rows, lefts = static_cast<Index>(queries.left.size());
  if (queries.at.rows != Q || queries.at.cols != head.d() || lefts != Q) {
    throw Error(fmt::format("{} x {} points and {} times left, not {} of {}", queries.at.rows,
                            queries.at.cols, lefts, Q, head.d()));
  }
  for (Real left : queries.left) {
    if (!(left >= 0 && left <= 1)) throw Error(fmt::format("{} of the time is left", left));
  }
}

}  // namespace vic
