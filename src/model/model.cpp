#include "model/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace vic {

void Targets::clear() {
  query.clear();
  choice.clear();
  number.clear();
  number_scale.clear();
}

int outputs_of(const Head& head) {
  return static_cast<int>(std::visit([](const auto& kind) { return kind.outputs(); }, head));
}

Model::Model(ModelShape shape, Head head, InitAddress address)
    : net_(std::move(shape), address), head_(head) {
  // the outputs are padded: a head that reads too many would read padding as classes
  if (outputs_of(head_) != net_.shape().outputs) {
    throw Error(fmt::format("{} has {} outputs, and its head reads {}", net_.shape().name,
                            net_.shape().outputs, outputs_of(head_)));
  }
}

Factors Model::factors() const {
  const SharedClasses* shared = std::get_if<SharedClasses>(&head_);
  return shared != nullptr ? Factors{.K = shared->S} : std::get<Factors>(head_);
}

// with an output per state these are many: each block of rows is finished before the next begins
void Model::query_shared(ModelWorkspace& work, const Queries& queries, const Codes& codes,
                         const SharedClasses& shared) const {
  work.at.assign(queries.size(), 0);
  if (!shared.offset.empty()) {
    // the look-ups of a row are the last action, then the state itself
    const Inputs<float>& inputs = work.net.inputs;
    const Encoding& encoding = shape().encoding;
    for (int q = 0; q < queries.size(); ++q) {
      work.at[q] = inputs.lookup[queries.row[q] * inputs.K + encoding.F] - encoding.A;
    }
  }
  if (!shared.own) work.sum.reshape(queries.size(), shared.S);
  net_.query(work.net, queries, codes, [&](RowRange rows) {
    const MatrixView<float> outputs = work.net.outputs.view();
    const MatrixView<float> logits = shared.own ? outputs : work.sum.view();
    shared_logits<float>(logits.slice(rows.begin, rows.end), outputs.slice(rows.begin, rows.end),
                         std::span<const int>(work.at).subspan(rows.begin, rows.end - rows.begin),
                         shared);
    work.logits = logits;
    categorical_forward_rows(work.categorical, work.logits, factors(), rows);
  });
}

MatrixView<const float> Model::probabilities(ModelWorkspace& work, const Queries& queries,
                                             const Codes& codes) const {
  work.codes = &codes;
  if (const SharedClasses* shared = std::get_if<SharedClasses>(&head_)) {
    query_shared(work, queries, codes, *shared);
    return work.categorical.p.view();
  }
  work.logits = net_.query(work.net, queries, codes);
  if (is_continuous()) return work.logits;
  categorical_forward(work.categorical, work.logits, factors());
  return work.categorical.p.view();
}

MatrixView<const float> Model::append_probabilities(ModelWorkspace& work, const Queries& queries,
                                                    const Codes& codes,
                                                    const LogitOffset& offset) const {
  work.codes = &codes;
  const MatrixView<const float> logits =
      with_offset(work, net_.query_more(work.net, queries, codes), offset);
  if (is_continuous()) return logits;
  categorical_forward(work.categorical, logits, std::get<Factors>(head_));
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

// the continuous actions of the targets
SquashedActions<float> Model::pushes_of(ModelWorkspace& work, const Targets& targets,
                                        const Codes& codes) const {
  const Index F = std::get<SquashedGaussian>(head_).F;
  work.steps.reshape(targets.size(), F);
  for (int m = 0; m < targets.size(); ++m) {
    std::copy_n(&codes.pushes[std::size_t(targets.choice[m]) * F], F, work.steps.row(m));
  }
  return {targets.query, work.steps.view()};
}

// the steps of the targets, in the states' coordinates
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
  if (is_categorical() && offset.row.empty()) {
    probabilities(work, queries, context.codes);
    return categorical_log_p_of(log_p, work, targets);
  }
  work.logits = with_offset(work, net_.query(work.net, queries, context.codes), offset);
  if (is_categorical()) {
    categorical_forward(work.categorical, work.logits, factors());
    return categorical_log_p_of(log_p, work, targets);
  }
  log_p.resize(targets.query.size());
  if (const LogisticCells* cells = std::get_if<LogisticCells>(&head_)) {
    place_queries(work, queries, context);
    return logistic_cells_log_p<float>(log_p, work.cells,
                                       {work.logits, std::as_const(work.place).view(), work.left},
                                       {targets.query, targets.choice}, *cells);
  }
  if (const SquashedGaussian* gaussian = std::get_if<SquashedGaussian>(&head_)) {
    return squashed_log_density<float>(log_p, work.logits, pushes_of(work, targets, context.codes),
                                       *gaussian);
  }
  mixture_log_density<float>(log_p, work.mixture, work.logits,
                             steps_of(work, queries, targets, context), std::get<Mixture>(head_));
}

// sets where the queries about cells are made, and the time left there
void Model::place_queries(ModelWorkspace& work, const Queries& queries,
                          const QueryContext& context) const {
  const LogisticCells& cells = std::get<LogisticCells>(head_);
  const Codes& codes = context.codes;
  work.place.reshape(queries.size(), cells.d());
  work.left.resize(queries.size());
  for (int q = 0; q < queries.size(); ++q) {
    const int s = context.histories.state[queries.row[q]];
    work.left[q] = codes.left[s];
    for (Index j = 0; j < cells.d(); ++j) {
      // the start is in the middle
      work.place.row(q)[j] =
          codes.place[s * cells.d() + j] + static_cast<float>(cells.axis(j).bins / 2);
    }
  }
}

void Model::expectation(std::vector<float>& expected, ModelWorkspace& work,
                        std::span<const float> w, int Q, std::span<const int> table) const {
  expected.resize(Q);
  const std::span<const float> left(work.left);
  logistic_cells_expectation<float>(
      expected, work.cells,
      {work.logits.slice(0, Q), std::as_const(work.place).view().slice(0, Q), left.first(Q)}, w,
      std::get<LogisticCells>(head_), table);
}

void Model::cached_log_p(std::vector<float>& log_p, ModelWorkspace& work,
                         const Targets& targets) const {
  work.logits = work.net.outputs.view();
  if (const SquashedGaussian* gaussian = std::get_if<SquashedGaussian>(&head_)) {
    log_p.resize(targets.query.size());
    return squashed_log_density<float>(log_p, work.logits, pushes_of(work, targets, *work.codes),
                                       *gaussian);
  }
  categorical_forward(work.categorical, work.logits, factors());
  categorical_log_p_of(log_p, work, targets);
}

void Model::categorical_log_p_of(std::vector<float>& log_p, ModelWorkspace& work,
                                 const Targets& targets) const {
  log_p.resize(targets.query.size());
  categorical_log_p<float>(log_p, work.categorical, work.logits, {targets.query, targets.choice},
                           factors());
}

void Model::add_gradient(Block<float>& gradient, ModelWorkspace& work, const Queries& queries,
                         const Targets& targets, std::span<const float> scale,
                         const QueryContext& context) const {
  if (const SharedClasses* shared = std::get_if<SharedClasses>(&head_)) {
    return add_shared_gradient(gradient, work, queries, targets, scale, context, *shared);
  }
  work.dlogits.reshape(queries.size(), net_.columns());
  if (const Mixture* mixture = std::get_if<Mixture>(&head_)) {
    if (!work.smoothing) {
      throw Error(fmt::format("{} learns steps, and its workspace has no smoothing", shape().name));
    }
    mixture_smooth<float>(work.dlogits.view(), work.mixture, work.logits,
                          steps_of(work, queries, targets, context), scale, *work.smoothing,
                          *mixture);
  } else if (const LogisticCells* cells = std::get_if<LogisticCells>(&head_)) {
    logistic_cells_backward<float>(work.dlogits.view(), work.cells,
                                   {work.logits, std::as_const(work.place).view(), work.left},
                                   {targets.query, targets.choice}, scale, *cells);
  } else if (const SquashedGaussian* gaussian = std::get_if<SquashedGaussian>(&head_)) {
    squashed_backward<float>(work.dlogits.view(), work.logits,
                             pushes_of(work, targets, context.codes), scale, *gaussian);
  } else {
    categorical_backward<float>(work.dlogits.view(), work.categorical,
                                {targets.query, targets.choice}, scale, std::get<Factors>(head_));
  }
  net_.backward(gradient, work.net, work.dlogits.view(), queries, context.codes, context.tree);
}

// only the first queries have targets: the others were made for their probabilities
void Model::add_shared_gradient(Block<float>& gradient, ModelWorkspace& work,
                                const Queries& queries, const Targets& targets,
                                std::span<const float> scale, const QueryContext& context,
                                const SharedClasses& shared) const {
  const int learned = 1 + *std::max_element(targets.query.begin(), targets.query.end());
  work.dlogits.reshape(learned, shared.S);
  categorical_backward<float>(work.dlogits.view(), work.categorical,
                              {targets.query, targets.choice}, scale, factors());
  work.doutputs.reshape(learned, net_.columns());
  shared_logits_backward<float>(work.doutputs.view(), work.dlogits.view(),
                                std::span(work.at).first(learned), shared);
  for (std::size_t q = 0; q < targets.number.size(); ++q) {
    work.doutputs.row(static_cast<Index>(q))[shared.width] =
        targets.number_scale[q] * (number(work, static_cast<int>(q)) - targets.number[q]);
  }
  net_.backward(gradient, work.net, work.doutputs.view(), queries.first(learned), context.codes,
                context.tree);
}

}  // namespace vic
