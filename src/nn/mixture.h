// The Gaussian mixture head of Algorithm 2: n components of one fixed width sigma in d dimensions.
//
//   f(x) = sum_k w_k N(x; mu_k, sigma^2 I),   w = softmax(logits)
//
// A query's outputs are its n logits, then the n means of d numbers each, then padding.
#pragma once

#include <span>

#include "base/matrix.h"
#include "base/random.h"

namespace vic {

struct Mixture {
  Index n = 10;
  Index d = 1;
  double sigma = 0.25;

  // The columns in use.
  Index outputs() const { return n * (1 + d); }
};

// M points at which to compute densities. Several may share a query.
template <class Real>
struct StepTargets {
  std::span<const int> query;  // (M)
  MatrixView<const Real> x;    // (M, d)
};

// Scratch memory, of no meaning between calls.
template <class Real>
struct MixtureScratch {
  Buffer<Real> numbers;  // (1, ...)
};

// ---- the noise that smooths a transition, as weighted points: sampled, or nodes of a quadrature

// S points z in d dimensions, in units of sigma, shared by all targets of an update. The point
// index runs fastest, and S is a multiple of width_step: adjacent points fill a register.
template <class Real>
struct Noise {
  Buffer<Real> z;       // (d, S)
  Buffer<Real> weight;  // (1, S), sums to 1

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
// each coordinate, filled up with points of weight 0. Throws an Error for more than 4096.
template <class Real>
void gauss_hermite_noise(Noise<Real>& noise, Index nodes, Index d);

// ---- densities and their gradient

// log_f (M): log f at each target, from the outputs (Q, C >= mixture.outputs()).
template <class Real>
void mixture_log_density(std::span<Real> log_f, MixtureScratch<Real>& scratch,
                         MatrixView<const Real> outputs, const StepTargets<Real>& targets,
                         const Mixture& mixture);

// The smoothing of equation 21. Sets doutputs (Q, C) to the gradient of the loss
//
//   -sum_m scale[m] sum_s weight_s log f(x_m + sigma z_s),
//
// padding included. It computes no logarithm.
template <class Real>
void mixture_smooth(MatrixView<Real> doutputs, MixtureScratch<Real>& scratch,
                    MatrixView<const Real> outputs, const StepTargets<Real>& targets,
                    std::span<const Real> scale, const Noise<Real>& noise, const Mixture& mixture);

}  // namespace vic
