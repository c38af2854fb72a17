#include "nn/categorical.h"

#include <algorithm>

#include "base/error.h"
#include "nn/softmax.h"

namespace vic {
namespace {

void check_choices(Index Q, const Choices& choices, std::size_t M, const Factors& factors) {
  const auto F = static_cast<std::size_t>(factors.F);
  require(choices.query.size() == M && choices.choice.size() == M * F,
          "{} queries and {} choices for {} events of {} factors", choices.query.size(),
          choices.choice.size(), M, F);
  for (int q : choices.query) require(q >= 0 && q < Q, "a choice under query {} of {}", q, Q);
  for (int k : choices.choice) require(k >= 0 && k < factors.K, "class {} of {}", k, factors.K);
}

}  // namespace

template <class Real>
void categorical_forward(CategoricalStates<Real>& states, MatrixView<const Real> logits,
                         const Factors& factors) {
  categorical_forward_rows(states, logits, factors, {0, logits.rows});
}

template <class Real>
void categorical_forward_rows(CategoricalStates<Real>& states, MatrixView<const Real> logits,
                              const Factors& factors, RowRange rows) {
  const auto [F, K] = factors;
  require(F >= 1 && K >= 1 && logits.cols >= F * K, "{} logits for {} factors of {} classes",
          logits.cols, F, K);
  states.p.reshape(logits.rows, F * K);
  states.log_sum.reshape(logits.rows, F);
  for (Index q = rows.begin; q < rows.end; ++q) {
    for (Index f = 0; f < F; ++f) {
      states.log_sum.row(q)[f] = softmax(states.p.row(q) + f * K, logits.row(q) + f * K, K);
    }
  }
}

template <class Real>
void categorical_log_p(std::span<Real> log_p, const CategoricalStates<Real>& states,
                       MatrixView<const Real> logits, const Choices& choices,
                       const Factors& factors) {
  const auto [F, K] = factors;
  check_choices(logits.rows, choices, log_p.size(), factors);
  const int* choice = choices.choice.data();
  for (std::size_t m = 0; m < log_p.size(); ++m) {
    const Real* x = logits.row(choices.query[m]);
    const Real* log_sum = states.log_sum.row(choices.query[m]);
    log_p[m] = 0;
    for (Index f = 0; f < F; ++f) log_p[m] += x[f * K + *choice++] - log_sum[f];
  }
}

template <class Real>
void categorical_backward(MatrixView<Real> dlogits, CategoricalStates<Real>& states,
                          const Choices& choices, std::span<const Real> scale,
                          const Factors& factors) {
  const auto [F, K] = factors;
  const Index Q = dlogits.rows;
  require(states.p.rows() >= Q && dlogits.cols >= F * K, "dlogits of the wrong shape");
  check_choices(Q, choices, scale.size(), factors);

  // (sum of a query's scales) p: one pass however many choices were made under it
  states.total.reshape(1, Q);
  states.total.view().set_zero();
  Real* total = states.total.row(0);
  for (std::size_t m = 0; m < scale.size(); ++m) total[choices.query[m]] += scale[m];
  for (Index q = 0; q < Q; ++q) {
    Real* dx = dlogits.row(q);
    const Real* p = states.p.row(q);
    for (Index j = 0; j < F * K; ++j) dx[j] = total[q] * p[j];
    std::fill(dx + F * K, dx + dlogits.cols, Real{0});
  }

  // minus the scale of each choice at its classes
  const int* choice = choices.choice.data();
  for (std::size_t m = 0; m < scale.size(); ++m) {
    Real* dx = dlogits.row(choices.query[m]);
    for (Index f = 0; f < F; ++f) dx[f * K + *choice++] -= scale[m];
  }
}

template decltype(categorical_forward<float>) categorical_forward<float>;
template decltype(categorical_forward<double>) categorical_forward<double>;
template decltype(categorical_forward_rows<float>) categorical_forward_rows<float>;
template decltype(categorical_forward_rows<double>) categorical_forward_rows<double>;
template decltype(categorical_log_p<float>) categorical_log_p<float>;
template decltype(categorical_log_p<double>) categorical_log_p<double>;
template decltype(categorical_backward<float>) categorical_backward<float>;
template decltype(categorical_backward<double>) categorical_backward<double>;

}  // namespace vic
