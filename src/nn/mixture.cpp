#include "nn/mixture.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "nn/lanes.h"

namespace vic {
namespace {

enum class Value { skip, want };

// the pieces of the scratch memory, L the numbers in a register
template <class Real>
struct Parts {
  Real* w;         // (n): the weights
  Real* offset;    // (n): log w_k - |u_k|^2 / 2
  Real* u;         // (n, d): (x - mu_k) / sigma
  Real* exponent;  // (n, L)
  Real* share;     // (n, L): sums of the responsibilities
  Real* shift;     // (n, d, L): sums of responsibility times z
};

template <class Real>
Parts<Real> cut(MixtureScratch<Real>& scratch, const Mixture& mixture) {
  constexpr Index L = lane_count<Real>;
  const Index n = mixture.n, d = mixture.d;
  const Index n_up = round_up(n, width_step), nd_up = round_up(n * d, width_step);
  scratch.numbers.reshape(1, 2 * n_up + nd_up + (2 * n + n * d) * L);
  Real* p = scratch.numbers.row(0);
  Real* lane = p + 2 * n_up + nd_up;
  return {p, p + n_up, p + 2 * n_up, lane, lane + n * L, lane + 2 * n * L};
}

// w, u and the offsets of one target: log w_k + log N(x + sigma z; mu_k) is then, up to a term that
// all components share, offset_k - u_k z
template <class Real>
void prepare(const Parts<Real>& parts, const Real* output, const Real* x, const Mixture& mixture) {
  const Index n = mixture.n, d = mixture.d;
  const Real most = *std::max_element(output, output + n);
  Real sum = 0;
  for (Index k = 0; k < n; ++k) sum += parts.w[k] = lanes::exp(output[k] - most);
  const Real inverse = 1 / sum, log_sum = most + lanes::log(sum);
  const Real inverse_sigma = static_cast<Real>(1 / mixture.sigma);
  const Real* mean = output + n;
  Real* u = parts.u;
  for (Index k = 0; k < n; ++k) {
    parts.w[k] *= inverse;
    Real square = 0;
    for (Index j = 0; j < d; ++j, ++u) {
      *u = (x[j] - *mean++) * inverse_sigma;
      square += *u * *u;
    }
    parts.offset[k] = output[k] - log_sum - square / 2;
  }
}

// log of the normalisation of N(0, sigma^2 I)
double log_norm(const Mixture& mixture) {
  return -static_cast<double>(mixture.d) *
         (std::log(mixture.sigma) + std::log(2 * std::numbers::pi) / 2);
}

// the sums over all points of one target, a register of points at a time; returns the sum of
// weight (log f - log_norm) if wanted. D is d where it is known to the compiler, else 0
template <class Real, Index D, Value value>
Real sum_points(const Parts<Real>& parts, const Real* z, const Real* weight, Index S,
                const Mixture& mixture) {
  using V = Lanes<Real>;
  constexpr Index L = lane_count<Real>;
  const Index n = mixture.n, d = D > 0 ? D : mixture.d;
  std::fill_n(parts.share, (n + n * d) * L, Real{0});
  V log_sum{};
  for (Index s = 0; s < S; s += L) {
    // the exponents and their maximum
    V most = fill<V>(-std::numeric_limits<Real>::infinity());
    for (Index k = 0; k < n; ++k) {
      V e = fill<V>(parts.offset[k]);
      for (Index j = 0; j < d; ++j) e -= parts.u[k * d + j] * load(z + j * S + s);
      store(parts.exponent + k * L, e);
      most = lanes::max(most, e);
    }
    // the responsibilities, up to their sum
    V sum{};
    for (Index k = 0; k < n; ++k) {
      const V p = lanes::decay<V>(load(parts.exponent + k * L) - most);
      store(parts.exponent + k * L, p);
      sum += p;
    }
    // what they add to the gradient
    const V w = load(weight + s), each = w / sum;
    for (Index k = 0; k < n; ++k) {
      const V p = load(parts.exponent + k * L) * each;
      store<Real>(parts.share + k * L, load(parts.share + k * L) + p);
      for (Index j = 0; j < d; ++j) {
        Real* shift = parts.shift + (k * d + j) * L;
        store<Real>(shift, load(shift) + p * load(z + j * S + s));
      }
    }
    if constexpr (value == Value::want) {
      V square{};
      for (Index j = 0; j < d; ++j) square += load(z + j * S + s) * load(z + j * S + s);
      log_sum += w * (most + lanes::log(sum) - square / 2);
    }
  }
  return sum_lanes<Real>(log_sum);
}

template <class Real, Value value>
Real sum_points(const Parts<Real>& parts, const Real* z, const Real* weight, Index S,
                const Mixture& mixture) {
  if (mixture.d == 1) return sum_points<Real, 1, value>(parts, z, weight, S, mixture);
  if (mixture.d == 2) return sum_points<Real, 2, value>(parts, z, weight, S, mixture);
  return sum_points<Real, 0, value>(parts, z, weight, S, mixture);
}

// adds -scale times the gradient of one target to its query's outputs
template <class Real>
void add_gradient(Real* doutput, const Parts<Real>& parts, Real scale, const Mixture& mixture) {
  constexpr Index L = lane_count<Real>;
  const Index n = mixture.n, d = mixture.d;
  const Real per_sigma = scale * static_cast<Real>(1 / mixture.sigma);
  for (Index k = 0; k < n; ++k) {
    const Real share = sum_lanes<Real>(load(parts.share + k * L));
    doutput[k] -= scale * (share - parts.w[k]);
    for (Index i = k * d; i < (k + 1) * d; ++i) {
      const Real shift = sum_lanes<Real>(load(parts.shift + i * L));
      doutput[n + i] -= per_sigma * (parts.u[i] * share + shift);
    }
  }
}

template <class Real>
void check_targets(Index Q, Index C, const Targets<Real>& targets, std::size_t M,
                   const Mixture& mixture) {
  if (mixture.n < 1 || mixture.d < 1 || !(mixture.sigma > 0) || C < mixture.outputs()) {
    throw Error(fmt::format("{} outputs for {} components in {} dimensions, sigma {}", C, mixture.n,
                            mixture.d, mixture.sigma));
  }
  if (targets.query.size() != M || targets.x.rows != static_cast<Index>(M) ||
      targets.x.cols != mixture.d) {
    throw Error(fmt::format("{} queries and {} x {} targets, not {} of {}", targets.query.size(),
                            targets.x.rows, targets.x.cols, M, mixture.d));
  }
  for (int q : targets.query) {
    if (q < 0 || q >= Q) throw Error(fmt::format("a target under query {} of {}", q, Q));
  }
}

}  // namespace

template <class Real>
void mixture_log_density(std::span<Real> log_f, MixtureScratch<Real>& scratch,
                         MatrixView<const Real> outputs, const Targets<Real>& targets,
                         const Mixture& mixture) {
  check_targets(outputs.rows, outputs.cols, targets, log_f.size(), mixture);
  const Parts<Real> parts = cut(scratch, mixture);
  const auto norm = static_cast<Real>(log_norm(mixture));
  for (std::size_t m = 0; m < log_f.size(); ++m) {
    prepare(parts, outputs.row(targets.query[m]), targets.x.row(static_cast<Index>(m)), mixture);
    // at the point itself z is 0: the offsets are all
    const Real most = *std::max_element(parts.offset, parts.offset + mixture.n);
    Real sum = 0;
    for (Index k = 0; k < mixture.n; ++k) sum += lanes::exp(parts.offset[k] - most);
    log_f[m] = norm + most + lanes::log(sum);
  }
}

template <class Real>
void mixture_smooth(MatrixView<Real> doutputs, std::span<Real> log_f, MixtureScratch<Real>& scratch,
                    MatrixView<const Real> outputs, const Targets<Real>& targets,
                    std::span<const Real> scale, const Noise<Real>& noise, const Mixture& mixture) {
  check_targets(outputs.rows, outputs.cols, targets, scale.size(), mixture);
  const Index d = mixture.d, S = noise.points();
  if (noise.d != d || noise.blocks() < 1 || S % width_step != 0) {
    throw Error(fmt::format("noise in {} dimensions for a mixture in {}", noise.d, d));
  }
  if (doutputs.rows != outputs.rows || doutputs.cols != outputs.cols ||
      (!log_f.empty() && log_f.size() != scale.size())) {
    throw Error("the mixture's gradient or values have the wrong shape");
  }
  doutputs.set_zero();
  const Parts<Real> parts = cut(scratch, mixture);
  const auto norm = static_cast<Real>(log_norm(mixture));
  const Real* weight = noise.weight.row(0);
  for (std::size_t m = 0; m < scale.size(); ++m) {
    const int q = targets.query[m];
    const Index i = static_cast<Index>(m);
    const Real* z = noise.z.row(i % noise.blocks() * d);
    prepare(parts, outputs.row(q), targets.x.row(i), mixture);
    if (log_f.empty()) {
      sum_points<Real, Value::skip>(parts, z, weight, S, mixture);
    } else {
      log_f[m] = norm + sum_points<Real, Value::want>(parts, z, weight, S, mixture);
    }
    add_gradient(doutputs.row(q), parts, scale[m], mixture);
  }
}

template void mixture_log_density(std::span<float>, MixtureScratch<float>&, MatrixView<const float>,
                                  const Targets<float>&, const Mixture&);
template void mixture_log_density(std::span<double>, MixtureScratch<double>&,
                                  MatrixView<const double>, const Targets<double>&, const Mixture&);
template void mixture_smooth(MatrixView<float>, std::span<float>, MixtureScratch<float>&,
                             MatrixView<const float>, const Targets<float>&, std::span<const float>,
                             const Noise<float>&, const Mixture&);
template void mixture_smooth(MatrixView<double>, std::span<double>, MixtureScratch<double>&,
                             MatrixView<const double>, const Targets<double>&,
                             std::span<const double>, const Noise<double>&, const Mixture&);

}  // namespace vic
