// D and N where histories cannot be enumerated: a bracket from hindsight models.
//
// For any pi_q and rho_q, and the true transition probabilities p,
//
//   D >= E[sum_t log pi_q - log pi_p],   N >= E[sum_t log rho_q - log p],   D + N = H,
//
// with equality for the exact posteriors. So D lies between the first bound and H minus the second.
// The models need not be those of the learner, and `marginal` has none: an auditor has models of
// its own, which learn from the options of the frozen policy.
#pragma once

#include <memory>

#include "method/learner.h"

namespace vic {

struct AuditSettings {
  int updates = 500;  // of the auditor's models
  int seed = 1;
};

// A learner that has the policy of another one and does not change it, and hindsight models that
// were trained on it; what the other one has learned is its beginning.
std::unique_ptr<Learner> make_auditor(Learner& learner, const AuditSettings& settings);

// A mean over options with its standard error.
class SampleMean {
 public:
  void add(double weight, double value) {
    weight_ += weight;
    sum_ += weight * value;
    square_ += weight * value * value;
  }
  double mean() const { return sum_ / weight_; }
  // half of the 95 % interval
  double ci95() const;

 private:
  double weight_ = 0, sum_ = 0, square_ = 0;
};

struct Bounds {
  SampleMean D, N;  // their expectations are not above D and N
};

// Adds the options of a batch that the auditor's policy has drawn.
void add_bounds(Bounds& bounds, Learner& auditor, const Batch& batch,
                const HistoryInputs<float>& inputs);

}  // namespace vic
