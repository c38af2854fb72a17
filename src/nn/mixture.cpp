#include "nn/mixture.h"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "nn/softmax.h"

namespace vic {
namespace {

enum class Value { skip, want };

// the pieces of the scratch memory; S is the number of points
template <class Real>
struct Parts {
  Real* w;            // (n): the weights
  Real* offset;       // (n): log w_k - |u_k|^2 / 2
  Real* bits_offset;  // (n): the same as a logarithm to base 2
  Real* share;        // (n): sums of the responsibilities
  Real* u;            // (n, d): (x - mu_k) / sigma
  Real* bits_u;       // (n, d): the same to base 2
  Real* shift;        // (n, d): sums of responsibility times z
  Real* p;            // (n, S): the responsibilities, up to their sum
  Real* per_sum;      // (S): a point's weight by that sum
};

template <class Real>
Parts<Real> cut(MixtureScratch<Real>& scratch, const Mixture& mixture, Index S) {
  const Index n = round_up(mixture.n, width_step), nd = round_up(mixture.n * mixture.d, width_step);
  scratch.numbers.reshape(1, 4 * n + 3 * nd + (mixture.n + 1) * S);
  Real *a = scratch.numbers.row(0), *b = a + 4 * n, *p = b + 3 * nd;
  return {a, a + n, a + 2 * n, a + 3 * n, b, b + nd, b + 2 * nd, p, p + mixture.n * S};
}

// w, u and the offsets of one target: log w_k + log N(x + sigma z; mu_k) is then, up to a term that
// all components share, offset_k - u_k z
template <class Real>
void prepare(const Parts<Real>& parts, const Real* output, const Real* x, const Mixture& mixture) {
  const Index n = mixture.n, d = mixture.d;
  const Real log_sum = softmax(parts.w, output, n);
  const Real inverse_sigma = static_cast<Real>(1 / mixture.sigma);
  const Real* mean = output + n;
  Real* u = parts.u;
  for (Index k = 0; k < n; ++k) {
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

// the responsibilities at all points of one target, a register of points at a time; returns the sum
// of weight (log f - log_norm) if wanted. D is d where it is known to the compiler, else 0
template <class Real, Index D, Value value>
Real weigh_points(const Parts<Real>& parts, const Real* z, const Real* weight, Index S,
                  const Mixture& mixture) {
  using V = Lanes<Real>;
  const Index n = mixture.n, d = D > 0 ? D : mixture.d;
  // powers of 2 are cheaper than powers of e
  const Real bits = static_cast<Real>(std::numbers::log2e);
  for (Index k = 0; k < n; ++k) parts.bits_offset[k] = parts.offset[k] * bits;
  for (Index i = 0; i < n * d; ++i) parts.bits_u[i] = parts.u[i] * bits;
  V log_sum{};
  for (Index s = 0; s < S; s += lane_count<Real>) {
    // the exponents and their maximum
    V most = fill<V>(-std::numeric_limits<Real>::infinity());
    for (Index k = 0; k < n; ++k) {
      V e = fill<V>(parts.bits_offset[k]);
      for (Index j = 0; j < d; ++j) e -= parts.bits_u[k * d + j] * load(z + j * S + s);
      store(parts.p + k * S + s, e);
      most = lanes::max(most, e);
    }
    V sum{};
    for (Index k = 0; k < n; ++k) {
      Real* p = parts.p + k * S + s;
      const V e = lanes::decay_2<V>(load(p) - most);
      store(p, e);
      sum += e;
    }
    const V w = load(weight + s);
    store<Real>(parts.per_sum + s, w / sum);
    if constexpr (value == Value::want) {
      V square{};
      for (Index j = 0; j < d; ++j) square += load(z + j * S + s) * load(z + j * S + s);
      log_sum += w * (most * static_cast<Real>(std::numbers::ln2) + lanes::log(sum) - square / 2);
    }
  }
  return sum_lanes<Real>(log_sum);
}

// what the responsibilities add up to: the share of each component, and its shift. Up to two
// coordinates go side by side
template <class Real, Index D>
void sum_points(const Parts<Real>& parts, const Real* z, Index S, const Mixture& mixture) {
  using V = Lanes<Real>;
  const Index n = mixture.n, d = D > 0 ? D : mixture.d;
  constexpr Index together = D > 0 ? D : 1;
  for (Index k = 0; k < n; ++k) {
    for (Index first = 0; first < d; first += together) {
      V share{}, shift[together] = {};
      for (Index s = 0; s < S; s += lane_count<Real>) {
        const V p = load(parts.p + k * S + s) * load(parts.per_sum + s);
        share += p;
        for (Index j = 0; j < together; ++j) shift[j] += p * load(z + (first + j) * S + s);
      }
      parts.share[k] = sum_lanes<Real>(share);
      for (Index j = 0; j < together; ++j) {
        parts.shift[k * d + first + j] = sum_lanes<Real>(shift[j]);
      }
    }
  }
}

template <class Real, Index D, Value value>
Real smooth_target(const Parts<Real>& parts, const Real* z, const Real* weight, Index S,
                   const Mixture& mixture) {
  const Real log_f = weigh_points<Real, D, value>(parts, z, weight, S, mixture);
  sum_points<Real, D>(parts, z, S, mixture);
  return log_f;
}

template <class Real, Value value>
Real smooth_target(const Parts<Real>& parts, const Real* z, const Real* weight, Index S,
                   const Mixture& mixture) {
  if (mixture.d == 1) return smooth_target<Real, 1, value>(parts, z, weight, S, mixture);
  if (mixture.d == 2) return smooth_target<Real, 2, value>(parts, z, weight, S, mixture);
  return smooth_target<Real, 0, value>(parts, z, weight, S, mixture);
}

// adds -scale times the gradient of one target to its query's outputs
template <class Real>
void add_gradient(Real* doutput, const Parts<Real>& parts, Real scale, const Mixture& mixture) {
  const Index n = mixture.n, d = mixture.d;
  const Real per_sigma = scale * static_cast<Real>(1 / mixture.sigma);
  for (Index k = 0; k < n; ++k) {
    doutput[k] -= scale * (parts.share[k] - parts.w[k]);
    for (Index i = k * d; i < (k + 1) * d; ++i) {
      doutput[n + i] -= per_sigma * (parts.u[i] * parts.share[k] + parts.shift[i]);
    }
  }
}

template <class Real>
void check_targets(Index Q, Index C, const StepTargets<Real>& targets, std::size_t M,
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
                         MatrixView<const Real> outputs, const StepTargets<Real>& targets,
                         const Mixture& mixture) {
  check_targets(outputs.rows, outputs.cols, targets, log_f.size(), mixture);
  const Parts<Real> parts = cut(scratch, mixture, /*S=*/0);
  const auto norm = static_cast<Real>(log_norm(mixture));
  for (std::size_t m = 0; m < log_f.size(); ++m) {
    prepare(parts, outputs.row(targets.query[m]), targets.x.row(static_cast<Index>(m)), mixture);
    // at the point itself z is 0: the offsets are all
    log_f[m] = norm + softmax(parts.share, parts.offset, mixture.n);
  }
}

template <class Real>
void mixture_smooth(MatrixView<Real> doutputs, std::span<Real> log_f, MixtureScratch<Real>& scratch,
                    MatrixView<const Real> outputs, const StepTargets<Real>& targets,
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
  const Parts<Real> parts = cut(scratch, mixture, S);
  const auto norm = static_cast<Real>(log_norm(mixture));
  const Real* weight = noise.weight.row(0);
  for (std::size_t m = 0; m < scale.size(); ++m) {
    const int q = targets.query[m];
    const Index i = static_cast<Index>(m);
    const Real* z = noise.z.row(i % noise.blocks() * d);
    prepare(parts, outputs.row(q), targets.x.row(i), mixture);
    if (log_f.empty()) {
      smooth_target<Real, Value::skip>(parts, z, weight, S, mixture);
    } else {
      log_f[m] = norm + smooth_target<Real, Value::want>(parts, z, weight, S, mixture);
    }
    add_gradient(doutputs.row(q), parts, scale[m], mixture);
  }
}

template void mixture_log_density(std::span<float>, MixtureScratch<float>&, MatrixView<const float>,
                                  const StepTargets<float>&, const Mixture&);
template void mixture_log_density(std::span<double>, MixtureScratch<double>&,
                                  MatrixView<const double>, const StepTargets<double>&,
                                  const Mixture&);
template void mixture_smooth(MatrixView<float>, std::span<float>, MixtureScratch<float>&,
                             MatrixView<const float>, const StepTargets<float>&,
                             std::span<const float>, const Noise<float>&, const Mixture&);
template void mixture_smooth(MatrixView<double>, std::span<double>, MixtureScratch<double>&,
                             MatrixView<const double>, const StepTargets<double>&,
                             std::span<const double>, const Noise<double>&, const Mixture&);

}  // namespace vic
