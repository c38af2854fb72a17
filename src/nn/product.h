// Matrix products by one register-blocked kernel. General libraries pack both factors at every
// call, which does not pay for a level of a few histories; here the weights are packed once for
// all levels, and the other factor is read in place. Each number of a product is one sum in the
// order of its terms: its bits depend neither on the shapes nor on the machine.
#pragma once

#include "base/matrix.h"

namespace vic {

// A matrix w (K, M), M a multiple of 8, cut into panels of a few columns, which hold their rows.
template <class Real>
struct Panels {
  Index K = 0, M = 0;
  Buffer<Real> numbers;  // (1, K M)
};

template <class Real>
void pack(Panels<Real>& panels, MatrixView<const Real> w);

// The panels of w transposed.
template <class Real>
void pack_transposed(Panels<Real>& panels, MatrixView<const Real> w);

// out = a w, or out = a w + bias in every row. out is (N, M), a is (N, K), bias is (1, M).
template <class Real>
void multiply(MatrixView<Real> out, MatrixView<const Real> a, const Panels<Real>& w,
              MatrixView<const Real> bias = {});

// out += a w, term by term.
template <class Real>
void add_product(MatrixView<Real> out, MatrixView<const Real> a, const Panels<Real>& w);

// out += a^T b: the gradient of weights. out is (K, M), a is (N, K), b is (N, M).
template <class Real>
void add_transposed_product(MatrixView<Real> out, MatrixView<const Real> a,
                            MatrixView<const Real> b);

}  // namespace vic
