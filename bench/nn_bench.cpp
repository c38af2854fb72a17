// The speed of the nets as ratios: the LSTM without shared prefixes against the bare products it
// contains, and the fused smoothing against the same formula as plain Eigen expressions.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "bench/eigen.h"
#include "nn/lstm.h"
#include "nn/mixture.h"
#include "nn/parameters.h"

namespace vic {
namespace {

void fill_normal(MatrixView<float> view, std::uint32_t row, double deviation) {
  for (Index i = 0; i < view.size(); ++i) {
    view.data[i] = static_cast<float>(
        deviation * normal({.seed = 1, .row = row, .draw = static_cast<std::uint32_t>(i)}));
  }
}

// ---- the LSTM, B histories that share nothing over T levels ----

constexpr Index B = 128, H = 64, T = 25, X = 64;

// multiplications and additions of the recurrent products: h W_h, dh and dW_h at T - 1 levels
constexpr double lstm_flops = 3.0 * 2 * B * H * 4 * H * (T - 1);

struct LstmCase {
  std::vector<int> first, parent, lookup;
  Buffer<float> weights, gradients, head;
  LstmStates<float> states;
  LstmDeltas<float> deltas;

  LstmCase() {
    for (Index t = 0; t <= T; ++t) first.push_back(static_cast<int>(t * B));
    for (Index r = 0; r < T * B; ++r) {
      parent.push_back(static_cast<int>(r < B ? -1 : r - B));
      lookup.push_back(static_cast<int>(r % 5));
      lookup.push_back(static_cast<int>(5 + r * 7 % (X - 5)));
    }
    weights.reshape(H + X + 1, 4 * H);
    gradients.reshape(H + X + 1, 4 * H);
    head.reshape(T * B, H);
    fill_normal(weights.view(), 1, 0.1);
    fill_normal(head.view(), 2, 0.1);
    gradients.view().set_zero();
  }

  template <class Real>
  static LstmWeights<Real> cut(MatrixView<Real> all) {
    return {
        .W_h = all.slice(0, H),
        .input = {.table = all.slice(H, H + X), .dense = {}, .bias = all.slice(H + X, H + X + 1)}};
  }
  Tree tree() const { return {first, parent}; }
  Inputs<float> inputs() const { return {.K = 2, .lookup = lookup, .dense = {}}; }

  void forward() { lstm_forward(states, tree(), inputs(), cut<const float>(weights.view())); }
  void backward() {
    deltas.dh.reshape(T * B, H);
    std::copy_n(head.row(0), T * B * H, deltas.dh.row(0));
    lstm_backward(deltas, cut<float>(gradients.view()), tree(), states, inputs(),
                  cut<const float>(weights.view()));
  }
};

void report_flops(benchmark::State& state, double flops) {
  state.counters["FLOP/s"] =
      benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
}

void LstmForwardBackward(benchmark::State& state) {
  LstmCase lstm;
  for (auto _ : state) {
    lstm.forward();
    lstm.backward();
    benchmark::ClobberMemory();
  }
  report_flops(state, lstm_flops);
}
BENCHMARK(LstmForwardBackward);

void LstmForward(benchmark::State& state) {
  LstmCase lstm;
  for (auto _ : state) {
    lstm.forward();
    benchmark::ClobberMemory();
  }
  report_flops(state, lstm_flops / 3);
}
BENCHMARK(LstmForward);

// only the products of the above
void LstmProductsOnly(benchmark::State& state) {
  EigenMatrix<float> h = EigenMatrix<float>::Random(B, H), W = EigenMatrix<float>::Random(H, 4 * H);
  EigenMatrix<float> product(B, 4 * H), dh(B, H), dW = EigenMatrix<float>::Zero(H, 4 * H);
  for (auto _ : state) {
    for (Index t = 1; t < T; ++t) {
      product.noalias() = h * W;
      dh.noalias() = product * W.transpose();
      dW.noalias() += h.transpose() * product;
      benchmark::ClobberMemory();
    }
  }
  report_flops(state, lstm_flops);
}
BENCHMARK(LstmProductsOnly);

// ---- the smoothing loss of Algorithm 2, 128 samples and 10 components per target ----

constexpr Index targets_at_once = 256;

struct SmoothCase {
  Mixture mixture;
  Buffer<float> outputs, doutputs, x;
  Noise<float> noise;
  std::vector<int> query;
  std::vector<float> scale;

  explicit SmoothCase(Index d) : mixture{.n = 10, .d = d, .sigma = 0.25} {
    outputs.reshape(targets_at_once, round_up(mixture.outputs(), 16));
    doutputs.reshape(outputs.rows(), outputs.cols());
    x.reshape(targets_at_once, d);
    fill_normal(outputs.view(), 3, 0.7);
    fill_normal(x.view(), 4, 0.7);
    sample_noise(noise, {.points = 128, .d = d}, {.seed = 2});
    for (int q = 0; q < targets_at_once; ++q) query.push_back(q);
    scale.assign(targets_at_once, 1);
  }
};

void SmoothFused(benchmark::State& state) {
  SmoothCase c(state.range(0));
  MixtureScratch<float> scratch;
  for (auto _ : state) {
    mixture_smooth<float>(c.doutputs.view(), scratch, c.outputs.view(), {c.query, c.x.view()},
                          c.scale, c.noise, c.mixture);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * targets_at_once);
}
BENCHMARK(SmoothFused)->Arg(1)->Arg(2)->Arg(18);

// the formula written directly, with points and components in a matrix per target
void SmoothPlainEigen(benchmark::State& state) {
  using Array = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic>;
  SmoothCase c(state.range(0));
  const Index n = c.mixture.n, d = c.mixture.d, S = c.noise.points();
  const auto sigma = static_cast<float>(c.mixture.sigma);
  const float per_variance = 1 / (sigma * sigma);
  const Array z = as_eigen(c.noise.z.view()).transpose().array();
  for (auto _ : state) {
    for (Index m = 0; m < targets_at_once; ++m) {
      const float* out = c.outputs.row(m);
      const Eigen::Map<const Eigen::ArrayXf> logits(out, n);
      const Eigen::Map<const EigenMatrix<float>> means(out + n, n, d);
      const Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>> x(c.x.row(m), d);
      const Eigen::ArrayXf log_w =
          logits - std::log((logits - logits.maxCoeff()).exp().sum()) - logits.maxCoeff();
      const Array points = (z * sigma).rowwise() + x;
      Array p(S, n);
      for (Index k = 0; k < n; ++k) {
        p.col(k) = log_w(k) - (points.rowwise() - means.row(k).array()).square().rowwise().sum() *
                                  (per_variance / 2);
      }
      p = (p.colwise() - p.rowwise().maxCoeff().eval()).exp().eval();
      p.colwise() /= p.rowwise().sum().eval();
      Eigen::Map<Eigen::ArrayXf> dlogits(c.doutputs.row(m), n);
      dlogits = log_w.exp() - p.colwise().mean().transpose();
      Eigen::Map<EigenMatrix<float>> dmeans(c.doutputs.row(m) + n, n, d);
      for (Index k = 0; k < n; ++k) {
        dmeans.row(k) = ((points.rowwise() - means.row(k).array()).colwise() * p.col(k))
                            .colwise()
                            .mean()
                            .matrix() *
                        -per_variance;
      }
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * targets_at_once);
}
BENCHMARK(SmoothPlainEigen)->Arg(1)->Arg(2)->Arg(18);

void AdamStep(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  Block<float> values(size, 0.1F), gradients(size, 0.01F);
  AdamState<float> adam(state.range(0));
  for (auto _ : state) {
    adam_step(values, adam, gradients, {});
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(AdamStep)->Arg(1 << 16);

}  // namespace
}  // namespace vic

BENCHMARK_MAIN();
