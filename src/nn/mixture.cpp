#include "nn/mixture.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "nn/softmax.h"

namespace vic {
namespace {

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

// the responsibilities at all points of one target, a register of points at a time. D is d where it
// is known to the compiler, else 0
template <class Real, Index D>
void weigh_points(const Parts<Real>& parts, const Real* z, const Real* weight, Index S,
                  const Mixture& mixture) {
  using V = Lanes<Real>;
  const Index n = mixture.n, d = D > 0 ? D : mixture.d;
  // powers of 2 are cheaper than powers of e
  const Real bits = static_cast<Real>(std::numbers::log2e);
  for (Index k = 0; k < n; ++k) parts.bits_offset[k] = parts.offset[k] * bits;
  for (Index i = 0; i < n * d; ++i) parts.bits_u[i] = parts.u[i] * bits;
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
    store<Real>(parts.per_sum + s, load(weight + s) / sum);
  }
}

// sums the responsibilities: the share of each component, and its shift. Up to two coordinates are
// summed side by side
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

template <class Real, Index D>
void smooth_target(const Parts<Real>& parts, const Noise<Real>& noise, const Mixture& mixture) {
  weigh_points<Real, D>(parts, noise.z.row(0), noise.weight.row(0), noise.points(), mixture);
  sum_points<Real, D>(parts, noise.z.row(0), noise.points(), mixture);
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
  const auto [n, d, sigma] = mixture;
  require(n >= 1 && d >= 1 && sigma > 0 && C >= mixture.outputs(),
          "{} outputs for {} components in {} dimensions, sigma {}", C, n, d, sigma);
  const MatrixView<const Real>& x = targets.x;
  require(targets.query.size() == M && x.rows == static_cast<Index>(M) && x.cols == d,
          "{} queries and {} x {} targets, not {} of {}", targets.query.size(), x.rows, x.cols, M,
          d);
  for (int q : targets.query) require(q >= 0 && q < Q, "a target under query {} of {}", q, Q);
}

}  // namespace

template <class Real>
void sample_noise(Noise<Real>& noise, const NoiseShape& shape, RandomAddress address) {
  const Index S = round_up(shape.points, width_step);
  noise.z.reshape(shape.d, S);
  noise.weight.reshape(1, S);
  std::fill_n(noise.weight.row(0), S, 1 / static_cast<Real>(S));
  Real* z = noise.z.row(0);
  for (Index i = 0; i < shape.d * S; ++i) {
    address.draw = static_cast<std::uint32_t>(i);
    z[i] = static_cast<Real>(normal(address));
  }
}

template <class Real>
void gauss_hermite_noise(Noise<Real>& noise, Index nodes, Index d) {
  Index count = 1;
  for (Index j = 0; j < d && count <= 4096; ++j) count *= nodes;
  require(nodes >= 1 && d >= 1 && count <= 4096, "a quadrature of {} nodes in {} dimensions", nodes,
          d);
  // nodes and weights are the eigenvalues and squared first components of the Jacobi matrix of the
  // Hermite polynomials, whose off-diagonal is sqrt(1), sqrt(2), ... (Golub and Welsch)
  const Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(nodes);
  const Eigen::VectorXd beside =
      Eigen::VectorXd::LinSpaced(nodes - 1, 1, static_cast<double>(nodes - 1)).cwiseSqrt();
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, beside);

  // the grid of all combinations, node of the first coordinate fastest
  const Index S = round_up(count, width_step);
  noise.z.reshape(d, S);
  noise.weight.reshape(1, S);
  noise.z.view().set_zero();
  noise.weight.view().set_zero();
  for (Index s = 0; s < count; ++s) {
    double weight = 1;
    for (Index j = 0, rest = s; j < d; ++j, rest /= nodes) {
      const Index i = rest % nodes;
      const double first = solver.eigenvectors()(0, i);
      noise.z.row(j)[s] = static_cast<Real>(solver.eigenvalues()(i));
      weight *= first * first;
    }
    noise.weight.row(0)[s] = static_cast<Real>(weight);
  }
}

template <class Real>
void mixture_log_density(std::span<Real> log_f, MixtureScratch<Real>& scratch,
                         MatrixView<const Real> outputs, const StepTargets<Real>& targets,
                         const Mixture& mixture) {
  check_targets(outputs.rows, outputs.cols, targets, log_f.size(), mixture);
  const Parts<Real> parts = cut(scratch, mixture, /*S=*/0);
  const auto norm = static_cast<Real>(log_norm(mixture));
  for (std::size_t m = 0; m < log_f.size(); ++m) {
    prepare(parts, outputs.row(targets.query[m]), targets.x.row(static_cast<Index>(m)), mixture);
    // at the point itself z is 0: only the offsets remain
    log_f[m] = norm + softmax(parts.share, parts.offset, mixture.n);
  }
}

template <class Real>
void mixture_smooth(MatrixView<Real> doutputs, MixtureScratch<Real>& scratch,
                    MatrixView<const Real> outputs, const StepTargets<Real>& targets,
                    std::span<const Real> scale, const Noise<Real>& noise, const Mixture& mixture) {
  check_targets(outputs.rows, outputs.cols, targets, scale.size(), mixture);
  const Index d = mixture.d;
  require(noise.d() == d && noise.points() % width_step == 0,
          "noise in {} dimensions for a mixture in {}", noise.d(), d);
  require(doutputs.rows == outputs.rows && doutputs.cols == outputs.cols,
          "the mixture's gradient has the wrong shape");
  doutputs.set_zero();
  const Parts<Real> parts = cut(scratch, mixture, noise.points());
  const auto smooth = d == 1   ? smooth_target<Real, 1>
                      : d == 2 ? smooth_target<Real, 2>
                               : smooth_target<Real, 0>;
  for (std::size_t m = 0; m < scale.size(); ++m) {
    const int q = targets.query[m];
    prepare(parts, outputs.row(q), targets.x.row(static_cast<Index>(m)), mixture);
    smooth(parts, noise, mixture);
    add_gradient(doutputs.row(q), parts, scale[m], mixture);
  }
}

template decltype(sample_noise<float>) sample_noise<float>;
template decltype(sample_noise<double>) sample_noise<double>;
template decltype(gauss_hermite_noise<float>) gauss_hermite_noise<float>;
template decltype(gauss_hermite_noise<double>) gauss_hermite_noise<double>;
template decltype(mixture_log_density<float>) mixture_log_density<float>;
template decltype(mixture_log_density<double>) mixture_log_density<double>;
template decltype(mixture_smooth<float>) mixture_smooth<float>;
template decltype(mixture_smooth<double>) mixture_smooth<double>;

}  // namespace vic
