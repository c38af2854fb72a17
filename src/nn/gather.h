// The inputs of a layer: one-hot inputs as look-ups of rows, a few plain numbers, a bias, and the
// product of another row, gathered. The LSTM and the hidden layer of the heads are built on it:
//
//   y[n] = product[from[n]] + sum_k table[lookup[n][k]] + sum_j dense[n][j] weights.dense[j] + bias
//
// The product is taken once per distinct row and gathered afterwards; in the backward pass the
// gradients of all rows that gathered from one are added up first.
#pragma once

#include <span>

#include "base/matrix.h"
#include "nn/product.h"

namespace vic {

// The inputs of N rows.
template <class Real>
struct Inputs {
  Index K = 0;                        // look-ups per row
  std::span<const int> lookup = {};   // (N, K): rows of the table; below 0 adds nothing
  MatrixView<const Real> dense = {};  // (N, D), or empty
};

// The weights of inputs: read as InputWeights<const Real>, a gradient as InputWeights<Real>.
template <class Real>
struct InputWeights {
  MatrixView<Real> table = {};  // (X, M)
  MatrixView<Real> dense = {};  // (D, M)
  MatrixView<Real> bias = {};   // (1, M)
};

// A run of rows, [begin, end).
struct RowRange {
  Index begin = 0, end = 0;
};

// y[0..M) of row n, but for its plain numbers where they are many; `product` is the gathered row,
// or null for none. M is a multiple of width_step.
template <class Real>
void gather_row(Real* y, const Real* product, Index n, const Inputs<Real>& inputs,
                const InputWeights<const Real>& weights);

// Adds the plain numbers of rows, where they are many, to their y (rows, M) by a product: `weights`
// are packed.
template <class Real>
void add_numbers(MatrixView<Real> y, RowRange rows, const Inputs<Real>& inputs,
                 const Panels<Real>& weights);

// Adds row n's dy (M) to the gradient of the weights but for those of plain numbers, and to
// `dproduct` (M) unless that is null.
template <class Real>
void scatter_row(Real* dproduct, const InputWeights<Real>& dweights, const Real* dy, Index n,
                 const Inputs<Real>& inputs);

// Adds the dy (rows, M) of rows to the gradient of the plain numbers' weights.
template <class Real>
void scatter_numbers(const InputWeights<Real>& dweights, MatrixView<const Real> dy, RowRange rows,
                     const Inputs<Real>& inputs);

// Throws an Error unless the shapes fit, the inputs reach to rows.end, and every look-up of these
// rows is in the table. Called once for many rows, so that each row need not be checked.
template <class Real>
void check_inputs(RowRange rows, const Inputs<Real>& inputs,
                  const InputWeights<const Real>& weights);

}  // namespace vic
