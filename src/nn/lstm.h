// The LSTM over a prefix tree of histories: it runs once per distinct history, and its backward
// pass adds the gradients of all children into their parent.
//
//   (i, f, g, o) = h[parent] W_h + inputs     sigmoid, sigmoid, tanh, sigmoid
//   c = f c[parent] + i g,   h = o tanh(c)
#pragma once

#include <span>
#include <vector>

#include "base/matrix.h"
#include "nn/gather.h"
#include "nn/product.h"

namespace vic {

// The rows of a prefix tree, level by level. Level t is the rows [first[t], first[t + 1]).
struct Tree {
  std::span<const int> first;   // (T + 1), first[0] = 0
  std::span<const int> parent;  // (R): a row of the level before; below 0 in level 0

  int levels() const { return static_cast<int>(first.size()) - 1; }
  RowRange level(int t) const { return {first[t], first[t + 1]}; }
  Index rows() const { return first.back(); }
};

// Read as LstmWeights<const Real>, a gradient as LstmWeights<Real>. H is a multiple of width_step.
template <class Real>
struct LstmWeights {
  MatrixView<Real> W_h;      // (H, 4H): gates in the order i, f, g, o
  InputWeights<Real> input;  // width 4H
};

// The results of the forward pass, for the heads and for the backward pass.
template <class Real>
struct LstmStates {
  Buffer<Real> h;       // (R, H)
  Buffer<Real> c;       // (R, H)
  Buffer<Real> tanh_c;  // (R, H)
  Buffer<Real> gates;   // (R, 4H), after sigmoid and tanh

  // The rows that have children, in the order of their first child: products run over them alone.
  std::vector<int> inner;        // (P)
  std::vector<int> inner_first;  // (T): the first of level t
  std::vector<int> place;        // (R): index into `inner`; -1 without children
  Buffer<Real> h_inner;          // (P, H)

  Panels<Real> W_h, W_numbers;  // packed at level 0
  Buffer<Real> product;         // scratch: (parents of the level, 4H)
};

// The gradients of the states.
template <class Real>
struct LstmDeltas {
  Buffer<Real> dh;        // (R, H): on entry the part from the heads, on return the whole gradient
  Buffer<Real> dc;        // scratch: (P, H)
  Buffer<Real> dproduct;  // scratch: (P, 4H)
  Buffer<Real> dgates;    // scratch: (rows of a level, 4H)
  Buffer<Real> dh_inner;  // scratch: (parents of a level, H)
  Panels<Real> W_h;       // scratch: transposed
};

// Computes level t of the states from level t - 1. The inputs are numbered like the tree's rows.
// The weights must not change from level 0 on.
template <class Real>
void lstm_forward_level(LstmStates<Real>& states, const Tree& tree, int t,
                        const Inputs<Real>& inputs, const LstmWeights<const Real>& weights);

// Computes all levels.
template <class Real>
void lstm_forward(LstmStates<Real>& states, const Tree& tree, const Inputs<Real>& inputs,
                  const LstmWeights<const Real>& weights) {
  for (int t = 0; t < tree.levels(); ++t) lstm_forward_level(states, tree, t, inputs, weights);
}

// Adds the gradient of the weights to dweights. deltas.dh is (R, H) and set by the caller.
template <class Real>
void lstm_backward(LstmDeltas<Real>& deltas, const LstmWeights<Real>& dweights, const Tree& tree,
                   const LstmStates<Real>& states, const Inputs<Real>& inputs,
                   const LstmWeights<const Real>& weights);

}  // namespace vic
