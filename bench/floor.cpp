#include "bench/floor.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/process.h"
#include "nn/operations.h"
#include "nn/product.h"

namespace vic {

double product_rate(Stop stop) {
  constexpr Index N = 240, K = 256, M = 256;
  const auto filled = [](Index rows, Index cols) {
    Buffer<float> buffer;
    buffer.reshape(rows, cols);
    std::fill_n(buffer.row(0), rows * cols, 0.5F);
    return buffer;
  };
  const Buffer<float> a = filled(N, K), w = filled(K, M);
  Buffer<float> out = filled(N, M);
  Panels<float> panels;
  pack(panels, w.view());
  double best = 0;
  // other programs only make it slower: the best of many rounds counts
  for (int round = 0; round < 50; ++round) {
    stop.check();
    const std::uint64_t before = product_operations();
    const Stopwatch watch;
    for (int i = 0; i < 20; ++i) multiply(out.view(), a.view(), panels);
    const auto operations = static_cast<double>(product_operations() - before);
    best = std::max(best, operations / watch.processor_seconds());
  }
  return best;
}

FloorRow measure_floor(const UpdateCase& c, double rate, const BenchPlan& plan,
                       const Progress& progress) {
  std::vector<double> milliseconds;
  FloorRow row;
  for (int round = 0; round < plan.rounds; ++round) {
    progress(fmt::format("{} {} round {}", c.name(), c.algorithm, round + 1));
    const Speed speed = measure_case(c, plan);
    milliseconds.push_back(1e3 / speed.updates_per_second);
    row.moves = speed.moves;
    row.operations = speed.operations;
  }
  row.milliseconds = median(milliseconds);
  row.share = row.operations / rate / (1e-3 * row.milliseconds);
  return row;
}

}  // namespace vic
