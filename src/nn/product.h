// Matrix products of few rows. Eigen packs both factors before it multiplies, which a level of a
// few histories does not pay for; this kernel reads them where they are.
#pragma once

#include "base/matrix.h"

namespace vic {

// out = a w, or out += a w. out is (N, M), a is (N, K), w is (K, M); M is a multiple of 8.
template <class Real>
void multiply(MatrixView<Real> out, MatrixView<const Real> a, MatrixView<const Real> w);
template <class Real>
void multiply_add(MatrixView<Real> out, MatrixView<const Real> a, MatrixView<const Real> w);

}  // namespace vic
