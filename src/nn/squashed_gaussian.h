// The head for continuous actions: F numbers between -1 and 1, each the tanh of a normal number.
//
//   a_f = tanh(u_f),   u_f ~ N(m_f, s_f^2),   s_f = e^g(v_f),   g(v) = 2 tanh(v / 2)
//   log p(a) = sum_f [-(u_f - m_f)^2 / (2 s_f^2) - log s_f - log(2 pi) / 2 - log(1 - a_f^2)]
//
// It is a density, and may exceed 1. Actions are given by their u, where nothing saturates. At
// outputs of 0 s is 1, and a spreads over its whole range; s stays between 0.14 and 7.4.
//
// A query's outputs are m (F), then v (F), then padding.
#pragma once

#include <span>

#include "base/matrix.h"

namespace vic {

struct SquashedGaussian {
  Index F = 1;

  // The columns in use.
  Index outputs() const { return 2 * F; }
};

// s of an output v.
double squashed_width(double v);

// M actions that were taken. Several may share a query.
template <class Real>
struct SquashedActions {
  std::span<const int> query;  // (M)
  MatrixView<const Real> u;    // (M, F)
};

// log_p (M): the log-density of each action, from the queries' outputs (Q, C >= 2 F).
template <class Real>
void squashed_log_density(std::span<Real> log_p, MatrixView<const Real> outputs,
                          const SquashedActions<Real>& actions, const SquashedGaussian& head);

// Sets doutputs (Q, C) to the gradient of the loss -sum_m scale[m] log p[m], padding included.
// scale is (M).
template <class Real>
void squashed_backward(MatrixView<Real> doutputs, MatrixView<const Real> outputs,
                       const SquashedActions<Real>& actions, std::span<const Real> scale,
                       const SquashedGaussian& head);

}  // namespace vic
