// The noise that smooths a transition, as weighted points: sampled, or the nodes of a quadrature.
#pragma once

#include "base/matrix.h"
#include "base/random.h"

namespace vic {

// S points z in d dimensions, in units of sigma, with weights that sum to 1. The point index runs
// fastest, and S is a multiple of width_step: points beside each other fill a register. All targets
// of an update share them.
template <class Real>
struct Noise {
  Buffer<Real> z;       // (d, S)
  Buffer<Real> weight;  // (1, S)

  Index d() const { return z.rows(); }
  Index points() const { return z.cols(); }
};

struct NoiseShape {
  Index points = 128;  // rounded up to a multiple of width_step
  Index d = 1;
};

// Standard normal points of equal weight: T_smooth samples of z / sigma. Number i is drawn at
// `address` with draw = i.
template <class Real>
void sample_noise(Noise<Real>& noise, const NoiseShape& shape, RandomAddress address);

// The `nodes`^d nodes of the Gauss-Hermite rule, exact for polynomials of degree 2 nodes - 1 in
// each coordinate, filled up with points of weight 0. Throws an Error for more than
// 4096.
template <class Real>
void gauss_hermite_noise(Noise<Real>& noise, Index nodes, Index d);

}  // namespace vic
