#include "method/frequencies.h"

#include "info/entropy.h"

namespace vic {

double RunningFrequencies::mean_entropy() const {
  double total = 0;
  int known = 0;
  std::vector<double> p_f(S);
  for (int x = 0; x < static_cast<int>(weight.size()); ++x) {
    if (!knows(x)) continue;
    for (int s = 0; s < S; ++s) p_f[s] = p(x, s);
    total += entropy(p_f);
    ++known;
  }
  return known > 0 ? total / known : 0;
}

void RunningFrequencies::add(const Batch& batch, double decay, std::span<const int> start_of) {
  const Histories& tree = batch.histories;
  for (double& x : sum) x *= decay;
  for (double& x : weight) x *= decay;
  const double share = (1 - decay) / batch.options;
  std::vector<int> options(weight.size(), 0);
  for (int r = 0; r < tree.rows(); ++r) {
    if (batch.ended[r] == 0) continue;
    const int x = start_of[tree.root[r]];
    sum[static_cast<std::size_t>(x) * S + batch.cell[r]] += share * batch.ended[r];
    options[x] += batch.ended[r];
  }
  for (std::size_t x = 0; x < weight.size(); ++x) {
    weight[x] += (1 - decay) * (static_cast<double>(options[x]) / batch.options);
  }
}

}  // namespace vic
