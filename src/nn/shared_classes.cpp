#include "nn/shared_classes.h"

#include <algorithm>

#include "base/error.h"

namespace vic {
namespace {

void check_shapes(Index Q, Index S, Index C, std::span<const int> at,
                  const SharedClasses& classes) {
  if (S < classes.S || C < classes.width || static_cast<Index>(at.size()) != Q) {
    throw Error(fmt::format("{} logits and {} outputs of {} queries for {} classes of {} outputs",
                            S, C, at.size(), classes.S, classes.width));
  }
}

// the offset of the k-th output that classes name
Index offset_of(const SharedClasses& classes, int at, Index k) {
  return classes.offset.empty() ? 0 : classes.offset[at * classes.K() + k];
}

// outputs that are shared are never logits
template <class Real>
void add_one(Real* __restrict logit, const Real* __restrict shared, const int* __restrict name,
             Index S) {
  for (Index s = 0; s < S; ++s) logit[s] += shared[name[s]];
}

template <class Real>
void add_two(Real* __restrict logit, const Real* __restrict x, const int* __restrict x_name,
             const Real* __restrict y, const int* __restrict y_name, Index S) {
  for (Index s = 0; s < S; ++s) logit[s] = (logit[s] + x[x_name[s]]) + y[y_name[s]];
}

}  // namespace

template <class Real>
void shared_logits(MatrixView<Real> logits, MatrixView<const Real> outputs, std::span<const int> at,
                   const SharedClasses& classes) {
  const Index S = classes.S, K = classes.K();
  check_shapes(logits.rows, logits.cols, outputs.cols, at, classes);
  for (Index q = 0; q < logits.rows; ++q) {
    Real* logit = logits.row(q);
    if (!classes.own) {
      std::fill_n(logit, S, Real{0});
    } else if (logit != outputs.row(q)) {
      std::copy_n(outputs.row(q), S, logit);
    }
    const auto shared = [&](Index k) { return outputs.row(q) + offset_of(classes, at[q], k); };
    const auto name = [&](Index k) { return &classes.name[k * S]; };
    // two at a time: most reads and writes are of the logits
    Index k = 0;
    for (; k + 2 <= K; k += 2) {
      add_two(logit, shared(k), name(k), shared(k + 1), name(k + 1), S);
    }
    for (; k < K; ++k) add_one(logit, shared(k), name(k), S);
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
