// The Gaussian mixture head of Algorithm 2: n components of one fixed width sigma in d dimensions.
//
//   f(x) = sum_k w_k N(x; mu_k, sigma^2 I),   w = softmax(logits)
//
// A query's outputs are its n logits, then the n means of d numbers each, then padding.
#pragma once

#include <span>

#include "base/matrix.h"
#include "nn/noise.h"

namespace vic {

struct Mixture {
  Index n = 10;
  Index d = 1;
  double sigma = 0.25;

  // The columns in use.
  Index outputs() const { return n * (1 + d); }
};

// M points at which densities are wanted. Several may share a query.
template <class Real>
struct StepTargets {
  std::span<const int> query;  // (M)
  MatrixView<const Real> x;    // (M, d)
};

// Scratch memory; its contents mean nothing between calls.
template <class Real>
struct MixtureScratch {
  Buffer<Real> numbers;  // (1, ...)
};

// log_f (M): log f at each target, from the outputs (Q, C >= mixture.outputs()).
template <class Real>
void mixture_log_density(std::span<Real> log_f, MixtureScratch<Real>& scratch,
                         MatrixView<const Real> outputs, const StepTargets<Real>& targets,
                         const Mixture& mixture);

// The smoothing of equation 21. Sets doutputs (Q, C) to the gradient of the loss
//
//   -sum_m scale[m] sum_s weight_s log f(x_m + sigma z_s),
//
// padding included. It takes no logarithm.
template <class Real>
void mixture_smooth(MatrixView<Real> doutputs, MixtureScratch<Real>& scratch,
                    MatrixView<const Real> outputs, const StepTargets<Real>& targets,
                    std::span<const Real> scale, const Noise<Real>& noise, const Mixture& mixture);

}  // namespace vic
