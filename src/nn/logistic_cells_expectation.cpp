// The expectation of a table over all cells: a sum over products, one coordinate after another.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/error.h"
#include "nn/logistic_cells.h"
#include "nn/logistic_components.h"

namespace vic {
namespace {

// the number of a table's columns that are summed side by side
constexpr Index together = 8;

// the mass of every bin of one coordinate, (bins, a register), for a register of components
template <class Real>
void weigh_bins(Real* masses, Index bins, Real at, const Lanes<Real>& shift,
                const Lanes<Real>& inverse) {
  using V = Lanes<Real>;
  // beyond it F is 0 or 1 in a sum; the limit avoids subnormal numbers, which are slow
  const V far = fill<V>(40);
  V below{};
  for (Index i = 0; i < bins - 1; ++i, masses += lane_count<Real>) {
    const Real high = static_cast<Real>(i) + static_cast<Real>(0.5) - at;
    const V F =
        lanes::sigmoid<V>(lanes::max<V>(-far, lanes::min<V>(far, (high - shift) * inverse)));
    store<Real>(masses, F - below);
    below = F;
  }
  store<Real>(masses, fill<V>(1) - below);
}

// the expectation of the table in scratch for a register of components: one coordinate after
// another is summed out, the first, then from the last on
template <class Real>
Lanes<Real> contract(LogisticCellsScratch<Real>& scratch, const LogisticCells& head) {
  using V = Lanes<Real>;
  constexpr Index L = lane_count<Real>;
  const MatrixView<const Real> table = scratch.table.view();
  Real* sums = scratch.sums.row(0);
  for (Index x = 0; x < table.cols; x += together) {
    V sum[together] = {};
    for (Index i = 0; i < table.rows; ++i) {
      const V mass = load<Real>(scratch.masses.row(i));
      for (Index y = 0; y < together; ++y) sum[y] += mass * table.row(i)[x + y];
    }
    for (Index y = 0; y < together; ++y) store<Real>(sums + (x + y) * L, sum[y]);
  }
  Index others = head.cells() / table.rows, first = scratch.masses.rows();
  for (Index j = head.d() - 1; j > 0; --j) {
    const Index bins = head.axis(j).bins;
    others /= bins;
    first -= bins;
    for (Index x = 0; x < others; ++x) {
      V sum{};
      for (Index i = 0; i < bins; ++i) {
        sum += load<Real>(scratch.masses.row(first + i)) * load<Real>(sums + (x * bins + i) * L);
      }
      store<Real>(sums + x * L, sum);
    }
  }
  return load<Real>(sums);
}

// the table w in the layout that contract() reads, and room for its sums
template <class Real>
void lay_out(LogisticCellsScratch<Real>& scratch, std::span<const Real> w,
             const LogisticCells& head) {
  const Index rows = head.axes[0].bins, others = head.cells() / rows;
  Index bins = 0;
  for (const CellAxis& axis : head.axes) bins += axis.bins;
  scratch.masses.reshape(bins, lane_count<Real>);
  scratch.sums.reshape(round_up(others, together), lane_count<Real>);
  scratch.table.reshape(rows, scratch.sums.rows());
  scratch.table.view().set_zero();
  for (Index i = 0; i < rows; ++i) {
    std::copy_n(w.data() + i * others, others, scratch.table.row(i));
  }
}

}  // namespace

template <class Real>
void logistic_cells_expectation(std::span<Real> expected, LogisticCellsScratch<Real>& scratch,
                                const CellQueries<Real>& queries, std::span<const Real> w,
                                const LogisticCells& head, std::span<const int> table) {
  using V = Lanes<Real>;
  check_cell_queries(queries, head);
  const Index Q = queries.outputs.rows;
  const auto cells = static_cast<std::size_t>(head.cells());
  const std::size_t tables = table.empty() ? 1 : w.size() / cells;
  if (static_cast<Index>(expected.size()) != Q || w.size() != tables * cells) {
    throw Error(fmt::format("{} expectations of {} numbers, not {} of {}", expected.size(),
                            w.size(), Q, tables * cells));
  }
  const LogisticComponents<Real> parts = cut_components(scratch, head);
  const auto table_of = [&](Index q) {
    return table.empty() ? 0 : table[static_cast<std::size_t>(q)];
  };
  // queries of a table follow each other, so that each table is laid out once
  std::vector<Index>& order = scratch.order;
  order.resize(static_cast<std::size_t>(Q));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index q) { return std::pair(table_of(q), q); });
  int laid = -1;
  for (const Index q : order) {
    const int own = table_of(q);
    if (own < 0 || static_cast<std::size_t>(own) >= tables) {
      throw Error(fmt::format("Table {} of {} does not exist.", own, tables));
    }
    if (own != laid) {
      lay_out(scratch, w.subspan(static_cast<std::size_t>(own) * cells, cells), head);
    }
    laid = own;
    prepare_components(parts, queries, q, head);
    V sum{};
    for (Index k = 0; k < parts.N; k += lane_count<Real>) {
      Index first = 0;
      for (Index j = 0; j < head.d(); ++j) {
        const Index bins = head.axis(j).bins, i = j * parts.N + k;
        weigh_bins<Real>(scratch.masses.row(first), bins, queries.at.row(q)[j],
                         load(parts.shift + i), load(parts.inverse + i));
        first += bins;
      }
      sum += load(parts.w + k) * contract(scratch, head);
    }
    expected[static_cast<std::size_t>(q)] = sum_lanes<Real>(sum);
  }
}

template decltype(logistic_cells_expectation<float>) logistic_cells_expectation<float>;
template decltype(logistic_cells_expectation<double>) logistic_cells_expectation<double>;

}  // namespace vic
