#include "nn/shared_classes.h"

#include <algorithm>

#include "base/error.h"

namespace vic {
namespace {

void check_shapes(Index Q, Index S, Index C, std::span<const int> at,
                  const SharedClasses& classes) {
  if (S != classes.S || C < classes.width || static_cast<Index>(at.size()) != Q) {
    throw Error(fmt::format("{} logits and {} outputs of {} queries for {} classes of {} outputs",
                            S, C, at.size(), classes.S, classes.width));
  }
}

// what is added to the k-th output that classes name
Index offset_of(const SharedClasses& classes, int at, Index k) {
  return classes.offset.empty() ? 0 : classes.offset[at * classes.K() + k];
}

}  // namespace

template <class Real>
void shared_logits(MatrixView<Real> logits, MatrixView<const Real> outputs, std::span<const int> at,
                   const SharedClasses& classes) {
  const Index S = classes.S, K = classes.K();
  check_shapes(logits.rows, logits.cols, outputs.cols, at, classes);
  for (Index q = 0; q < logits.rows; ++q) {
    Real* logit = logits.row(q);
    if (classes.own) {
      std::copy_n(outputs.row(q), S, logit);
    } else {
      std::fill_n(logit, S, Real{0});
    }
    for (Index k = 0; k < K; ++k) {
      const Real* shared = outputs.row(q) + offset_of(classes, at[q], k);
      const int* name = &classes.name[k * S];
      for (Index s = 0; s < S; ++s) logit[s] += shared[name[s]];
    }
  }
}

template <class Real>
void shared_logits_backward(MatrixView<Real> doutputs, MatrixView<const Real> dlogits,
                            std::span<const int> at, const SharedClasses& classes) {
  const Index S = classes.S, K = classes.K();
  check_shapes(dlogits.rows, dlogits.cols, doutputs.cols, at, classes);
  doutputs.set_zero();
  for (Index q = 0; q < dlogits.rows; ++q) {
    const Real* dlogit = dlogits.row(q);
    if (classes.own) std::copy_n(dlogit, S, doutputs.row(q));
    for (Index k = 0; k < K; ++k) {
      Real* shared = doutputs.row(q) + offset_of(classes, at[q], k);
      const int* name = &classes.name[k * S];
      for (Index s = 0; s < S; ++s) shared[name[s]] += dlogit[s];
    }
  }
}

template decltype(shared_logits<float>) shared_logits<float>;
template decltype(shared_logits<double>) shared_logits<double>;
template decltype(shared_logits_backward<float>) shared_logits_backward<float>;
template decltype(shared_logits_backward<double>) shared_logits_backward<double>;

}  // namespace vic
