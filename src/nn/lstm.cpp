#include "nn/lstm.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "nn/lanes.h"

namespace vic {
namespace {

// pointers to the states of one row
template <class Real>
struct Row {
  Real *gates, *c, *tanh_c, *h;
};

template <class Real>
void check_level(const Tree& tree, int t, const Inputs<Real>& inputs,
                 const LstmWeights<const Real>& weights) {
  const Index H = weights.W_h.rows;
  require(H % width_step == 0 && weights.W_h.cols == 4 * H && weights.input.bias.cols == 4 * H,
          "an LSTM of width {} with {} gates; the width is a multiple of {}", H, weights.W_h.cols,
          width_step);
  const RowRange rows = tree.level(t);
  check_inputs(rows, inputs, weights.input);
  const RowRange before = t > 0 ? tree.level(t - 1) : RowRange{-1, 0};
  for (Index r = rows.begin; r < rows.end; ++r) {
    const int parent = tree.parent[r];
    require(parent >= before.begin && parent < before.end, "row {} of level {} has parent {}", r, t,
            parent);
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

enum class Child { first, later };

// the gradient of one row's gates before sigmoid and tanh, from dh and dc, which is null where the
// row has no children; sets the parent's dc, or adds to it. Never inlined: the products and sums
// that the compiler fuses, and so the bits, would depend on the caller
template <class Real>
[[gnu::noinline]] void deactivate(Real* dgates, Real* dc_parent, Child child, const Real* dh_row,
                                  const Real* dc_row, const Row<const Real>& row,
                                  const Real* c_parent, Index H) {
  using V = Lanes<Real>;
  const V one = fill<V>(1);
  for (Index j = 0; j < H; j += lane_count<Real>) {
    const V i = load(row.gates + j), f = load(row.gates + H + j);
    const V g = load(row.gates + 2 * H + j), o = load(row.gates + 3 * H + j);
    const V tanh_c = load(row.tanh_c + j), dh = load(dh_row + j);
    V dc = dh * o * (one - tanh_c * tanh_c);
    if (dc_row != nullptr) dc += load(dc_row + j);
    store<Real>(dgates + j, dc * g * i * (one - i));
    store<Real>(dgates + 2 * H + j, dc * i * (one - g * g));
    store<Real>(dgates + 3 * H + j, dh * tanh_c * o * (one - o));
    if (c_parent == nullptr) {
      store(dgates + H + j, V{});
    } else {
      store<Real>(dgates + H + j, dc * load(c_parent + j) * f * (one - f));
      const V before = child == Child::first ? V{} : load(dc_parent + j);
      store<Real>(dc_parent + j, before + dc * f);
    }
  }
}

// y += x
template <class Real>
void add_row(Real* y, const Real* x, Index M) {
  for (Index j = 0; j < M; j += lane_count<Real>) store<Real>(y + j, load(y + j) + load(x + j));
}

// finds the parents of level t > 0 and collects their h; returns their places
template <class Real>
RowRange collect_parents(LstmStates<Real>& states, const Tree& tree, int t) {
  const auto begin = static_cast<std::size_t>(states.inner_first[t - 1]);
  states.inner.resize(begin);
  const RowRange rows = tree.level(t);
  for (Index r = rows.begin; r < rows.end; ++r) {
    const int parent = tree.parent[r];
    int& place = states.place[parent];
    if (place >= 0) continue;
    place = static_cast<int>(states.inner.size());
    states.inner.push_back(parent);
  }
  const RowRange parents{static_cast<Index>(begin), static_cast<Index>(states.inner.size())};
  states.h_inner.reshape(parents.end, states.h.cols());
  for (Index p = parents.begin; p < parents.end; ++p) {
    const int row = states.inner[p];
    std::copy_n(states.h.row(row), states.h.cols(), states.h_inner.row(p));
  }
  return parents;
}

// the backward pass of level t but for its products: each row's gates; the children of a parent add
// up in its dproduct and dc. Returns the gradients of the gates, (rows, 4H)
template <class Real>
MatrixView<const Real> backward_rows(LstmDeltas<Real>& deltas, const LstmWeights<Real>& dweights,
                                     const Tree& tree, int t, const LstmStates<Real>& states,
                                     const Inputs<Real>& inputs) {
  const Index H = states.h.cols();
  const RowRange rows = tree.level(t);
  // where no parent has two children, the sum over its children is what the only child stores
  const RowRange parents =
      t > 0 ? RowRange{states.inner_first[t - 1], states.inner_first[t]} : RowRange{};
  const bool only_children = parents.end - parents.begin == rows.end - rows.begin;
  if (!only_children) deltas.dgates.reshape(rows.end - rows.begin, 4 * H);
  const MatrixView<Real> dgates_of = only_children
                                         ? deltas.dproduct.view().slice(parents.begin, parents.end)
                                         : deltas.dgates.view();
  // parents are in the order of their first children, so a first child belongs to the next parent
  int next = t > 0 ? states.inner_first[t - 1] : 0;
  for (Index r = rows.begin; r < rows.end; ++r) {
    const int parent = tree.parent[r];
    const int own = states.place[r];
    const Row<const Real> row = {states.gates.row(r), states.c.row(r), states.tanh_c.row(r),
                                 states.h.row(r)};
    const Real* dc = own < 0 ? nullptr : deltas.dc.row(own);
    Real* dgates = dgates_of.row(r - rows.begin);
    if (parent < 0) {
      deactivate<Real>(dgates, nullptr, Child::first, deltas.dh.row(r), dc, row, nullptr, H);
      scatter_row<Real>(nullptr, dweights.input, dgates, r, inputs);
      continue;
    }
    // a first child stores its gates' gradient where its siblings add theirs
    const int place = states.place[parent];
    const Child child = place == next ? Child::first : Child::later;
    Real* dproduct = deltas.dproduct.row(place);
    deactivate(dgates, deltas.dc.row(place), child, deltas.dh.row(r), dc, row, states.c.row(parent),
               H);
    if (child == Child::first) {
      ++next;
      if (dproduct != dgates) std::copy_n(dgates, 4 * H, dproduct);
      dproduct = nullptr;
    }
    scatter_row(dproduct, dweights.input, dgates, r, inputs);
  }
  return dgates_of;
}

}  // namespace

template <class Real>
void lstm_forward_level(LstmStates<Real>& states, const Tree& tree, int t,
                        const Inputs<Real>& inputs, const LstmWeights<const Real>& weights) {
  check_level(tree, t, inputs, weights);
  const Index H = weights.W_h.rows;
  const RowRange rows = tree.level(t);
  states.h.reshape(rows.end, H);
  states.c.reshape(rows.end, H);
  states.tanh_c.reshape(rows.end, H);
  states.gates.reshape(rows.end, 4 * H);
  states.place.resize(static_cast<std::size_t>(rows.begin));
  states.place.resize(static_cast<std::size_t>(rows.end), -1);

  // one product for each parent, however many children it has
  RowRange parents;
  if (t == 0) {
    states.inner.clear();
    pack(states.W_h, weights.W_h);
    pack(states.W_numbers, weights.input.dense);
  } else {
    parents = collect_parents(states, tree, t);
    states.product.reshape(parents.end - parents.begin, 4 * H);
    const MatrixView<const Real> h = states.h_inner.view().slice(parents.begin, parents.end);
    multiply<Real>(states.product.view(), h, states.W_h);
  }
  states.inner_first.resize(static_cast<std::size_t>(t));
  states.inner_first.push_back(static_cast<int>(states.inner.size()));

  // gather the parent's product, add the inputs and run the gates: a few rows stay in the cache
  constexpr Index rows_at_once = 16;
  for (Index begin = rows.begin; begin < rows.end; begin += rows_at_once) {
    const RowRange some = {begin, std::min(begin + rows_at_once, rows.end)};
    for (Index r = some.begin; r < some.end; ++r) {
      const int parent = tree.parent[r];
      const Real* product =
          parent < 0 ? nullptr : states.product.row(states.place[parent] - parents.begin);
      gather_row(states.gates.row(r), product, r, inputs, weights.input);
    }
    add_numbers(states.gates.view().slice(some.begin, some.end), some, inputs, states.W_numbers);
    for (Index r = some.begin; r < some.end; ++r) {
      const int parent = tree.parent[r];
      const Row<Real> row = {states.gates.row(r), states.c.row(r), states.tanh_c.row(r),
                             states.h.row(r)};
      activate<Real>(row, parent < 0 ? nullptr : states.c.row(parent), H);
    }
  }
}

template <class Real>
void lstm_backward(LstmDeltas<Real>& deltas, const LstmWeights<Real>& dweights, const Tree& tree,
                   const LstmStates<Real>& states, const Inputs<Real>& inputs,
                   const LstmWeights<const Real>& weights) {
  const Index H = weights.W_h.rows, R = tree.rows();
  require(deltas.dh.rows() == R && deltas.dh.cols() == H && states.h.rows() == R,
          "the LSTM's deltas or states are not of the tree's shape");
  const auto P = static_cast<Index>(states.inner.size());
  deltas.dc.reshape(P, H);
  deltas.dproduct.reshape(P, 4 * H);
  pack_transposed(deltas.W_h, weights.W_h);

  for (int t = tree.levels() - 1; t >= 0; --t) {
    const MatrixView<const Real> dgates = backward_rows(deltas, dweights, tree, t, states, inputs);
    scatter_numbers(dweights.input, dgates, tree.level(t), inputs);
    if (t == 0) break;
    // then one product takes them to the parents' h
    const Index begin = states.inner_first[t - 1], end = states.inner_first[t];
    deltas.dh_inner.reshape(end - begin, H);
    multiply<Real>(deltas.dh_inner.view(), deltas.dproduct.view().slice(begin, end), deltas.W_h);
    for (Index p = begin; p < end; ++p) {
      add_row(deltas.dh.row(states.inner[p]), deltas.dh_inner.row(p - begin), H);
    }
  }

  // all levels at once: long sums run faster than many short ones; a first level has no parents
  if (P == 0) return;
  add_transposed_product<Real>(dweights.W_h, states.h_inner.view().slice(0, P),
                               deltas.dproduct.view());
}

template decltype(lstm_forward_level<float>) lstm_forward_level<float>;
template decltype(lstm_forward_level<double>) lstm_forward_level<double>;
template decltype(lstm_backward<float>) lstm_backward<float>;
template decltype(lstm_backward<double>) lstm_backward<double>;

}  // namespace vic
