// Hindsight models that count over n options, and the reward that they yield: the estimates of
// equations 12 and 18 of the paper in exact expectation, with the bounds of their errors.
#pragma once

#include <optional>
#include <vector>

#include "oracle/beliefs.h"
#include "oracle/control.h"
#include "oracle/unrolled.h"

namespace vic {

// How often options passed through a row and ended in a final state. This is all that a hindsight
// model can count: the count of an action is the sum over its children.
class PassCounts {
 public:
  PassCounts(const Unrolled& tree, int columns);

  void clear();
  void add(int t, int row, int column, double times = 1) {
    count_[t][std::size_t(row) * columns_ + column] += times;
  }
  double at(int t, int row, int column) const {
    return count_[t][std::size_t(row) * columns_ + column];
  }

 private:
  std::size_t columns_;
  std::vector<std::vector<double>> count_;  // (T_max)(N_t, columns)
};

// Estimates from the models, in expectation over options of the policy that they learned from.
struct HindsightEstimate {
  double D = 0;  // E sum log pi_q - log pi_p, never above D
  double N = 0;  // E sum log rho_q - log rho_p
  double U = 0;  // equation 13: |H - D - N| is no larger

  // The same with mixtures of width sigma in place of rho: equations 18 and 19. Empty in a world
  // without coordinates.
  std::optional<double> N_sigma = {}, U_sigma = {};

  double I() const { return D + N; }
};

// Models are shrunk toward the prediction without s_f, by the weight of one more option; rho_p is
// shrunk toward the uniform distribution. `beliefs` and `visited` are those of the policy.
HindsightEstimate estimate_in_hindsight(const Unrolled& tree, const Policy& policy,
                                        const Beliefs& beliefs, const Flow& visited,
                                        const PassCounts& counts, double sigma);

}  // namespace vic
