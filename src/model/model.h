// A sequence model with a head: probabilities of targets, and their gradients.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "model/sequence_model.h"
#include "nn/categorical.h"
#include "nn/logistic_cells.h"
#include "nn/mixture.h"
#include "nn/shared_classes.h"
#include "nn/squashed_gaussian.h"

namespace vic {

// The outcomes of queries, as observed. Several targets may share a query.
struct Targets {
  std::vector<int> query;  // (M)
  // (M, F) the choices of an action, or (M) a next state, a skill or a continuous action
  std::vector<int> choice;

  // of shared classes: the regression targets of the number beside them, or empty
  std::vector<float> number = {};        // (first queries)
  std::vector<float> number_scale = {};  // (first queries)

  void clear();
  int size() const { return static_cast<int>(query.size()); }
};

// The histories that queries are about, and the codes of their states, actions and goals.
struct QueryContext {
  const Histories& histories;
  Inputs<float> inputs;
  Tree tree;  // the levels that are encoded
  const Codes& codes;
};

// The logits of another model, which those of a residual model are added to.
struct LogitOffset {
  MatrixView<const float> logits = {};  // (N, columns)
  std::span<const int> row = {};        // (Q) the row for each query; empty for no offset
};

// The prediction of a model: choices, each by its own softmax; one of the states, by a softmax over
// shared outputs; a cell of simulated states, by a mixture of logistics; the step
// x(s_t+1) - x(s_t) in the states' coordinates, by a Gaussian mixture; or a continuous action, by
// squashed Gaussians.
using Head = std::variant<Factors, SharedClasses, LogisticCells, Mixture, SquashedGaussian>;

// The number of a net's outputs that a head reads.
int outputs_of(const Head& head);

// The results of queries of a model. It belongs to the caller, and its buffers only grow.
struct ModelWorkspace {
  SequenceWorkspace<float> net;
  CategoricalStates<float> categorical;
  MixtureScratch<float> mixture;
  LogisticCellsScratch<float> cells;
  MatrixView<const float> logits;  // of the last call but those that append, offset included
  Buffer<float> sum, steps, dlogits, doutputs;
  const Codes* codes = nullptr;  // of the last call of probabilities or append_probabilities
  std::vector<int> at;           // (Q) the state in which a query of shared classes is made
  Buffer<float> place;           // (Q, K) where a query of cells is made, in bins
  std::vector<float> left;       // (Q) the share of the option's time that is left there
  const Noise<float>* smoothing = nullptr;  // added to the targets of a mixture's gradient
};

class Model {
 public:
  Model(ModelShape shape, Head head, InitAddress address);

  const ModelShape& shape() const { return net_.shape(); }
  const Head& head() const { return head_; }
  bool is_categorical() const {
    return std::holds_alternative<Factors>(head_) || std::holds_alternative<SharedClasses>(head_);
  }
  bool is_continuous() const { return std::holds_alternative<SquashedGaussian>(head_); }
  const SequenceModel<float>& net() const { return net_; }
  SequenceModel<float>& net() { return net_; }

  // The probabilities (Q, classes) of a categorical head; the outputs of a head for continuous
  // actions. Rows must be encoded.
  MatrixView<const float> probabilities(ModelWorkspace& work, const Queries& queries,
                                        const Codes& codes) const;

  // The same level by level: the logits of all queries since level 0 are kept, for cached_log_p.
  // They are kept without the offset.
  MatrixView<const float> append_probabilities(ModelWorkspace& work, const Queries& queries,
                                               const Codes& codes,
                                               const LogitOffset& offset = {}) const;

  // The number beside shared classes, of query q.
  float number(const ModelWorkspace& work, int q) const {
    return work.net.outputs.row(q)[std::get<SharedClasses>(head_).width];
  }

  // log_p (M): the log-probability, or log-density, of each target. Rows must be encoded.
  void log_p(std::vector<float>& log_p, ModelWorkspace& work, const Queries& queries,
             const Targets& targets, const QueryContext& context,
             const LogitOffset& offset = {}) const;

  // The same from the logits kept by append_probabilities.
  void cached_log_p(std::vector<float>& log_p, ModelWorkspace& work, const Targets& targets) const;

  // expected (Q): the mean over the cells of w (cells), for the first Q queries of the last call of
  // log_p; with `table` (Q), w is (W, cells), and each query has its own.
  void expectation(std::vector<float>& expected, ModelWorkspace& work, std::span<const float> w,
                   int Q, std::span<const int> table = {}) const;

  // Adds the gradient of the loss -sum_m scale[m] log p[m], for the queries and targets of the last
  // call of log_p or cached_log_p. The targets of a mixture are smoothed by work.smoothing; for
  // shared classes, queries after the last one with a target cost nothing.
  void add_gradient(Block<float>& gradient, ModelWorkspace& work, const Queries& queries,
                    const Targets& targets, std::span<const float> scale,
                    const QueryContext& context) const;

 private:
  // the factors of a categorical head, each with its softmax
  Factors factors() const;
  void query_shared(ModelWorkspace& work, const Queries& queries, const Codes& codes,
                    const SharedClasses& shared) const;
  MatrixView<const float> with_offset(ModelWorkspace& work, MatrixView<const float> logits,
                                      const LogitOffset& offset) const;
  void add_shared_gradient(Block<float>& gradient, ModelWorkspace& work, const Queries& queries,
                           const Targets& targets, std::span<const float> scale,
                           const QueryContext& context, const SharedClasses& shared) const;
  void categorical_log_p_of(std::vector<float>& log_p, ModelWorkspace& work,
                            const Targets& targets) const;
  void place_queries(ModelWorkspace& work, const Queries& queries,
                     const QueryContext& context) const;
  SquashedActions<float> pushes_of(ModelWorkspace& work, const Targets& targets,
                                   const Codes& codes) const;
  StepTargets<float> steps_of(ModelWorkspace& work, const Queries& queries, const Targets& targets,
                              const QueryContext& context) const;

  SequenceModel<float> net_;
  Head head_;
};

}  // namespace vic
