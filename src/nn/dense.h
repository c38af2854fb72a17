// Dense layers: the plain one, and the hidden layer of the heads, which reads a query.
#pragma once

#include <functional>
#include <span>

#include "base/matrix.h"
#include "nn/gather.h"
#include "nn/product.h"

namespace vic {

// The outputs of a head are padded to this many columns: products of odd widths run slower.
inline constexpr Index output_step = 16;

// Read as DenseWeights<const Real>, a gradient as DenseWeights<Real>.
template <class Real>
struct DenseWeights {
  MatrixView<Real> W;  // (D, M)
  MatrixView<Real> b;  // (1, M)
};

// Called with rows that have just been computed and are still in the cache.
using RowsDone = std::function<void(RowRange rows)>;

// y (N, M) = x (N, D) W + b; D and M are multiples of width_step. Computed a few rows at a time, so
// that `done` can read wide outputs while they are in the cache.
template <class Real>
void dense_forward(MatrixView<Real> y, Panels<Real>& scratch, MatrixView<const Real> x,
                   const DenseWeights<const Real>& weights, const RowsDone& done = {});

// dx (N, D) = dy W^T; the gradient of the weights is added to dweights.
template <class Real>
void dense_backward(Buffer<Real>& dx, const DenseWeights<Real>& dweights, Panels<Real>& scratch,
                    MatrixView<const Real> dy, MatrixView<const Real> x,
                    const DenseWeights<const Real>& weights);

// The hidden layer's weights: a row's encoding enters by W, the rest of a query by `input`.
template <class Real>
struct HiddenWeights {
  MatrixView<Real> W;        // (H, M), multiples of width_step
  InputWeights<Real> input;  // width M
};

// The activations and scratch memory of the hidden layer.
template <class Real>
struct HiddenStates {
  Buffer<Real> y;         // (Q, M): the features of each query
  Buffer<Real> product;   // (N, M): h W, once per row
  Panels<Real> W;         // packed with the first row
  Buffer<Real> dproduct;  // scratch: (N, M)
  Buffer<Real> dsum;      // scratch: (Q, M)
  Panels<Real> panels;    // scratch: W^T, or the weights of plain numbers

  // Discards the product, for other rows or weights.
  void forget_rows() { product.reshape(0, product.cols()); }
};

// Computes the product of those rows of h (N, H) that states.product does not have yet. All queries
// about a row share its product.
template <class Real>
void hidden_product(HiddenStates<Real>& states, MatrixView<const Real> h,
                    const HiddenWeights<const Real>& weights);

// The features of Q queries about rows that have a product, y[q] = tanh(h[row[q]] W + inputs[q]).
// They are placed after the first `kept` features of states.y, which stay. row is (Q).
template <class Real>
void hidden_forward(HiddenStates<Real>& states, std::span<const int> row,
                    const Inputs<Real>& inputs, const HiddenWeights<const Real>& weights,
                    Index kept = 0);

// From dy (Q, M): sets dh (N, H) to the gradient of h; that of the weights is added to dweights.
template <class Real>
void hidden_backward(MatrixView<Real> dh, const HiddenWeights<Real>& dweights,
                     HiddenStates<Real>& states, MatrixView<const Real> dy,
                     MatrixView<const Real> h, std::span<const int> row, const Inputs<Real>& inputs,
                     const HiddenWeights<const Real>& weights);

}  // namespace vic
