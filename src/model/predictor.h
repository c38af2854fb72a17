// A sequence model with a head: probabilities of what was asked, and learning from what came.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/sequence_model.h"
#include "nn/categorical.h"
#include "nn/mixture.h"

namespace vic {

// What came of the queries. Several outcomes may share a query.
struct Outcomes {
  std::vector<int> query;   // (M)
  std::vector<int> choice;  // (M, F) the choices of an action, or (M) a next state

  void clear();
  int size() const { return static_cast<int>(query.size()); }
};

// The histories that queries are about.
struct Asked {
  const Histories& histories;
  Inputs<float> inputs;
  Tree tree;  // the levels that are encoded
};

// What an answer is added to: an answer of another model. A model that corrects another one learns
// the difference.
struct Base {
  MatrixView<const float> outputs = {};  // (N, columns)
  std::span<const int> row = {};         // (Q) which of them; empty for none
};

class Predictor {
 public:
  // Predicts one of shape.outputs classes by a softmax, or the F choices of an action, each by its
  // own. Goals are states, or coded in a way of their own. The codes must outlive the predictor.
  Predictor(ModelShape shape, const Encoding& states, InitAddress address, int F = 1);
  Predictor(ModelShape shape, const Encoding& states, const Encoding& goals, InitAddress address,
            int F = 1);

  // Predicts the step x(s_t+1) - x(s_t) in the states' coordinates by a Gaussian mixture.
  Predictor(ModelShape shape, const Encoding& states, const Encoding& goals, InitAddress address,
            const Mixture& mixture);

  SequenceModel<float>& model() { return model_; }
  const SequenceModel<float>& model() const { return model_; }

  // The probabilities (Q, classes) of a softmax head. Rows must be encoded; those before
  // `first_row` are not asked about.
  MatrixView<const float> probabilities(const Queries& queries, int first_row = 0);

  // The same level by level, with all answers kept since level 0 was encoded. A base is not kept
  // with them.
  MatrixView<const float> more_probabilities(const Queries& queries, int first_row,
                                             const Base& base = {});

  // log_p (M): the log-probability, or log-density, of each outcome. Rows must be encoded.
  void log_p(std::vector<float>& log_p, const Queries& queries, const Outcomes& outcomes,
             const Asked& asked, const Base& base = {});

  // The same from the answers that are kept: those of the last call of probabilities or log_p, or
  // all of more_probabilities.
  void kept_log_p(std::vector<float>& log_p, const Outcomes& outcomes);

  // Adds to the gradient that of the loss -sum_m scale[m] log p[m], for the queries and outcomes of
  // the last call of log_p or kept_log_p. A mixture is smoothed: its targets are blurred by the
  // noise.
  void add_gradient(const Queries& queries, const Outcomes& outcomes, std::span<const float> scale,
                    const Asked& asked, const Noise<float>& noise);

 private:
  MatrixView<const float> added(MatrixView<const float> outputs, const Base& base);
  void log_p_of(std::vector<float>& log_p, const Outcomes& outcomes);
  Targets<float> targets(const Queries& queries, const Outcomes& outcomes, const Asked& asked);

  SequenceModel<float> model_;
  const Encoding* states_;
  Factors factors_;
  std::optional<Mixture> mixture_;

  CategoricalStates<float> categorical_;
  MixtureScratch<float> scratch_;
  MatrixView<const float> outputs_;  // of the last answer
  Buffer<float> doutputs_, steps_, sum_;
};

}  // namespace vic
