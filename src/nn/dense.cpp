#include "nn/dense.h"

#include <algorithm>

#include "base/error.h"
#include "nn/lanes.h"

namespace vic {
namespace {

template <class Real>
void check_dense(Index D, const DenseWeights<const Real>& weights) {
  require(weights.W.rows == D && weights.b.rows == 1 && weights.b.cols == weights.W.cols,
          "{} inputs meet a layer of {} x {} weights and {} biases", D, weights.W.rows,
          weights.W.cols, weights.b.size());
}

}  // namespace

template <class Real>
void dense_forward(MatrixView<Real> y, Panels<Real>& scratch, MatrixView<const Real> x,
                   const DenseWeights<const Real>& weights, const RowsDone& done) {
  check_dense(x.cols, weights);
  require(y.rows == x.rows, "{} rows of outputs for {} of inputs", y.rows, x.rows);
  pack(scratch, weights.W);
  constexpr Index rows_at_once = 48;
  for (Index n = 0; n < x.rows; n += rows_at_once) {
    const Index end = std::min(n + rows_at_once, x.rows);
    multiply<Real>(y.slice(n, end), x.slice(n, end), scratch, weights.b);
    if (done) done({n, end});
  }
}

template <class Real>
void dense_backward(Buffer<Real>& dx, const DenseWeights<Real>& dweights, Panels<Real>& scratch,
                    MatrixView<const Real> dy, MatrixView<const Real> x,
                    const DenseWeights<const Real>& weights) {
  check_dense(x.cols, weights);
  const Index N = x.rows, M = weights.W.cols;
  require(dy.rows == N && dy.cols == M, "a dense layer's dy has the wrong shape");
  dx.reshape(N, x.cols);
  pack_transposed(scratch, weights.W);
  multiply<Real>(dx.view(), dy, scratch);
  add_transposed_product<Real>(dweights.W, x, dy);
  for (Index n = 0; n < N; ++n) {
    for (Index j = 0; j < M; ++j) dweights.b.data[j] += dy.row(n)[j];
  }
}

template <class Real>
void hidden_product(HiddenStates<Real>& states, MatrixView<const Real> h,
                    const HiddenWeights<const Real>& weights) {
  require(weights.W.rows == h.cols, "encodings of width {} meet a hidden layer of {} x {}", h.cols,
          weights.W.rows, weights.W.cols);
  const Index begin = states.product.rows();
  if (begin == h.rows) return;
  if (begin == 0) pack(states.W, weights.W);
  states.product.reshape(h.rows, weights.W.cols);
  multiply<Real>(states.product.view().slice(begin, h.rows), h.slice(begin, h.rows), states.W);
}

template <class Real>
void hidden_forward(HiddenStates<Real>& states, std::span<const int> row,
                    const Inputs<Real>& inputs, const HiddenWeights<const Real>& weights,
                    Index kept) {
  const Index Q = static_cast<Index>(row.size()), M = weights.W.cols, N = states.product.rows();
  check_inputs({0, Q}, inputs, weights.input);
  require(weights.input.bias.cols == M, "a hidden layer of width {} has a bias of {}", M,
          weights.input.bias.cols);
  states.y.reshape(kept + Q, M);
  for (Index q = 0; q < Q; ++q) {
    const int r = row[q];
    require(r >= 0 && r < N, "query {} is about row {} of {}", q, r, N);
    gather_row(states.y.row(kept + q), states.product.row(r), q, inputs, weights.input);
  }
  const MatrixView<Real> y = states.y.view().slice(kept, kept + Q);
  if (inputs.dense.cols > 0) pack(states.panels, weights.input.dense);
  add_numbers(y, {0, Q}, inputs, states.panels);
  for (Index i = 0; i < y.size(); i += lane_count<Real>) {
    store(y.data + i, lanes::tanh(load(y.data + i)));
  }
}

template <class Real>
void hidden_backward(MatrixView<Real> dh, const HiddenWeights<Real>& dweights,
                     HiddenStates<Real>& states, MatrixView<const Real> dy,
                     MatrixView<const Real> h, std::span<const int> row, const Inputs<Real>& inputs,
                     const HiddenWeights<const Real>& weights) {
  using V = Lanes<Real>;
  const Index Q = static_cast<Index>(row.size()), M = weights.W.cols;
  require(dy.rows == Q && dy.cols == M && dh.rows == h.rows && dh.cols == h.cols,
          "a hidden layer's dy or dh has the wrong shape");
  states.dproduct.reshape(h.rows, M);
  states.dproduct.view().set_zero();
  states.dsum.reshape(Q, M);
  // back through tanh; the queries of a row add up in its dproduct
  for (Index q = 0; q < Q; ++q) {
    Real* dsum = states.dsum.row(q);
    for (Index j = 0; j < M; j += lane_count<Real>) {
      const V y = load(states.y.row(q) + j);
      store<Real>(dsum + j, load(dy.row(q) + j) * (fill<V>(1) - y * y));
    }
    scatter_row(states.dproduct.row(row[q]), dweights.input, dsum, q, inputs);
  }
  scatter_numbers<Real>(dweights.input, states.dsum.view(), {0, Q}, inputs);
  const MatrixView<const Real> dproduct = states.dproduct.view();
  pack_transposed(states.panels, weights.W);
  multiply<Real>(dh, dproduct, states.panels);
  add_transposed_product<Real>(dweights.W, h, dproduct);
}

template decltype(dense_forward<float>) dense_forward<float>;
template decltype(dense_forward<double>) dense_forward<double>;
template decltype(dense_backward<float>) dense_backward<float>;
template decltype(dense_backward<double>) dense_backward<double>;
template decltype(hidden_product<float>) hidden_product<float>;
template decltype(hidden_product<double>) hidden_product<double>;
template decltype(hidden_forward<float>) hidden_forward<float>;
template decltype(hidden_forward<double>) hidden_forward<double>;
template decltype(hidden_backward<float>) hidden_backward<float>;
template decltype(hidden_backward<double>) hidden_backward<double>;

}  // namespace vic
