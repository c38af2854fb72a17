// The one net of the method. pi_p, pi_q, rho_p and rho_q are a 2 x 2 of it: it predicts a_t or
// s_t+1, and it is told s_f or not.
//
//   an LSTM encodes each history once; a query is a history with, where told, a_t and a goal:
//   output = tanh(h[history] W + table[a_t] + table[goal] + b) W_out + b_out
//
// The goal is s_f in hindsight; a policy that is told one can be sent there. The explicit options
// of method/labels.h are goals too: a number each, that means what the agent makes of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/matrix.h"
#include "model/encoding.h"
#include "model/pruned.h"
#include "nn/adam.h"
#include "nn/dense.h"
#include "nn/lstm.h"
#include "nn/parameters.h"
#include "world/histories.h"

namespace vic {

// What a model is told besides the history.
struct Told {
  bool action = false;  // a_t: the model predicts what follows it
  bool goal = false;    // s_f, or the number of an option
};

struct ModelShape {
  std::string name;  // "pi_q": for error messages and checkpoints
  Told told;
  int A = 0;       // rows of a table that stand for what was done: moves, or levels of motors
  int hidden = 0;  // a multiple of 8
  int outputs = 0;
  bool from_zero = false;  // the outputs begin at 0: they are added to those of another model
  double persistence = 0;  // what is added to the output of doing the same again
};

// The histories of a batch as the LSTM reads them: last action and state. All models share it.
template <class Real>
struct HistoryInputs {
  Index K = 0;              // look-ups a row
  std::vector<int> lookup;  // (R, K)
  Buffer<Real> numbers;     // (R, D)

  // Makes room: up to this many rows, views stay valid while rows are appended.
  void reserve(int rows, const Encoding& encoding);

  // Appends the rows of `histories` from row `begin` on; A as in ModelShape.
  void append(const Histories& histories, int begin, const Encoding& encoding, int A);

  Inputs<Real> view() const { return {K, lookup, numbers.view()}; }
};

// The first `levels` levels of the histories, as the nets see them.
Tree tree_of(const Histories& histories, int levels);

// Questions to a model: a history each, and what the model is told.
struct Queries {
  std::vector<int> row;     // (Q) a row of the histories
  std::vector<int> action;  // (Q) or empty where the model is not told
  std::vector<int> goal;    // (Q) or empty

  void clear();
  int size() const { return static_cast<int>(row.size()); }
};

template <class Real>
class SequenceModel {
 public:
  // Goals are states, or coded in a way of their own. The codes must outlive the model.
  SequenceModel(ModelShape shape, const Encoding& states, InitAddress address)
      : SequenceModel(std::move(shape), states, states, address) {}
  SequenceModel(ModelShape shape, const Encoding& states, const Encoding& goals,
                InitAddress address);

  const ModelShape& shape() const { return shape_; }
  Index columns() const { return columns_; }  // outputs, padded
  Parameters<Real>& parameters() { return parameters_; }
  const Parameters<Real>& parameters() const { return parameters_; }
  AdamState<Real>& adam() { return adam_; }
  const AdamState<Real>& adam() const { return adam_; }

  // Encodes level t, given the levels before it; `tree` may grow between calls. What the inputs
  // look at must live until the last answer about them.
  void encode_level(const Tree& tree, int t, const Inputs<Real>& inputs);

  // Encodes all levels.
  void encode(const Tree& tree, const Inputs<Real>& inputs);

  // Encodes what these queries need, and no more: no others can be answered afterwards.
  void encode(const Tree& tree, const Inputs<Real>& inputs, const Queries& queries);

  // The outputs (Q, columns) of the queries; rows must be encoded. Valid until the next call. Rows
  // before `first_row` are not asked about, and cost nothing.
  MatrixView<const Real> answer(const Queries& queries, int first_row = 0);

  // The same with all answers kept since level 0 was encoded.
  MatrixView<const Real> answer_more(const Queries& queries, int first_row);

  // All answers that are kept.
  MatrixView<const Real> answers() const { return outputs_.view(); }

  // Adds to the gradient, from that of all answers that are kept: `queries` are theirs, and all
  // levels were encoded or what they need.
  void backward(MatrixView<const Real> doutputs, const Queries& queries, const Tree& tree);

  // One step of Adam with the gradient, which is zero afterwards. Throws an Error that names the
  // model and `update` where the gradient is not finite.
  void step(const AdamSettings& settings, long update);

 private:
  // answers queries, with those before `begin` kept
  void answer_from(std::size_t begin, const Queries& queries, int first_row);

  // what the look-ups and numbers of the queries are, for the hidden layer
  Inputs<Real> query_inputs(const Queries& queries);

  template <class R>
  struct Weights {
    LstmWeights<R> lstm;
    HiddenWeights<R> hidden;
    DenseWeights<R> out;
  };
  Weights<const Real> weights() const;
  Weights<Real> gradients();

  ModelShape shape_;
  const ActionCode* actions_;
  const Encoding* goals_;
  Index columns_ = 0;
  Inputs<Real> inputs_;  // of the last encoding
  Parameters<Real> parameters_;
  AdamState<Real> adam_;

  PrunedTree<Real> pruned_;
  bool is_pruned_ = false;  // the states are those of `pruned_`

  // work space, which only grows
  LstmStates<Real> states_;
  LstmDeltas<Real> deltas_;
  HiddenStates<Real> hidden_;
  Panels<Real> out_panels_;
  Buffer<Real> outputs_, dfeatures_;
  std::vector<int> query_row_, query_lookup_;
  Buffer<Real> query_numbers_;
};

}  // namespace vic
