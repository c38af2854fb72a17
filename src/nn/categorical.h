// The categorical head: F independent choices among K classes each. F = 1 is the plain softmax.
#pragma once

#include <span>

#include "base/matrix.h"
#include "nn/gather.h"

namespace vic {

// A query's logits are F runs of K columns; columns beyond F K are padding and take no part.
struct Factors {
  Index F = 1;
  Index K = 0;

  // The columns in use.
  Index outputs() const { return F * K; }
};

// M choices that were made. Several may share a query.
struct Choices {
  std::span<const int> query;   // (M)
  std::span<const int> choice;  // (M, F): the class of each factor
};

template <class Real>
struct CategoricalStates {
  Buffer<Real> p;        // (Q, F K): the probabilities
  Buffer<Real> log_sum;  // (Q, F): log p = logit - log_sum
  Buffer<Real> total;    // scratch: (1, Q)
};

// The probabilities of every query, from its logits (Q, C >= F K).
template <class Real>
void categorical_forward(CategoricalStates<Real>& states, MatrixView<const Real> logits,
                         const Factors& factors);

// The same for some of the queries, once their logits are known.
template <class Real>
void categorical_forward_rows(CategoricalStates<Real>& states, MatrixView<const Real> logits,
                              const Factors& factors, RowRange rows);

// log_p (M): the log-probability of each choice, the sum over its factors. Throws an Error for a
// query or class that does not exist.
template <class Real>
void categorical_log_p(std::span<Real> log_p, const CategoricalStates<Real>& states,
                       MatrixView<const Real> logits, const Choices& choices,
                       const Factors& factors);

// Sets dlogits (Q, C) to the gradient of the loss -sum_m scale[m] log p[m], padding included: for a
// single choice, scale (p - onehot). scale is (M); the choices must be those of categorical_log_p,
// and dlogits may leave out queries behind the last one with a choice.
template <class Real>
void categorical_backward(MatrixView<Real> dlogits, CategoricalStates<Real>& states,
                          const Choices& choices, std::span<const Real> scale,
                          const Factors& factors);

}  // namespace vic
