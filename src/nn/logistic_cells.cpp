#include "nn/logistic_cells.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.h"
#include "nn/logistic_components.h"

namespace vic {
namespace {

// a bin by its edges relative to `at`; the outermost bins lack one, or both
template <class Real>
struct Bin {
  bool has_low, has_high;
  Real low, high;
};

// takes coordinate j off the number of a cell, the last coordinate first
template <class Real>
Bin<Real> take_bin(Index& cell, Index j, const Real* at, const LogisticCells& head) {
  const Index bins = head.axis(j).bins, i = cell % bins;
  cell /= bins;
  const Real half = static_cast<Real>(0.5), centre = static_cast<Real>(i);
  return {i > 0, i < bins - 1, centre - half - at[j], centre + half - at[j]};
}

template <class V>
V log_sigmoid(V x) {
  const V e = lanes::exp<V>(lanes::min<V>(x, -x));
  return lanes::min<V>(x, V{}) - lanes::log<V>(e + fill<V>(1));
}

// 1 - e^-x for x > 0; small x lose no precision
template <class V>
V decayed(V x) {
  using Real = typename LaneTraits<V>::Real;
  const V t = lanes::tanh<V>(x * static_cast<Real>(0.5));
  return (t + t) / (t + fill<V>(1));
}

// the log-mass of a bin for a register of components. F(b) - F(a) = F(b) F(-a) (1 - e^(a - b)), in
// which nothing cancels, and b - a = 1 / width
template <class Real>
Lanes<Real> log_mass(const Bin<Real>& bin, const Lanes<Real>& shift, const Lanes<Real>& inverse) {
  using V = Lanes<Real>;
  V sum{};
  if (bin.has_high) sum += log_sigmoid<V>((bin.high - shift) * inverse);
  if (bin.has_low) sum += log_sigmoid<V>((shift - bin.low) * inverse);
  if (bin.has_low && bin.has_high) sum += lanes::log<V>(decayed<V>(inverse));
  return sum;
}

// the gradient of log_mass in the centre and in -log(width)
template <class V>
struct Slopes {
  V centre, narrow;
};

template <class Real>
Slopes<Lanes<Real>> slopes(const Bin<Real>& bin, const Lanes<Real>& shift,
                           const Lanes<Real>& inverse) {
  using V = Lanes<Real>;
  Slopes<V> sum{};
  if (bin.has_high) {
    const V b = (bin.high - shift) * inverse, beyond = lanes::sigmoid<V>(-b);
    sum.centre -= beyond * inverse;
    sum.narrow += beyond * b;
  }
  if (bin.has_low) {
    const V a = (bin.low - shift) * inverse, before = lanes::sigmoid<V>(a);
    sum.centre += before * inverse;
    sum.narrow -= before * a;
  }
  if (bin.has_low && bin.has_high) {
    const V inside = decayed<V>(inverse);
    sum.narrow += inverse * (fill<V>(1) - inside) / inside;
  }
  return sum;
}

// the first coordinate of a cell's product
Index first_axis(const LogisticCells& head, Index cell) {
  return head.is_fall(cell) ? head.d() - 1 : 0;
}

// log p of one cell; the responsibilities go into parts.share
template <class Real>
Real score(const LogisticComponents<Real>& parts, const Real* at, Index cell,
           const LogisticCells& head) {
  using V = Lanes<Real>;
  const Index N = parts.N, first = first_axis(head, cell);
  std::copy_n(parts.log_w, N, parts.share);
  for (Index j = head.d(); j-- > first;) {
    const Bin<Real> bin = take_bin(cell, j, at, head);
    for (Index k = 0; k < N; k += lane_count<Real>) {
      const Index i = j * N + k;
      const V mass = log_mass<Real>(bin, load(parts.shift + i), load(parts.inverse + i));
      store<Real>(parts.share + k, load(parts.share + k) + mass);
    }
  }
  return softmax(parts.share, parts.share, head.n);
}

// the gradient of log p of one cell, from the responsibilities: dm and dv
template <class Real>
void differentiate(const LogisticComponents<Real>& parts, const Real* at, Index cell, Real left,
                   const LogisticCells& head) {
  using V = Lanes<Real>;
  const Index N = parts.N, first = first_axis(head, cell);
  const auto smallest = static_cast<Real>(head.smallest);
  for (Real* none : {parts.dm, parts.dv}) std::fill_n(none, first * N, Real{0});
  for (Index j = head.d(); j-- > first;) {
    const Bin<Real> bin = take_bin(cell, j, at, head);
    const Real reach = static_cast<Real>(head.axis(j).reach) * left;
    for (Index k = 0; k < N; k += lane_count<Real>) {
      const Index i = j * N + k;
      const V inverse = load(parts.inverse + i), share = load(parts.share + k);
      const auto [centre, narrow] = slopes<Real>(bin, load(parts.shift + i), inverse);
      // d log(width) / dv
      const V t = bend_width<V>(load(parts.v + i));
      const V widens = (fill<V>(1) - inverse * smallest) * (fill<V>(1) - t * t);
      store<Real>(parts.dm + i, share * centre * reach);
      store<Real>(parts.dv + i, -share * narrow * widens);
    }
  }
}

// adds -scale times the gradient of one target to its query's outputs
template <class Real>
void add_gradient(Real* doutput, const LogisticComponents<Real>& parts, Real scale,
                  const LogisticCells& head) {
  const Index n = head.n, d = head.d(), N = parts.N;
  for (Index k = 0; k < n; ++k) {
    doutput[k] -= scale * (parts.share[k] - parts.w[k]);
    for (Index j = 0; j < d; ++j) {
      doutput[n + k * d + j] -= scale * parts.dm[j * N + k];
      doutput[n + n * d + k * d + j] -= scale * parts.dv[j * N + k];
    }
  }
}

void check_targets(Index Q, const CellTargets& targets, std::size_t M, const LogisticCells& head) {
  if (targets.query.size() != M || targets.cell.size() != M) {
    throw Error(fmt::format("{} queries and {} cells, not {}", targets.query.size(),
                            targets.cell.size(), M));
  }
  for (int q : targets.query) {
    if (q < 0 || q >= Q) throw Error(fmt::format("a target under query {} of {}", q, Q));
  }
  for (int cell : targets.cell) {
    if (cell < 0 || cell >= head.cells()) {
      throw Error(fmt::format("cell {} of {}", cell, head.cells()));
    }
  }
}

}  // namespace

Index LogisticCells::cells() const {
  Index count = 1;
  for (const CellAxis& axis : axes) count *= axis.bins;
  return count;
}

bool LogisticCells::is_fall(Index cell) const {
  return falls && cell % axes.back().bins != axes.back().bins / 2;
}

Index LogisticCells::representative(Index cell) const {
  return is_fall(cell) ? cell % axes.back().bins : cell;
}

template <class Real>
void logistic_cells_log_p(std::span<Real> log_p, LogisticCellsScratch<Real>& scratch,
                          const CellQueries<Real>& queries, const CellTargets& targets,
                          const LogisticCells& head) {
  check_cell_queries(queries, head);
  check_targets(queries.outputs.rows, targets, log_p.size(), head);
  const LogisticComponents<Real> parts = cut_components(scratch, head);
  int prepared = -1;
  for (std::size_t m = 0; m < log_p.size(); ++m) {
    const int q = targets.query[m];
    if (q != prepared) prepare_components(parts, queries, prepared = q, head);
    log_p[m] = score(parts, queries.at.row(q), targets.cell[m], head);
  }
}

template <class Real>
void logistic_cells_backward(MatrixView<Real> doutputs, LogisticCellsScratch<Real>& scratch,
                             const CellQueries<Real>& queries, const CellTargets& targets,
                             std::span<const Real> scale, const LogisticCells& head) {
  check_cell_queries(queries, head);
  check_targets(queries.outputs.rows, targets, scale.size(), head);
  if (doutputs.rows != queries.outputs.rows || doutputs.cols != queries.outputs.cols) {
    throw Error("the gradient of the cells' head has the wrong shape");
  }
  doutputs.set_zero();
  const LogisticComponents<Real> parts = cut_components(scratch, head);
  int prepared = -1;
  for (std::size_t m = 0; m < scale.size(); ++m) {
    const int q = targets.query[m];
    const Real* at = queries.at.row(q);
    if (q != prepared) prepare_components(parts, queries, prepared = q, head);
    score(parts, at, targets.cell[m], head);
    differentiate(parts, at, targets.cell[m], queries.left[static_cast<std::size_t>(q)], head);
    add_gradient(doutputs.row(q), parts, scale[m], head);
  }
}

template decltype(logistic_cells_log_p<float>) logistic_cells_log_p<float>;
template decltype(logistic_cells_log_p<double>) logistic_cells_log_p<double>;
template decltype(logistic_cells_backward<float>) logistic_cells_backward<float>;
template decltype(logistic_cells_backward<double>) logistic_cells_backward<double>;

}  // namespace vic
