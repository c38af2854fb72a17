#include "model/sequence_model.h"

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

ParameterLayout make_layout(const ModelShape& shape, const Encoding& states, const Encoding& goals,
                            Index columns) {
  const Index H = shape.hidden;
  const Index told_rows = (shape.told.action ? shape.A : 0) + (shape.told.goal ? goals.table : 0);
  const Index told_numbers = shape.told.goal ? goals.goal_numbers() : 0;
  ParameterLayout layout;
  layout.add("lstm.W_h", H, 4 * H);
  layout.add("lstm.table", shape.A + states.table, 4 * H);
  layout.add("lstm.numbers", states.D, 4 * H);
  layout.add("lstm.b", 1, 4 * H, Init::zero);
  layout.add("hidden.W", H, H);
  layout.add("hidden.table", told_rows, H);
  layout.add("hidden.numbers", told_numbers, H);
  layout.add("hidden.b", 1, H, Init::zero);
  layout.add("out.W", H, columns, shape.from_zero ? Init::zero : Init::gaussian);
  layout.add("out.b", 1, columns, Init::zero);
  return layout;
}

// behind the D numbers of a goal as it is seen from s_t, the first of which is the time left: each
// of the others by the root of that time, which is how chance spreads, and by the time, which is a
// speed; all of them so large that they meet the history where tanh bends
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
}

template <class Real>
void HistoryInputs<Real>::reserve(int rows, const Encoding& encoding) {
  lookup.reserve(std::size_t(rows) * (encoding.actions.F + encoding.K));
  numbers.reshape(rows, encoding.D);
}

template <class Real>
void HistoryInputs<Real>::append(const Histories& histories, int begin, const Encoding& encoding,
                                 int A) {
  const int D = encoding.D;
  const ActionCode& actions = encoding.actions;
  K = actions.F + encoding.K;
  lookup.resize(std::size_t(histories.rows()) * K);
  numbers.reshape(histories.rows(), D);
  for (int row = begin; row < histories.rows(); ++row) {
    // the table holds the moves first, then the states
    int* to = &lookup[std::size_t(row) * K];
    const int s = histories.state[row];
    // a look-up below 0 adds nothing
    const int a = histories.action[row];
    for (int f = 0; f < actions.F; ++f) *to++ = a < 0 ? -1 : actions.lookup(a, f);
    const bool hidden = encoding.blind && row >= histories.roots();
    for (int k = 0; k < encoding.K; ++k) {
      *to++ = hidden ? -1 : A + encoding.lookup[s * encoding.K + k];
    }
    for (int j = 0; j < D; ++j) {
      numbers.row(row)[j] = hidden ? Real(0) : static_cast<Real>(encoding.numbers[s * D + j]);
    }
  }
}

template <class Real>
SequenceModel<Real>::SequenceModel(ModelShape shape, const Encoding& states, const Encoding& goals,
                                   InitAddress address)
    : shape_(std::move(shape)),
      actions_(&states.actions),
      goals_(&goals),
      columns_(round_up(shape_.outputs, output_step)),
      parameters_(make_parameters<Real>(make_layout(shape_, states, goals, columns_), address)),
      adam_(make_adam_state<Real>(parameters_.layout.size())) {}

template <class Real>
auto SequenceModel<Real>::weights() const -> Weights<const Real> {
  const Parameters<Real>& p = parameters_;
  return {{p.value(lstm_W_h), {p.value(lstm_table), p.value(lstm_numbers), p.value(lstm_b)}},
          {p.value(hidden_W), {p.value(hidden_table), p.value(hidden_numbers), p.value(hidden_b)}},
          {p.value(out_W), p.value(out_b)}};
}

template <class Real>
auto SequenceModel<Real>::gradients() -> Weights<Real> {
  Parameters<Real>& p = parameters_;
  return {{p.gradient(lstm_W_h),
           {p.gradient(lstm_table), p.gradient(lstm_numbers), p.gradient(lstm_b)}},
          {p.gradient(hidden_W),
           {p.gradient(hidden_table), p.gradient(hidden_numbers), p.gradient(hidden_b)}},
          {p.gradient(out_W), p.gradient(out_b)}};
}

template <class Real>
void SequenceModel<Real>::encode_level(const Tree& tree, int t, const Inputs<Real>& inputs) {
  is_pruned_ = false;
  if (t == 0) query_row_.clear();
  inputs_ = inputs;
  lstm_forward(states_, tree, t, inputs, weights().lstm);
}

template <class Real>
void SequenceModel<Real>::encode(const Tree& tree, const Inputs<Real>& inputs) {
  is_pruned_ = false;
  query_row_.clear();
  inputs_ = inputs;
  lstm_forward(states_, tree, inputs, weights().lstm);
}

template <class Real>
void SequenceModel<Real>::encode(const Tree& tree, const Inputs<Real>& inputs,
                                 const Queries& queries) {
  is_pruned_ = true;
  query_row_.clear();
  inputs_ = inputs;
  pruned_.prune(tree, inputs, queries.row);
  lstm_forward(states_, pruned_.tree(), pruned_.inputs(), weights().lstm);
}

template <class Real>
Inputs<Real> SequenceModel<Real>::query_inputs(const Queries& queries) {
  const Encoding& goals = *goals_;
  const int K_g = shape_.told.goal ? goals.K : 0;
  const int D_g = shape_.told.goal ? goals.D : 0;
  const int F = shape_.told.action ? actions_->F : 0;
  const int K = F + K_g;
  query_lookup_.resize(std::size_t(queries.size()) * K);
  query_numbers_.reshape(queries.size(), shape_.told.goal ? goals.goal_numbers() : 0);
  int* to = query_lookup_.data();
  for (int q = 0; q < queries.size(); ++q) {
    for (int f = 0; f < F; ++f) *to++ = actions_->lookup(queries.action[q], f);
    // the table holds the moves first, where it is told, then the goals
    const int offset = shape_.told.action ? shape_.A : 0;
    for (int k = 0; k < K_g; ++k) {
      *to++ = offset + goals.lookup[queries.goal[q] * goals.K + k];
    }
    for (int j = 0; j < D_g; ++j) {
      const Real from = goals.relative ? inputs_.dense.row(queries.row[q])[j] : Real(0);
      query_numbers_.row(q)[j] =
          static_cast<Real>(goals.numbers[queries.goal[q] * goals.D + j]) - from;
    }
    if (goals.rates && D_g > 0) add_rates(query_numbers_.row(q), D_g);
  }
  return {K, query_lookup_, query_numbers_.view()};
}

template <class Real>
void SequenceModel<Real>::answer_from(std::size_t begin, const Queries& queries, int first_row) {
  const auto w = weights();
  const auto kept = static_cast<Index>(begin), total = kept + queries.size();
  query_row_.resize(begin);
  for (int row : queries.row) {
    query_row_.push_back((is_pruned_ ? pruned_.row(row) : row) - first_row);
  }
  const MatrixView<const Real> h = states_.h.view().slice(first_row, states_.h.rows());
  const std::span<int> rows = std::span(query_row_).subspan(begin);
  hidden_forward<Real>(hidden_, h, rows, query_inputs(queries), w.hidden, kept);
  outputs_.reshape(total, columns_);
  dense_forward<Real>(outputs_.view().slice(kept, total), out_panels_,
                      hidden_.y.view().slice(kept, total), w.out);
  if (shape_.persistence != 0) {
    for (int q = 0; q < queries.size(); ++q) {
      // the row's own look-ups begin with what was done last
      const int* last = &inputs_.lookup[std::size_t(queries.row[q]) * inputs_.K];
      for (int f = 0; f < actions_->F; ++f) {
        if (last[f] >= 0) outputs_.row(kept + q)[last[f]] += static_cast<Real>(shape_.persistence);
      }
    }
  }
  for (int& row : rows) row += first_row;
}

template <class Real>
MatrixView<const Real> SequenceModel<Real>::answer(const Queries& queries, int first_row) {
  answer_from(0, queries, first_row);
  return answers();
}

template <class Real>
MatrixView<const Real> SequenceModel<Real>::answer_more(const Queries& queries, int first_row) {
  const std::size_t begin = query_row_.size();
  answer_from(begin, queries, first_row);
  return answers().slice(static_cast<Index>(begin), outputs_.rows());
}

template <class Real>
void SequenceModel<Real>::backward(MatrixView<const Real> doutputs, const Queries& queries,
                                   const Tree& tree) {
  const auto w = weights();
  const auto dw = gradients();
  dense_backward<Real>(dfeatures_, dw.out, out_panels_, doutputs, hidden_.y.view(), w.out);
  const Tree encoded = is_pruned_ ? pruned_.tree() : tree;
  deltas_.dh.reshape(encoded.rows(), shape_.hidden);
  hidden_backward<Real>(deltas_.dh.view(), dw.hidden, hidden_, dfeatures_.view(), states_.h.view(),
                        query_row_, query_inputs(queries), w.hidden);
  lstm_backward<Real>(deltas_, dw.lstm, encoded, states_, is_pruned_ ? pruned_.inputs() : inputs_,
                      w.lstm);
}

template <class Real>
void SequenceModel<Real>::step(const AdamSettings& settings, long update) {
  if (!all_finite(parameters_.gradients)) {
    throw Error(fmt::format(
        "The gradient of {} is not finite at update {}; a smaller train.learning_rate may help.",
        shape_.name, update));
  }
  adam_step(parameters_.values, adam_, parameters_.gradients, settings);
  set_zero(parameters_.gradients);
}

template struct HistoryInputs<float>;
template struct HistoryInputs<double>;
template class SequenceModel<float>;
template class SequenceModel<double>;

}  // namespace vic
