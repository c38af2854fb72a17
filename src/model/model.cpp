#include "model/model.h"

#include <fmt/format.h>

#include "base/error.h"

namespace vic {

void Targets::clear() {
  query.clear();
  choice.clear();
}

int outputs_of(const Head& head) {
  return static_cast<int>(std::visit([](const auto& kind) { return kind.outputs(); }, head));
}

Model::Model(ModelShape shape, Head head, InitAddress address)
    : net_(std::move(shape), address), head_(head) {
  // the outputs are padded: a head that reads too many would take padding for classes
  if (outputs_of(head_) != net_.shape().outputs) {
    throw Error(fmt::format("{} has {} outputs, and its head reads {}", net_.shape().name,
                            net_.shape().outputs, outputs_of(head_)));
  }
}

MatrixView<const float> Model::probabilities(ModelWorkspace& work, const Queries& queries,
                                             const Codes& codes, int first_row) const {
  categorical_forward(work.categorical, net_.query(work.net, queries, codes, first_row),
                      std::get<Factors>(head_));
  return work.categorical.p.view();
}

MatrixView<const float> Model::append_probabilities(ModelWorkspace& work, const Queries& queries,
                                                    const Codes& codes, int first_row,
                                                    const LogitOffset& offset) const {
  const MatrixView<const float> logits = net_.query_more(work.net, queries, codes, first_row);
  categorical_forward(work.categorical, with_offset(work, logits, offset),
                      std::get<Factors>(head_));
  return work.categorical.p.view();
}

MatrixView<const float> Model::with_offset(ModelWorkspace& work, MatrixView<const float> logits,
                                           const LogitOffset& offset) const {
  if (offset.row.empty()) return logits;
  work.sum.reshape(logits.rows, logits.cols);
  for (Index q = 0; q < logits.rows; ++q) {
    const float *own = logits.row(q), *other = offset.logits.row(offset.row[q]);
    for (Index j = 0; j < logits.cols; ++j) work.sum.row(q)[j] = own[j] + other[j];
  }
  return work.sum.view();
}

// the steps that the targets are, in the states' coordinates
StepTargets<float> Model::steps_of(ModelWorkspace& work, const Queries& queries,
                                   const Targets& targets, const QueryContext& context) const {
  const Index d = std::get<Mixture>(head_).d;
  const std::vector<double>& coordinates = context.codes.coordinates;
  work.steps.reshape(targets.size(), d);
  for (int m = 0; m < targets.size(); ++m) {
    const int s = context.histories.state[queries.row[targets.query[m]]];
    const double *from = &coordinates[s * d], *to = &coordinates[targets.choice[m] * d];
    for (Index j = 0; j < d; ++j) work.steps.row(m)[j] = static_cast<float>(to[j] - from[j]);
  }
  return {targets.query, work.steps.view()};
}

void Model::log_p(std::vector<float>& log_p, ModelWorkspace& work, const Queries& queries,
                  const Targets& targets, const QueryContext& context,
                  const LogitOffset& offset) const {
  work.logits = with_offset(work, net_.query(work.net, queries, context.codes), offset);
  if (is_categorical()) return categorical_log_p_of(log_p, work, targets);
  log_p.resize(targets.query.size());
  mixture_log_density<float>(log_p, work.mixture, work.logits,
                             steps_of(work, queries, targets, context), std::get<Mixture>(head_));
}

void Model::cached_log_p(std::vector<float>& log_p, ModelWorkspace& work,
                         const Targets& targets) const {
  work.logits = work.net.outputs.view();
  categorical_log_p_of(log_p, work, targets);
}

void Model::categorical_log_p_of(std::vector<float>& log_p, ModelWorkspace& work,
                                 const Targets& targets) const {
  const Factors& factors = std::get<Factors>(head_);
  log_p.resize(targets.query.size());
  categorical_forward(work.categorical, work.logits, factors);
  categorical_log_p<float>(log_p, work.categorical, work.logits, {targets.query, targets.choice},
                           factors);
}

void Model::add_gradient(Block<float>& gradient, ModelWorkspace& work, const Queries& queries,
                         const Targets& targets, std::span<const float> scale,
                         const QueryContext& context) const {
  work.dlogits.reshape(queries.size(), net_.columns());
  if (const Mixture* mixture = std::get_if<Mixture>(&head_)) {
    if (!work.smoothing) {
      throw Error(fmt::format("{} learns steps, and its workspace has no smoothing", shape().name));
    }
    mixture_smooth<float>(work.dlogits.view(), work.mixture, work.logits,
                          steps_of(work, queries, targets, context), scale, *work.smoothing,
                          *mixture);
  } else {
    categorical_backward<float>(work.dlogits.view(), work.categorical,
                                {targets.query, targets.choice}, scale, std::get<Factors>(head_));
  }
  net_.backward(gradient, work.net, work.dlogits.view(), queries, context.codes, context.tree);
}

}  // namespace vic
