// The head for cells: the probability of each cell of a grid over d coordinates, as a mixture of n
// products of logistic distributions, integrated over the cell.
//
//   p(c) = sum_k w_k prod_j [F((c_j + 1/2 - centre_kj) / width_kj)
//                            - F((c_j - 1/2 - centre_kj) / width_kj)]
//   w = softmax(logits),   F(x) = 1 / (1 + e^-x)
//   centre_kj = at_j + reach_j left m_kj
//   width_kj = smallest + spread_j sqrt(left) e^g(v_kj),   g(v) = 4 tanh(v / 4)
//
// c_j is the index of a bin, 0 to bins_j - 1, and lengths are in bins: bin i lies around i. The
// first and the last bin of a coordinate reach to infinity, so p sums to 1. `at` is the place of
// the state and `left` the share of the option's time that is left; at 0 it ends where it is.
//
// Where the last coordinate counts falls, each of its bins but the middle one is a single cell,
// wherever the fall happens: its product has that coordinate alone, and it has many numbers.
//
// A query's outputs are its n logits, then m (n, d), then v (n, d), then padding.
#pragma once

#include <span>
#include <vector>

#include "base/matrix.h"

namespace vic {

// One coordinate of the grid.
struct CellAxis {
  Index bins = 1;
  double reach = 8;   // how far a centre moves for m = 1 and all the time
  double spread = 2;  // the width in excess of the smallest for v = 0 and all the time
};

struct LogisticCells {
  Index n = 8;
  std::vector<CellAxis> axes = {};  // (d)
  double smallest = 0.05;
  bool falls = false;  // the last axis counts falls

  Index d() const { return static_cast<Index>(axes.size()); }
  const CellAxis& axis(Index j) const { return axes[static_cast<std::size_t>(j)]; }
  // The columns in use.
  Index outputs() const { return n * (1 + 2 * d()); }
  // The number of cells. In their order the bin of the last coordinate changes fastest.
  Index cells() const;
  // Whether a number is of a cell of falls; and the number that represents its cell.
  bool is_fall(Index cell) const;
  Index representative(Index cell) const;
};

template <class Real>
struct CellQueries {
  MatrixView<const Real> outputs;  // (Q, C >= head.outputs())
  MatrixView<const Real> at;       // (Q, d): in bins
  std::span<const Real> left;      // (Q): from 0 to 1
};

// M cells to compute probabilities of. Several may share a query.
struct CellTargets {
  std::span<const int> query;  // (M)
  std::span<const int> cell;   // (M): the number of the cell
};

// Scratch memory, of no meaning between calls.
template <class Real>
struct LogisticCellsScratch {
  Buffer<Real> components;   // (3 + 5 d, n rounded up)
  Buffer<Real> masses;       // (bins of all coordinates, a register)
  Buffer<Real> table;        // (bins of the first coordinate, cells of the others rounded up)
  Buffer<Real> sums;         // (cells of the others rounded up, a register)
  std::vector<Index> order;  // (Q) the queries, those of a table one after the other
};

// log_p (M): the log-probability of each target. It stays finite where p underflows; where p is
// nearly 1, rounding may leave it above 0 by a few units in the last place.
template <class Real>
void logistic_cells_log_p(std::span<Real> log_p, LogisticCellsScratch<Real>& scratch,
                          const CellQueries<Real>& queries, const CellTargets& targets,
                          const LogisticCells& head);

// Sets doutputs (Q, C) to the gradient of the loss -sum_m scale[m] log p[m], padding included.
// scale is (M). logistic_cells_log_p need not be called before.
template <class Real>
void logistic_cells_backward(MatrixView<Real> doutputs, LogisticCellsScratch<Real>& scratch,
                             const CellQueries<Real>& queries, const CellTargets& targets,
                             std::span<const Real> scale, const LogisticCells& head);

// expected (Q): sum_c p(c) w[c] over the whole grid, with finite w (cells); or, with `table` (Q),
// where w has several tables (W, cells), by that of each query.
template <class Real>
void logistic_cells_expectation(std::span<Real> expected, LogisticCellsScratch<Real>& scratch,
                                const CellQueries<Real>& queries, std::span<const Real> w,
                                const LogisticCells& head, std::span<const int> table = {});

}  // namespace vic
