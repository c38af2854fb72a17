#include "nn/squashed_gaussian.h"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "base/error.h"

namespace vic {
namespace {

// log s stays within this of 0, and a gradient remains beyond it
constexpr double most_log_width = 2;

double log_width(double v) {
  return most_log_width * std::tanh(v / most_log_width);
}

// log(1 - tanh(u)^2), where 1 - tanh(u)^2 underflows too
double log_slope(double u) {
  const double far = std::abs(u);
  return 2 * (std::numbers::ln2 - far - std::log1p(std::exp(-2 * far)));
}

template <class Real>
void check(MatrixView<const Real> outputs, const SquashedActions<Real>& actions, std::size_t M,
           const SquashedGaussian& head) {
  const bool fits = head.F > 0 && outputs.cols >= head.outputs() && actions.u.cols == head.F;
  if (!fits || actions.query.size() != M || actions.u.rows != static_cast<Index>(M)) {
    throw Error(fmt::format("{} queries and {} x {} numbers of {} actions, with {} outputs",
                            actions.query.size(), actions.u.rows, actions.u.cols, M, outputs.cols));
  }
  for (int q : actions.query) {
    if (q < 0 || q >= outputs.rows) {
      throw Error(fmt::format("an action under query {} of {}", q, outputs.rows));
    }
  }
}

}  // namespace

double squashed_width(double v) {
  return std::exp(log_width(v));
}

template <class Real>
void squashed_log_density(std::span<Real> log_p, MatrixView<const Real> outputs,
                          const SquashedActions<Real>& actions, const SquashedGaussian& head) {
  check(outputs, actions, log_p.size(), head);
  const double normal = 0.5 * std::log(2 * std::numbers::pi);
  for (std::size_t m = 0; m < log_p.size(); ++m) {
    const Real* out = outputs.row(actions.query[m]);
    double sum = 0;
    for (Index f = 0; f < head.F; ++f) {
      const double u = double(actions.u.row(static_cast<Index>(m))[f]);
      const double log_s = log_width(double(out[head.F + f]));
      const double z = (u - double(out[f])) * std::exp(-log_s);
      sum -= 0.5 * z * z + log_s + normal + log_slope(u);
    }
    log_p[m] = static_cast<Real>(sum);
  }
}

template <class Real>
void squashed_backward(MatrixView<Real> doutputs, MatrixView<const Real> outputs,
                       const SquashedActions<Real>& actions, std::span<const Real> scale,
                       const SquashedGaussian& head) {
  check(outputs, actions, scale.size(), head);
  doutputs.set_zero();
  for (std::size_t m = 0; m < scale.size(); ++m) {
    const int q = actions.query[m];
    const Real* out = outputs.row(q);
    for (Index f = 0; f < head.F; ++f) {
      const double v = double(out[head.F + f]), inverse = std::exp(-log_width(v));
      const double z = (double(actions.u.row(static_cast<Index>(m))[f]) - double(out[f])) * inverse;
      // d log s / dv
      const double bent = std::tanh(v / most_log_width), widens = 1 - bent * bent;
      doutputs.row(q)[f] -= static_cast<Real>(double(scale[m]) * z * inverse);
      doutputs.row(q)[head.F + f] -= static_cast<Real>(double(scale[m]) * (z * z - 1) * widens);
    }
  }
}

template decltype(squashed_log_density<float>) squashed_log_density<float>;
template decltype(squashed_log_density<double>) squashed_log_density<double>;
template decltype(squashed_backward<float>) squashed_backward<float>;
template decltype(squashed_backward<double>) squashed_backward<double>;

}  // namespace vic
