#include "model/predictor.h"

namespace vic {

void Outcomes::clear() {
  query.clear();
  choice.clear();
}

Predictor::Predictor(ModelShape shape, const Encoding& states, InitAddress address, int F)
    : Predictor(std::move(shape), states, states, address, F) {}

Predictor::Predictor(ModelShape shape, const Encoding& states, const Encoding& goals,
                     InitAddress address, int F)
    : model_(shape, states, goals, address),
      states_(&states),
      factors_{.F = F, .K = shape.outputs / F} {}

Predictor::Predictor(ModelShape shape, const Encoding& states, const Encoding& goals,
                     InitAddress address, const Mixture& mixture)
    : model_(std::move(shape), states, goals, address), states_(&states), mixture_(mixture) {}

MatrixView<const float> Predictor::probabilities(const Queries& queries, int first_row) {
  categorical_forward(categorical_, model_.answer(queries, first_row), factors_);
  return categorical_.p.view();
}

MatrixView<const float> Predictor::more_probabilities(const Queries& queries, int first_row,
                                                      const Base& base) {
  categorical_forward(categorical_, added(model_.answer_more(queries, first_row), base), factors_);
  return categorical_.p.view();
}

// the outputs with what they correct
MatrixView<const float> Predictor::added(MatrixView<const float> outputs, const Base& base) {
  if (base.row.empty()) return outputs;
  sum_.reshape(outputs.rows, outputs.cols);
  for (Index q = 0; q < outputs.rows; ++q) {
    const float *own = outputs.row(q), *other = base.outputs.row(base.row[q]);
    for (Index j = 0; j < outputs.cols; ++j) sum_.row(q)[j] = own[j] + other[j];
  }
  return sum_.view();
}

Targets<float> Predictor::targets(const Queries& queries, const Outcomes& outcomes,
                                  const Asked& asked) {
  const Index d = mixture_->d;
  steps_.reshape(outcomes.size(), d);
  for (int m = 0; m < outcomes.size(); ++m) {
    const int s = asked.histories.state[queries.row[outcomes.query[m]]];
    const double* from = &states_->coordinates[s * d];
    const double* to = &states_->coordinates[outcomes.choice[m] * d];
    for (Index j = 0; j < d; ++j) steps_.row(m)[j] = static_cast<float>(to[j] - from[j]);
  }
  return {outcomes.query, steps_.view()};
}

void Predictor::log_p(std::vector<float>& log_p, const Queries& queries, const Outcomes& outcomes,
                      const Asked& asked, const Base& base) {
  outputs_ = added(model_.answer(queries), base);
  log_p.resize(outcomes.query.size());
  if (mixture_) {
    mixture_log_density<float>(log_p, scratch_, outputs_, targets(queries, outcomes, asked),
                               *mixture_);
    return;
  }
  log_p_of(log_p, outcomes);
}

void Predictor::kept_log_p(std::vector<float>& log_p, const Outcomes& outcomes) {
  outputs_ = model_.answers();
  log_p_of(log_p, outcomes);
}

// the softmax of the outputs
void Predictor::log_p_of(std::vector<float>& log_p, const Outcomes& outcomes) {
  log_p.resize(outcomes.query.size());
  categorical_forward(categorical_, outputs_, factors_);
  categorical_log_p<float>(log_p, categorical_, outputs_, {outcomes.query, outcomes.choice},
                           factors_);
}

void Predictor::add_gradient(const Queries& queries, const Outcomes& outcomes,
                             std::span<const float> scale, const Asked& asked,
                             const Noise<float>& noise) {
  doutputs_.reshape(queries.size(), model_.columns());
  if (mixture_) {
    mixture_smooth<float>(doutputs_.view(), {}, scratch_, outputs_,
                          targets(queries, outcomes, asked), scale, noise, *mixture_);
  } else {
    categorical_backward<float>(doutputs_.view(), categorical_, {outcomes.query, outcomes.choice},
                                scale, factors_);
  }
  model_.backward(doutputs_.view(), queries, asked.tree);
}

}  // namespace vic
