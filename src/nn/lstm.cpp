#include "nn/lstm.h"

#include <fmt/format.h>

#include "base/error.h"
#include "nn/eigen.h"
#include "nn/lanes.h"
#include "nn/product.h"

namespace vic {
namespace {

// pointers to what belongs to one row
template <class Real>
struct Row {
  Real *gates, *c, *tanh_c, *h;
};

template <class Real>
void check_level(const Tree& tree, int t, const Inputs<Real>& inputs,
                 const LstmWeights<const Real>& weights) {
  const Index H = weights.W_h.rows;
  if (H % width_step != 0 || weights.W_h.cols != 4 * H || weights.input.bias.cols != 4 * H) {
    throw Error(fmt::format("an LSTM of width {} with {} gates; the width is a multiple of {}", H,
                            weights.W_h.cols, width_step));
  }
  const RowRange rows = tree.level(t);
  check_inputs(rows, inputs, weights.input);
  const RowRange before = t > 0 ? tree.level(t - 1) : RowRange{-1, 0};
  for (Index r = rows.begin; r < rows.end; ++r) {
    const int parent = tree.parent[static_cast<std::size_t>(r)];
    if (parent < before.begin || parent >= before.end) {
      throw Error(fmt::format("row {} of level {} has parent {}", r, t, parent));
    }
  }
}

// the gates, cell and output of one row; c_parent is null where the history begins
template <class Real>
void activate(const Row<Real>& row, const Real* c_parent, Index H) {
  using V = Lanes<Real>;
  for (Index j = 0; j < H; j += lane_count<Real>) {
    const V i = lanes::sigmoid(load(row.gates + j));
    const V f = lanes::sigmoid(load(row.gates + H + j));
    const V g = lanes::tanh(load(row.gates + 2 * H + j));
    const V o = lanes::sigmoid(load(row.gates + 3 * H + j));
    const V c = c_parent == nullptr ? i * g : f * load(c_parent + j) + i * g;
    const V tanh_c = lanes::tanh(c);
    store(row.gates + j, i);
    store(row.gates + H + j, f);
    store(row.gates + 2 * H + j, g);
    store(row.gates + 3 * H + j, o);
    store(row.c + j, c);
    store(row.tanh_c + j, tanh_c);
    store<Real>(row.h + j, o * tanh_c);
  }
}

// the gradient of one row's gates before sigmoid and tanh, from dh and dc; adds to the parent's dc
template <class Real>
void deactivate(Real* dgates, Real* dc_parent, const Real* dh_row, const Real* dc_row,
                const Row<const Real>& row, const Real* c_parent, Index H) {
  using V = Lanes<Real>;
  const V one = fill<V>(1);
  for (Index j = 0; j < H; j += lane_count<Real>) {
    const V i = load(row.gates + j), f = load(row.gates + H + j);
    const V g = load(row.gates + 2 * H + j), o = load(row.gates + 3 * H + j);
    const V tanh_c = load(row.tanh_c + j), dh = load(dh_row + j);
    const V dc = load(dc_row + j) + dh * o * (one - tanh_c * tanh_c);
    store<Real>(dgates + j, dc * g * i * (one - i));
    store<Real>(dgates + 2 * H + j, dc * i * (one - g * g));
    store<Real>(dgates + 3 * H + j, dh * tanh_c * o * (one - o));
    if (c_parent == nullptr) {
      store(dgates + H + j, V{});
    } else {
      store<Real>(dgates + H + j, dc * load(c_parent + j) * f * (one - f));
      store<Real>(dc_parent + j, load(dc_parent + j) + dc * f);
    }
  }
}

}  // namespace

template <class Real>
void lstm_forward(LstmStates<Real>& states, const Tree& tree, int t, const Inputs<Real>& inputs,
                  const LstmWeights<const Real>& weights) {
  check_level(tree, t, inputs, weights);
  const Index H = weights.W_h.rows;
  const RowRange rows = tree.level(t);
  states.h.reshape(rows.end, H);
  states.c.reshape(rows.end, H);
  states.tanh_c.reshape(rows.end, H);
  states.gates.reshape(rows.end, 4 * H);

  // one product for each parent, however many children it has
  const RowRange before = t > 0 ? tree.level(t - 1) : RowRange{};
  states.product.reshape(before.end - before.begin, 4 * H);
  if (t > 0) {
    const MatrixView<const Real> h = states.h.view().slice(before.begin, before.end);
    multiply<Real>(states.product.view(), h, weights.W_h);
  }

  // gather the parent's product, add the inputs, and run the gates
  for (Index r = rows.begin; r < rows.end; ++r) {
    const int parent = tree.parent[static_cast<std::size_t>(r)];
    const bool begins = parent < 0;
    const Row<Real> row = {states.gates.row(r), states.c.row(r), states.tanh_c.row(r),
                           states.h.row(r)};
    gather_row(row.gates, begins ? nullptr : states.product.row(parent - before.begin), r, inputs,
               weights.input);
    activate(row, begins ? nullptr : states.c.row(parent), H);
  }
}

template <class Real>
void lstm_forward(LstmStates<Real>& states, const Tree& tree, const Inputs<Real>& inputs,
                  const LstmWeights<const Real>& weights) {
  for (int t = 0; t < tree.levels(); ++t) lstm_forward(states, tree, t, inputs, weights);
}

template <class Real>
void lstm_backward(LstmDeltas<Real>& deltas, const LstmWeights<Real>& dweights, const Tree& tree,
                   const LstmStates<Real>& states, const Inputs<Real>& inputs,
                   const LstmWeights<const Real>& weights) {
  const Index H = weights.W_h.rows, R = tree.rows();
  if (deltas.dh.rows() != R || deltas.dh.cols() != H || states.h.rows() != R) {
    throw Error("the LSTM's deltas or states are not of the tree's shape");
  }
  deltas.dc.reshape(R, H);
  deltas.dproduct.reshape(R, 4 * H);
  deltas.dgates.reshape(1, 4 * H);
  deltas.W_h_transposed.reshape(4 * H, H);
  as_eigen(deltas.W_h_transposed.view()) = as_eigen(weights.W_h).transpose();
  deltas.dc.view().set_zero();
  deltas.dproduct.view().set_zero();

  for (int t = tree.levels() - 1; t >= 0; --t) {
    // each row's gates; the children of a parent add up in its dproduct and dc
    const RowRange rows = tree.level(t);
    Real* dgates = deltas.dgates.row(0);
    for (Index r = rows.begin; r < rows.end; ++r) {
      const int parent = tree.parent[static_cast<std::size_t>(r)];
      const bool begins = parent < 0;
      const Row<const Real> row = {states.gates.row(r), states.c.row(r), states.tanh_c.row(r),
                                   states.h.row(r)};
      deactivate(dgates, begins ? nullptr : deltas.dc.row(parent), deltas.dh.row(r),
                 deltas.dc.row(r), row, begins ? nullptr : states.c.row(parent), H);
      scatter_row(begins ? nullptr : deltas.dproduct.row(parent), dweights.input, dgates, r,
                  inputs);
    }
    // then one product takes them to the parents' h
    if (t == 0) break;
    const RowRange before = tree.level(t - 1);
    const MatrixView<const Real> dproduct = deltas.dproduct.view().slice(before.begin, before.end);
    multiply_add<Real>(deltas.dh.view().slice(before.begin, before.end), dproduct,
                       std::as_const(deltas.W_h_transposed).view());
  }

  // all levels at once: long sums run faster than many short ones
  if (tree.levels() < 2) return;
  const Index parents = tree.level(tree.levels() - 2).end;
  as_eigen(dweights.W_h).noalias() += as_eigen(states.h.view().slice(0, parents)).transpose() *
                                      as_eigen(deltas.dproduct.view().slice(0, parents));
}

template void lstm_forward(LstmStates<float>&, const Tree&, int, const Inputs<float>&,
                           const LstmWeights<const float>&);
template void lstm_forward(LstmStates<double>&, const Tree&, int, const Inputs<double>&,
                           const LstmWeights<const double>&);
template void lstm_forward(LstmStates<float>&, const Tree&, const Inputs<float>&,
                           const LstmWeights<const float>&);
template void lstm_forward(LstmStates<double>&, const Tree&, const Inputs<double>&,
                           const LstmWeights<const double>&);
template void lstm_backward(LstmDeltas<float>&, const LstmWeights<float>&, const Tree&,
                            const LstmStates<float>&, const Inputs<float>&,
                            const LstmWeights<const float>&);
template void lstm_backward(LstmDeltas<double>&, const LstmWeights<double>&, const Tree&,
                            const LstmStates<double>&, const Inputs<double>&,
                            const LstmWeights<const double>&);

}  // namespace vic
