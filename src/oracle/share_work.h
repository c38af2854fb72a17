// Independent problems, solved by the threads and ranks of a job.
#pragma once

#include <vector>

#include "base/process.h"
#include "base/ranks.h"

namespace vic {

// solve(i) for every i from 0 to n - 1, in order, returned on every rank. A rank solves every R-th
// of them, because neighbours are of similar size. `progress` counts those of this rank.
template <class Solution, class Solve>
std::vector<Solution> solve_shared(int n, int threads, const TaskProgress& progress, Ranks& ranks,
                                   const Solve& solve) {
  const int R = ranks.size(), first = ranks.rank();
  std::vector<Solution> own(static_cast<std::size_t>(n > first ? (n - first - 1) / R + 1 : 0));
  run_each(
      static_cast<int>(own.size()), threads, [&](int k, int) { own[k] = solve(first + k * R); },
      progress);
  const std::vector<Solution> by_rank = gather(ranks, std::move(own));
  std::vector<Solution> all(static_cast<std::size_t>(n));
  std::size_t next = 0;
  for (int r = 0; r < R; ++r) {
    for (int i = r; i < n; i += R) all[i] = by_rank[next++];
  }
  return all;
}

}  // namespace vic
