// The nets together: an update of a small model learns, and allocates nothing once it has run.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "nn/categorical.h"
#include "nn/dense.h"
#include "nn/logistic_cells.h"
#include "nn/lstm.h"
#include "nn/mixture.h"
#include "nn/parameters.h"
#include "support/gradient_check.h"

// Counts the allocations of the whole program. A sanitizer brings its own allocator, so tests that
// need the count are not built under one. clang names sanitizers otherwise than g++.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define VIC_OWN_ALLOCATOR
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define VIC_OWN_ALLOCATOR
#endif
#ifndef VIC_OWN_ALLOCATOR
namespace {
std::atomic<long> allocations{0};
}

extern "C" {
// the C library's own names for them
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(std::size_t size) noexcept;
void* __libc_memalign(std::size_t alignment, std::size_t size) noexcept;
// NOLINTEND(bugprone-reserved-identifier)
void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}
#endif

namespace vic::steady_test {
namespace {

constexpr Index B = 128, H = 64, X = 40, M = 64;

// mean negative log-likelihoods
struct Losses {
  double action = 0, mixture = 0;
};

// a sequence model with both kinds of head over B histories of T levels that share nothing
struct Model {
  Index T;
  Parameters<float> p;
  Block<float> gradients;
  AdamState<float> adam;
  std::vector<int> first, parent, lookup, row, query, choice;
  std::vector<float> scale, log_p;
  Buffer<float> logits, dlogits, outputs, doutputs, dy, dy_mixture, x;
  Panels<float> panels;
  LstmStates<float> lstm;
  LstmDeltas<float> deltas;
  HiddenStates<float> hidden;
  CategoricalStates<float> categorical;
  MixtureScratch<float> scratch;
  Noise<float> noise;
  Factors factors = {.F = 1, .K = 5};
  Mixture mixture = {.n = 10, .d = 2, .sigma = 0.25};

  explicit Model(Index levels) : T(levels) {
    ParameterLayout layout;
    layout.add("lstm.W_h", H, 4 * H);
    layout.add("lstm.table", X, 4 * H);
    layout.add("lstm.b", 1, 4 * H, Init::zero);
    layout.add("hidden.W", H, M);
    layout.add("hidden.b", 1, M, Init::zero);
    layout.add("action.W", M, 16);
    layout.add("action.b", 1, 16, Init::zero);
    layout.add("mixture.W", M, 32);
    layout.add("mixture.b", 1, 32, Init::zero);
    p = make_parameters<float>(layout, {.seed = 1, .stream = 0});
    gradients.assign(p.values.size(), 0);
    adam = AdamState<float>(p.values.size());
    for (Index t = 0; t <= T; ++t) first.push_back(static_cast<int>(t * B));
    for (int r = 0; r < T * B; ++r) {
      parent.push_back(r < B ? -1 : r - static_cast<int>(B));
      lookup.push_back(r * 7 % static_cast<int>(X));
      row.push_back(r);
      query.push_back(r);
      choice.push_back(r % 5);
    }
    scale.assign(row.size(), 1 / static_cast<float>(row.size()));
    log_p.assign(row.size(), 0);
    x = random_matrix<float>(T * B, 2, 1);
    sample_noise(noise, {.points = 128, .d = 2}, {.seed = 1});
  }

  LstmWeights<const float> lstm_weights() const {
    return {p.value(0), {p.value(1), {}, p.value(2)}};
  }
  HiddenWeights<const float> hidden_weights() const { return {p.value(3), {{}, {}, p.value(4)}}; }

  MatrixView<float> gradient(int slice) { return view(gradients, p.layout.slice(slice)); }

  // one update; returns the losses before it
  Losses update() {
    const Tree tree = {first, parent};
    const Inputs<float> inputs = {1, lookup, {}}, none = {};
    const DenseWeights<const float> action = {p.value(5), p.value(6)};
    const DenseWeights<const float> mix = {p.value(7), p.value(8)};
    std::fill(gradients.begin(), gradients.end(), 0.0F);

    lstm_forward(lstm, tree, inputs, lstm_weights());
    hidden.forget_rows();
    hidden_product<float>(hidden, lstm.h.view(), hidden_weights());
    hidden_forward<float>(hidden, row, none, hidden_weights());
    logits.reshape(hidden.y.rows(), action.W.cols);
    outputs.reshape(hidden.y.rows(), mix.W.cols);
    dense_forward<float>(logits.view(), panels, hidden.y.view(), action);
    dense_forward<float>(outputs.view(), panels, hidden.y.view(), mix);
    categorical_forward<float>(categorical, logits.view(), factors);
    categorical_log_p<float>(log_p, categorical, logits.view(), {query, choice}, factors);
    Losses losses;
    for (float value : log_p) losses.action -= static_cast<double>(value * scale[0]);

    dlogits.reshape(logits.rows(), logits.cols());
    doutputs.reshape(outputs.rows(), outputs.cols());
    categorical_backward<float>(dlogits.view(), categorical, {query, choice}, scale, factors);
    mixture_smooth<float>(doutputs.view(), scratch, outputs.view(), {query, x.view()}, scale, noise,
                          mixture);
    mixture_log_density<float>(log_p, scratch, outputs.view(), {query, x.view()}, mixture);
    for (float value : log_p) losses.mixture -= static_cast<double>(value * scale[0]);
    dense_backward<float>(dy, {gradient(5), gradient(6)}, panels, dlogits.view(), hidden.y.view(),
                          action);
    dense_backward<float>(dy_mixture, {gradient(7), gradient(8)}, panels, doutputs.view(),
                          hidden.y.view(), mix);
    for (Index i = 0; i < dy.view().size(); ++i) dy.row(0)[i] += dy_mixture.row(0)[i];
    deltas.dh.reshape(T * B, H);
    hidden_backward<float>(deltas.dh.view(), {gradient(3), {{}, {}, gradient(4)}}, hidden,
                           dy.view(), lstm.h.view(), row, none, hidden_weights());
    lstm_backward(deltas, {gradient(0), {gradient(1), {}, gradient(2)}}, tree, lstm, inputs,
                  lstm_weights());
    adam_step(p.values, adam, gradients, {.learning_rate = 1e-2});
    return losses;
  }
};

TEST(Nets, LearnWhatTheyAreShown) {
  Model model(/*levels=*/2);
  const Losses before = model.update();
  for (int i = 0; i < 120; ++i) model.update();
  const Losses after = model.update();
  // the class is a function of the look-up before it: little of log 5 may be left
  EXPECT_NEAR(before.action, std::log(5.0), 0.1);
  EXPECT_LT(after.action, 0.1);
  // the targets depend on no input, but the mixture must find where they lie
  EXPECT_LT(after.mixture, 0.5 * before.mixture);
}

TEST(Nets, TheSameUpdatesGiveTheSameBits) {
  Model a(/*levels=*/2), b(/*levels=*/2);
  a.update();
  b.update();
  EXPECT_EQ(a.p.values, b.p.values);
}

#ifndef VIC_OWN_ALLOCATOR
TEST(Nets, AllocateNothingOnceTheyHaveRun) {
  Model model(/*levels=*/12);
  model.update();
  const long before = allocations;
  const Losses losses = model.update();
  EXPECT_EQ(allocations - before, 0);
  EXPECT_TRUE(std::isfinite(losses.action));
  // the counter counts
  const std::vector<double> more(1000, losses.action);
  EXPECT_GT(allocations - before, 0) << more.size();
}

TEST(Nets, TheHeadForCellsAllocatesNothingOnceItHasRun) {
  const LogisticCells head = {.n = 8, .axes = {{.bins = 12}, {.bins = 5}}};
  const Buffer<float> outputs = random_matrix<float>(B, 40, 1), at = random_matrix<float>(B, 2, 2);
  Buffer<float> doutputs = zeros_like(outputs);
  std::vector<int> query, cell;
  for (int q = 0; q < B; ++q) {
    query.push_back(q);
    cell.push_back(q % 60);
  }
  const std::vector<float> left(B, 0.5F), w(60, 1);
  std::vector<float> log_p(B), expected(B);
  LogisticCellsScratch<float> scratch;
  const CellQueries<float> queries = {outputs.view(), at.view(), left};
  const auto run = [&] {
    logistic_cells_log_p<float>(log_p, scratch, queries, {query, cell}, head);
    logistic_cells_backward<float>(doutputs.view(), scratch, queries, {query, cell}, left, head);
    logistic_cells_expectation<float>(expected, scratch, queries, w, head);
  };
  long before = allocations;
  run();
  EXPECT_GT(allocations - before, 0);
  before = allocations;
  run();
  EXPECT_EQ(allocations - before, 0);
}
#endif

}  // namespace
}  // namespace vic::steady_test
