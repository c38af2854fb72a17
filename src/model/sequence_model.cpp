#include "model/sequence_model.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace vic {
namespace {

// the slices of the parameter block, in this order
enum SliceNumber {
  lstm_W_h,
  lstm_table,
  lstm_numbers,
  lstm_b,
  hidden_W,
  hidden_table,
  hidden_numbers,
  hidden_b,
  out_W,
  out_b
};

CodeShape goal_shape(const ModelShape& shape) {
  switch (shape.conditioning.goal) {
    case GoalKind::none:
      return {};
    case GoalKind::final_state:
      return shape.encoding.goals;
    case GoalKind::skill:
      return {.K = 1, .table = shape.skills};
  }
  return {};
}

ParameterLayout make_layout(const ModelShape& shape, Index columns) {
  const Index H = shape.hidden;
  const Encoding& encoding = shape.encoding;
  const bool on_state = shape.conditioning.goal == GoalKind::final_state;
  const Index query_rows = (shape.conditioning.action ? encoding.A : 0) + goal_shape(shape).table;
  ParameterLayout layout;
  layout.add("lstm.W_h", H, 4 * H);
  layout.add("lstm.table", encoding.A + encoding.states.table, 4 * H);
  layout.add("lstm.numbers", encoding.states.D, 4 * H);
  layout.add("lstm.b", 1, 4 * H, Init::zero);
  layout.add("hidden.W", H, H);
  layout.add("hidden.table", query_rows, H);
  layout.add("hidden.numbers", on_state ? encoding.goal_numbers() : 0, H);
  layout.add("hidden.b", 1, H, Init::zero);
  layout.add("out.W", H, columns, shape.from_zero ? Init::zero : Init::gaussian);
  layout.add("out.b", 1, columns, Init::zero);
  return layout;
}

template <class Real>
struct Weights {
  LstmWeights<Real> lstm;
  HiddenWeights<Real> hidden;
  DenseWeights<Real> out;
};

// the matrices of a block, be it the parameters or their gradient
template <class Real, class B>
Weights<Real> weights_of(B& block, const ParameterLayout& layout) {
  const auto at = [&](int slice) { return view(block, layout.slice(slice)); };
  return {{at(lstm_W_h), {at(lstm_table), at(lstm_numbers), at(lstm_b)}},
          {at(hidden_W), {at(hidden_table), at(hidden_numbers), at(hidden_b)}},
          {at(out_W), at(out_b)}};
}

template <class Real>
Weights<const Real> weights_of(const Parameters<Real>& parameters) {
  return weights_of<const Real>(parameters.values, parameters.layout);
}

// after the D numbers of a goal relative to s_t, the first of which is the time left: each of the
// others over the root of that time, as chance spreads, and over the time, a speed; all scaled to
// the range in which tanh bends
template <class Real>
void add_rates(Real* numbers, int D) {
  constexpr Real gain = 3;
  // towards the end no difference may grow without bound
  const Real left = numbers[0] + Real(0.1), root = std::sqrt(left);
  for (int j = 1; j < D; ++j) {
    numbers[D - 1 + j] = gain * numbers[j] / root;
    numbers[2 * D - 2 + j] = gain * numbers[j] / left;
  }
  for (int j = 0; j < D; ++j) numbers[j] *= gain;
}

}  // namespace

Tree tree_of(const Histories& histories, int levels) {
  return {std::span(histories.first).first(levels + 1),
          std::span(histories.parent).first(histories.first[levels])};
}

void Queries::clear() {
  row.clear();
  action.clear();
  goal.clear();
  factors.clear();
  level.clear();
}

Queries Queries::first(int n) const {
  const auto take = [&](const std::vector<int>& list) {
    return std::vector<int>(list.begin(), list.begin() + (list.empty() ? 0 : n));
  };
  return {take(row), take(action), take(goal), take(factors), take(level)};
}

template <class Real>
void HistoryInputs<Real>::reserve(int rows, const Encoding& encoding) {
  lookup.clear();
  lookup.reserve(std::size_t(rows) * (encoding.F + encoding.states.K));
  numbers.reshape(rows, encoding.states.D);
}

template <class Real>
void HistoryInputs<Real>::append(const Histories& histories, int begin, const Encoding& encoding,
                                 const Codes& codes) {
  const int D = encoding.states.D, K_s = encoding.states.K;
  K = encoding.F + K_s;
  lookup.resize(std::size_t(histories.rows()) * K);
  numbers.reshape(histories.rows(), D);
  for (int row = begin; row < histories.rows(); ++row) {
    // the table holds the moves first, then the states
    int* to = lookup.data() + std::size_t(row) * K;
    const int s = histories.state[row];
    // a look-up below 0 adds nothing
    const int a = histories.action[row];
    for (int f = 0; f < encoding.F; ++f) *to++ = a < 0 ? -1 : codes.action_lookup(encoding, a, f);
    const bool hidden = encoding.blind && row >= histories.roots();
    for (int k = 0; k < K_s; ++k) *to++ = hidden ? -1 : encoding.A + codes.lookup[s * K_s + k];
    for (int j = 0; j < D; ++j) {
      numbers.row(row)[j] = hidden ? Real(0) : static_cast<Real>(codes.numbers[s * D + j]);
    }
    for (int j : encoding.unseen) numbers.row(row)[j] = 0;
  }
}

template <class Real>
void PrunedTree<Real>::prune(const Tree& tree, const Inputs<Real>& inputs,
                             std::span<const int> queried) {
  // queried rows are needed, and so are the parents of needed rows, which have smaller numbers
  constexpr int needed = 0, not_needed = -1;
  place_.assign(static_cast<std::size_t>(tree.rows()), not_needed);
  for (int row : queried) place_[row] = needed;
  for (std::size_t r = place_.size(); r-- > 0;) {
    if (place_[r] == needed && tree.parent[r] >= 0) {
      place_[tree.parent[r]] = needed;
    }
  }

  // number the rows, and copy their parents and inputs
  K_ = inputs.K;
  const Index D = inputs.dense.cols;
  first_.assign(1, 0);
  parent_.clear();
  lookup_.clear();
  numbers_.reshape(tree.rows(), D);
  for (int t = 0; t < tree.levels(); ++t) {
    const RowRange rows = tree.level(t);
    for (Index r = rows.begin; r < rows.end; ++r) {
      int& place = place_[r];
      if (place == not_needed) continue;
      place = static_cast<int>(parent_.size());
      const int parent = tree.parent[r];
      parent_.push_back(parent < 0 ? parent : row(parent));
      const auto lookup = inputs.lookup.begin() + r * K_;
      lookup_.insert(lookup_.end(), lookup, lookup + K_);
      if (D > 0) std::copy_n(inputs.dense.row(r), D, numbers_.row(place));
    }
    // after a level in which nothing is needed, nothing is
    if (static_cast<std::size_t>(first_.back()) == parent_.size()) break;
    first_.push_back(static_cast<int>(parent_.size()));
  }
  numbers_.reshape(static_cast<Index>(parent_.size()), D);
}

template <class Real>
SequenceModel<Real>::SequenceModel(ModelShape shape, InitAddress address)
    : shape_(std::move(shape)),
      columns_(round_up(shape_.outputs, output_step)),
      parameters_(make_parameters<Real>(make_layout(shape_, columns_), address)) {}

template <class Real>
void SequenceModel<Real>::encode_level(Workspace& work, const Tree& tree, int t,
                                       const Inputs<Real>& inputs) const {
  work.is_pruned = false;
  if (t == 0) work.forget_queries();
  work.inputs = inputs;
  lstm_forward_level(work.states, tree, t, inputs, weights_of(parameters_).lstm);
}

template <class Real>
void SequenceModel<Real>::encode(Workspace& work, const Tree& tree,
                                 const Inputs<Real>& inputs) const {
  work.is_pruned = false;
  work.forget_queries();
  work.inputs = inputs;
  lstm_forward(work.states, tree, inputs, weights_of(parameters_).lstm);
}

template <class Real>
void SequenceModel<Real>::encode(Workspace& work, const Tree& tree, const Inputs<Real>& inputs,
                                 const Queries& queries) const {
  work.is_pruned = true;
  work.forget_queries();
  work.inputs = inputs;
  work.pruned.prune(tree, inputs, queries.row);
  lstm_forward(work.states, work.pruned.tree(), work.pruned.inputs(), weights_of(parameters_).lstm);
}

template <class Real>
Inputs<Real> SequenceModel<Real>::query_inputs(Workspace& work, const Queries& queries,
                                               const Codes& codes) const {
  const Encoding& encoding = shape_.encoding;
  const bool on_state = shape_.conditioning.goal == GoalKind::final_state;
  const int K_g = goal_shape(shape_).K, D_g = on_state ? encoding.goals.D : 0;
  const int F = shape_.conditioning.action ? encoding.F : 0;
  // the number that a goal's number j is relative to
  const auto origin = [&](int row, int j) {
    if (!encoding.relative) return Real(0);
    if (encoding.unseen.empty()) return work.inputs.dense.row(row)[j];
    return static_cast<Real>(codes.numbers[std::size_t(row) * encoding.states.D + j]);
  };
  // the table holds the moves first, where they are read, then the goals
  const int offset = shape_.conditioning.action ? encoding.A : 0;
  work.query_lookup.resize(std::size_t(queries.size()) * (F + K_g));
  work.query_numbers.reshape(queries.size(), on_state ? encoding.goal_numbers() : 0);
  int* to = work.query_lookup.data();
  for (int q = 0; q < queries.size(); ++q) {
    // an action below 0 is not known yet, and adds nothing
    const int a = queries.action.empty() ? -1 : queries.action[q];
    const int decided = a < 0 ? 0 : queries.factors.empty() ? F : queries.factors[q];
    for (int f = 0; f < decided; ++f) to[f] = codes.action_lookup(encoding, a, f);
    std::fill(to + decided, to + F, -1);
    if (decided > 0 && !queries.level.empty() && queries.level[q] >= 0) {
      to[decided - 1] = (decided - 1) * encoding.L + queries.level[q];
    }
    to += F;
    for (int k = 0; k < K_g; ++k) {
      const int goal = queries.goal[q];
      *to++ = offset + (on_state ? codes.goal_lookup[goal * K_g + k] : goal);
    }
    for (int j = 0; j < D_g; ++j) {
      work.query_numbers.row(q)[j] =
          static_cast<Real>(codes.goal_numbers[queries.goal[q] * D_g + j]) -
          origin(queries.row[q], j);
    }
    if (encoding.rates && D_g > 0) add_rates(work.query_numbers.row(q), D_g);
  }
  return {F + K_g, work.query_lookup, work.query_numbers.view()};
}

template <class Real>
void SequenceModel<Real>::prepare_queries(Workspace& work) const {
  hidden_product<Real>(work.hidden, work.states.h.view(), weights_of(parameters_).hidden);
}

template <class Real>
void SequenceModel<Real>::query_from(Workspace& work, std::size_t begin, const Queries& queries,
                                     const Codes& codes, const RowsDone& done) const {
  const auto w = weights_of(parameters_);
  const auto kept = static_cast<Index>(begin), total = kept + queries.size();
  work.query_row.resize(begin);
  for (int row : queries.row) {
    work.query_row.push_back(work.is_pruned ? work.pruned.row(row) : row);
  }
  prepare_queries(work);
  hidden_forward<Real>(work.hidden, std::span(work.query_row).subspan(begin),
                       query_inputs(work, queries, codes), w.hidden, kept);
  work.outputs.reshape(total, columns_);
  dense_forward<Real>(work.outputs.view().slice(kept, total), work.out_panels,
                      work.hidden.y.view().slice(kept, total), w.out, done);
  if (shape_.sticky_action_logit == 0) return;
  for (int q = 0; q < queries.size(); ++q) {
    // the row's own look-ups begin with the last action
    const int* last = &work.inputs.lookup[std::size_t(queries.row[q]) * work.inputs.K];
    for (int f = 0; f < shape_.encoding.F; ++f) {
      if (last[f] < 0) continue;
      work.outputs.row(kept + q)[last[f]] += static_cast<Real>(shape_.sticky_action_logit);
    }
  }
}

template <class Real>
MatrixView<const Real> SequenceModel<Real>::query(Workspace& work, const Queries& queries,
                                                  const Codes& codes, const RowsDone& done) const {
  query_from(work, 0, queries, codes, done);
  return work.outputs.view();
}

template <class Real>
MatrixView<const Real> SequenceModel<Real>::query_more(Workspace& work, const Queries& queries,
                                                       const Codes& codes) const {
  const std::size_t begin = work.query_row.size();
  query_from(work, begin, queries, codes);
  return work.outputs.view().slice(static_cast<Index>(begin), work.outputs.rows());
}

template <class Real>
void SequenceModel<Real>::backward(Block<Real>& gradient, Workspace& work,
                                   MatrixView<const Real> doutputs, const Queries& queries,
                                   const Codes& codes, const Tree& tree) const {
  const auto w = weights_of(parameters_);
  const auto dw = weights_of<Real>(gradient, parameters_.layout);
  dense_backward<Real>(work.dfeatures, dw.out, work.out_panels, doutputs,
                       std::as_const(work.hidden.y).view().slice(0, doutputs.rows), w.out);
  const Tree encoded = work.is_pruned ? work.pruned.tree() : tree;
  work.deltas.dh.reshape(encoded.rows(), shape_.hidden);
  hidden_backward<Real>(work.deltas.dh.view(), dw.hidden, work.hidden, work.dfeatures.view(),
                        work.states.h.view(), std::span(work.query_row).first(doutputs.rows),
                        query_inputs(work, queries, codes), w.hidden);
  lstm_backward<Real>(work.deltas, dw.lstm, encoded, work.states,
                      work.is_pruned ? work.pruned.inputs() : work.inputs, w.lstm);
}

template <class Real>
Optimizer<Real>::Optimizer(const SequenceModel<Real>& model)
    : gradient(model.parameters().values.size(), Real(0)), adam(model.parameters().values.size()) {}

template <class Real>
void Optimizer<Real>::step(SequenceModel<Real>& model, const AdamSettings& settings, long update) {
  if (!all_finite(gradient)) {
    throw Error(fmt::format(
        "The gradient of {} is not finite at update {}; a smaller train.learning_rate may help.",
        model.shape().name, update));
  }
  adam_step(model.parameters().values, adam, gradient, settings);
  std::fill(gradient.begin(), gradient.end(), Real(0));
}

template class PrunedTree<float>;
template class PrunedTree<double>;
template struct HistoryInputs<float>;
template struct HistoryInputs<double>;
template class SequenceModel<float>;
template class SequenceModel<double>;
template struct Optimizer<float>;
template struct Optimizer<double>;

}  // namespace vic
