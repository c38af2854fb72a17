#include "nn/gather.h"

#include "base/error.h"
#include "nn/lanes.h"

namespace vic {
namespace {

// rows that are summed in registers before the sum is stored, or added to in one sweep
constexpr Index terms_at_once = 8;

// the largest number of plain numbers that are added with the rest of their row: a product would
// read and write it again
constexpr Index few_numbers = 4;

// the plain numbers of a row where they are few, and their rows of weights
template <class Real>
struct FewNumbers {
  const Real* x = nullptr;        // (D)
  MatrixView<const Real> w = {};  // (D, M)
};

// C registers of y = sum of the rows and of scaled rows, from column j on
template <int C, class Real>
void sum_columns(Real* y, std::span<const Real* const> rows, const FewNumbers<Real>& numbers,
                 Index j) {
  using V = Lanes<Real>;
  constexpr Index L = lane_count<Real>;
  V sum[C];
  for (int c = 0; c < C; ++c) sum[c] = load(rows[0] + j + c * L);
  for (const Real* row : rows.subspan(1)) {
    for (int c = 0; c < C; ++c) sum[c] += load(row + j + c * L);
  }
  for (Index i = 0; i < numbers.w.rows; ++i) {
    const V x = fill<V>(numbers.x[i]);
    for (int c = 0; c < C; ++c) sum[c] += x * load(numbers.w.row(i) + j + c * L);
  }
  for (int c = 0; c < C; ++c) store(y + j + c * L, sum[c]);
}

// y = sum of the rows and of scaled rows, four registers at a time
template <class Real>
void sum_rows(Real* y, std::span<const Real* const> rows, const FewNumbers<Real>& numbers,
              Index M) {
  constexpr Index L = lane_count<Real>;
  Index j = 0;
  for (; j + 4 * L <= M; j += 4 * L) sum_columns<4>(y, rows, numbers, j);
  for (; j < M; j += L) sum_columns<1>(y, rows, numbers, j);
}

// adds C registers of x to every row, from column j on; a row that is listed twice gets them twice
template <int C, class Real>
void add_columns(std::span<Real* const> rows, const Real* x, Index j) {
  constexpr Index L = lane_count<Real>;
  Lanes<Real> v[C];
  for (int c = 0; c < C; ++c) v[c] = load(x + j + c * L);
  for (Real* row : rows) {
    for (int c = 0; c < C; ++c) store<Real>(row + j + c * L, load(row + j + c * L) + v[c]);
  }
}

// adds x to every row, four registers at a time: one at a time, loads wait for the stores before
// them, and an update of long options takes a tenth longer
template <class Real>
void add_to_rows(std::span<Real* const> rows, const Real* x, Index M) {
  constexpr Index L = lane_count<Real>;
  Index j = 0;
  for (; j + 4 * L <= M; j += 4 * L) add_columns<4>(rows, x, j);
  for (; j < M; j += L) add_columns<1>(rows, x, j);
}

}  // namespace

template <class Real>
void gather_row(Real* y, const Real* product, Index n, const Inputs<Real>& inputs,
                const InputWeights<const Real>& weights) {
  const Index M = weights.bias.cols;
  const Real* rows[terms_at_once] = {weights.bias.data};
  std::size_t count = 1;
  if (product != nullptr) rows[count++] = product;
  // sum what fits; with many look-ups, go on from the sum so far
  const int* lookup = inputs.lookup.data() + n * inputs.K;
  for (Index k = 0; k < inputs.K; ++k) {
    if (lookup[k] < 0) continue;
    if (count == terms_at_once) {
      sum_rows<Real>(y, {rows, count}, {}, M);
      rows[0] = y;
      count = 1;
    }
    rows[count++] = weights.table.row(lookup[k]);
  }
  FewNumbers<Real> numbers;
  if (inputs.dense.cols <= few_numbers) numbers = {inputs.dense.row(n), weights.dense};
  sum_rows<Real>(y, {rows, count}, numbers, M);
}

template <class Real>
void add_numbers(MatrixView<Real> y, RowRange rows, const Inputs<Real>& inputs,
                 const Panels<Real>& weights) {
  if (inputs.dense.cols <= few_numbers) return;
  add_product<Real>(y, inputs.dense.slice(rows.begin, rows.end), weights);
}

template <class Real>
void scatter_row(Real* dproduct, const InputWeights<Real>& dweights, const Real* dy, Index n,
                 const Inputs<Real>& inputs) {
  const Index M = dweights.bias.cols;
  Real* rows[terms_at_once] = {dweights.bias.data};
  std::size_t count = 1;
  if (dproduct != nullptr) rows[count++] = dproduct;
  const int* lookup = inputs.lookup.data() + n * inputs.K;
  for (Index k = 0; k < inputs.K; ++k) {
    if (lookup[k] < 0) continue;
    if (count == terms_at_once) {
      add_to_rows<Real>({rows, count}, dy, M);
      count = 0;
    }
    rows[count++] = dweights.table.row(lookup[k]);
  }
  add_to_rows<Real>({rows, count}, dy, M);
}

template <class Real>
void scatter_numbers(const InputWeights<Real>& dweights, MatrixView<const Real> dy, RowRange rows,
                     const Inputs<Real>& inputs) {
  if (inputs.dense.cols == 0) return;
  add_transposed_product<Real>(dweights.dense, inputs.dense.slice(rows.begin, rows.end), dy);
}

template <class Real>
void check_inputs(RowRange rows, const Inputs<Real>& inputs,
                  const InputWeights<const Real>& weights) {
  const Index M = weights.bias.cols, X = weights.table.rows, D = inputs.dense.cols;
  require(weights.bias.rows == 1 && M > 0 && M % width_step == 0,
          "a layer of width {} is not a multiple of {}", M, width_step);
  require(static_cast<Index>(inputs.lookup.size()) >= rows.end * inputs.K,
          "{} look-ups for {} rows of {}", inputs.lookup.size(), rows.end, inputs.K);
  require(inputs.K == 0 || weights.table.cols == M, "a look-up table of the wrong width");
  require(D == weights.dense.rows && (D == 0 || weights.dense.cols == M),
          "{} plain inputs meet {} x {} weights", D, weights.dense.rows, weights.dense.cols);
  require(D == 0 || inputs.dense.rows >= rows.end, "plain inputs of {} rows, not {}",
          inputs.dense.rows, rows.end);
  for (Index i = rows.begin * inputs.K; i < rows.end * inputs.K; ++i) {
    require(inputs.lookup[i] < X, "look-up {} in a table of {} rows", inputs.lookup[i], X);
  }
}

template decltype(gather_row<float>) gather_row<float>;
template decltype(gather_row<double>) gather_row<double>;
template decltype(scatter_row<float>) scatter_row<float>;
template decltype(scatter_row<double>) scatter_row<double>;
template decltype(add_numbers<float>) add_numbers<float>;
template decltype(add_numbers<double>) add_numbers<double>;
template decltype(scatter_numbers<float>) scatter_numbers<float>;
template decltype(scatter_numbers<double>) scatter_numbers<double>;
template decltype(check_inputs<float>) check_inputs<float>;
template decltype(check_inputs<double>) check_inputs<double>;

}  // namespace vic
