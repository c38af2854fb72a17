// The one net of the method. pi_p, pi_q, rho_p and rho_q are a 2 x 2 of it: it predicts a_t or
// s_t+1, and it is conditioned on a goal or not.
//
//   an LSTM encodes each history once; a query is a history with, where conditioned, a_t and a
//   goal: output = tanh(h[history] W + table[a_t] + table[goal] + b) W_out + b_out
//
// The goal is s_f in hindsight, on which a policy can also be conditioned in advance; or it is the
// number of a skill.
//
// A model holds weights, and is const while it is queried. Queries write to the caller's workspace,
// which the gradient reads; threads that query one model need one each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/matrix.h"
#include "model/encoding.h"
#include "nn/dense.h"
#include "nn/lstm.h"
#include "nn/parameters.h"
#include "world/histories.h"

namespace vic {

// What kind of goal a model is conditioned on.
enum class GoalKind { none, final_state, skill };

// What a model is conditioned on besides the history.
struct Conditioning {
  bool action = false;  // a_t: the model predicts what follows it
  GoalKind goal = GoalKind::none;
};

struct ModelShape {
  std::string name;  // "pi_q": for error messages and checkpoints
  Conditioning conditioning;
  Encoding encoding;
  int skills = 0;  // their number, where the goal is a skill
  int hidden = 0;  // a multiple of 8
  int outputs = 0;
  bool from_zero = false;          // the outputs are 0 at first: they are added to another model's
  double sticky_action_logit = 0;  // added to the output of repeating the last action
};

// The histories of a batch as the LSTM reads them: last action and state. All models share it.
template <class Real>
struct HistoryInputs {
  Index K = 0;              // look-ups per row
  std::vector<int> lookup;  // (R, K)
  Buffer<Real> numbers;     // (R, D)

  // Clears all rows and reserves `rows`: up to this many, views stay valid while rows are appended.
  void reserve(int rows, const Encoding& encoding);

  // Appends the rows of `histories` from row `begin` on.
  void append(const Histories& histories, int begin, const Encoding& encoding, const Codes& codes);

  Inputs<Real> view() const { return {K, lookup, numbers.view()}; }
};

// The first `levels` levels of the histories, as the nets see them.
Tree tree_of(const Histories& histories, int levels);

// Queries to a model: a history each, and what the model is conditioned on.
struct Queries {
  std::vector<int> row;     // (Q) a row of the histories
  std::vector<int> action;  // (Q) or empty where the model does not read it
  std::vector<int> goal;    // (Q) or empty; a goal of the codes, or a skill

  // where an action is decided factor by factor: the number of factors decided, and the level that
  // replaces the action's own in the last of them
  std::vector<int> factors = {};  // (Q) or empty: all
  std::vector<int> level = {};    // (Q) or empty; -1: the action's own

  void clear();
  int size() const { return static_cast<int>(row.size()); }

  // The first n of them.
  Queries first(int n) const;
};

// The part of a prefix tree that queries need: their histories and the prefixes of these. In most
// batches it is much less than the whole: rho is never queried about the history in which an option
// ended, and no model about one that left no choice.
template <class Real>
class PrunedTree {
 public:
  // Keeps what `queried`, rows of `tree`, need. The inputs are those of the tree's rows.
  void prune(const Tree& tree, const Inputs<Real>& inputs, std::span<const int> queried);

  // The remaining tree, its rows renumbered in the old order, and their inputs.
  Tree tree() const { return {first_, parent_}; }
  Inputs<Real> inputs() const { return {K_, lookup_, numbers_.view()}; }

  // The new number of a row that was kept.
  int row(int old_row) const { return place_[old_row]; }

 private:
  std::vector<int> place_;   // (old rows), -1 where a row was not kept
  std::vector<int> first_;   // (levels + 1)
  std::vector<int> parent_;  // (rows)
  Index K_ = 0;              // look-ups per row
  std::vector<int> lookup_;  // (rows, K)
  Buffer<Real> numbers_;     // (rows, D)
};

// The results of queries of a model: the encoded histories and the outputs. Its buffers only grow.
template <class Real>
struct SequenceWorkspace {
  SequenceWorkspace() = default;
  SequenceWorkspace(SequenceWorkspace&&) = default;  // not copied: it refers to its own buffers
  SequenceWorkspace& operator=(SequenceWorkspace&&) = default;

  Inputs<Real> inputs;  // of the encoded histories
  PrunedTree<Real> pruned;
  bool is_pruned = false;  // the states are those of `pruned`
  LstmStates<Real> states;
  HiddenStates<Real> hidden;
  Buffer<Real> outputs;        // (Q, columns) of all queries since the histories were encoded
  std::vector<int> query_row;  // (Q)

  // Clears the queries, for other histories or weights.
  void forget_queries() {
    query_row.clear();
    hidden.forget_rows();
  }

  LstmDeltas<Real> deltas;
  Panels<Real> out_panels;
  Buffer<Real> dfeatures;
  std::vector<int> query_lookup;
  Buffer<Real> query_numbers;
};

template <class Real>
class SequenceModel {
 public:
  using Workspace = SequenceWorkspace<Real>;

  SequenceModel(ModelShape shape, InitAddress address);

  const ModelShape& shape() const { return shape_; }
  Index columns() const { return columns_; }  // outputs, padded
  const Parameters<Real>& parameters() const { return parameters_; }
  Parameters<Real>& parameters() { return parameters_; }

  // Encodes level t, given the levels before it; `tree` may grow between calls. The data behind
  // `inputs` must live until the last query about them, and the weights must not change.
  void encode_level(Workspace& work, const Tree& tree, int t, const Inputs<Real>& inputs) const;

  // Encodes all levels.
  void encode(Workspace& work, const Tree& tree, const Inputs<Real>& inputs) const;

  // Encodes only what these queries need: no others can be made afterwards.
  void encode(Workspace& work, const Tree& tree, const Inputs<Real>& inputs,
              const Queries& queries) const;

  // Computes what all queries about the encoded rows have in common. Optional: the first query
  // does it otherwise.
  void prepare_queries(Workspace& work) const;

  // The outputs (Q, columns) of the queries; rows must be encoded. They replace those of earlier
  // queries. `done` may change work.outputs as they are computed.
  MatrixView<const Real> query(Workspace& work, const Queries& queries, const Codes& codes,
                               const RowsDone& done = {}) const;

  // The same, with the outputs appended to those of all queries since level 0 was encoded.
  MatrixView<const Real> query_more(Workspace& work, const Queries& queries,
                                    const Codes& codes) const;

  // Adds to `gradient`, given doutputs, the gradient of the first outputs in the workspace, or of
  // all, and their queries. All levels must be encoded, or those that the queries need.
  void backward(Block<Real>& gradient, Workspace& work, MatrixView<const Real> doutputs,
                const Queries& queries, const Codes& codes, const Tree& tree) const;

 private:
  // queries, with the outputs before `begin` kept
  void query_from(Workspace& work, std::size_t begin, const Queries& queries, const Codes& codes,
                  const RowsDone& done = {}) const;

  // the look-ups and numbers of the queries, for the hidden layer
  Inputs<Real> query_inputs(Workspace& work, const Queries& queries, const Codes& codes) const;

  ModelShape shape_;
  Index columns_ = 0;
  Parameters<Real> parameters_;
};

// The state of learning besides the model: its gradient, and Adam's averages.
template <class Real>
struct Optimizer {
  Block<Real> gradient;  // (parameters)
  AdamState<Real> adam;

  explicit Optimizer(const SequenceModel<Real>& model);

  // One step of Adam with the gradient, which is zero afterwards. Throws an Error that names the
  // model and `update` where the gradient is not finite.
  void step(SequenceModel<Real>& model, const AdamSettings& settings, long update);
};

}  // namespace vic
