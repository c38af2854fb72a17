// D and N where histories cannot be enumerated: a bracket from hindsight models.
//
// For any pi_q and rho_q, and the true transition probabilities p,
//
//   D >= E[sum_t log pi_q - log pi_p],   N >= E[sum_t log rho_q - log p],   D + N = H,
//
// with equality for the exact posteriors. So D lies between the first bound and H minus the second.
// The models need not be those of the agent, and `marginal` has none: the bounds train their own,
// on options of the frozen policy.
#pragma once

#include <memory>

#include "base/stop.h"
#include "method/learner.h"

namespace vic {

struct BoundSettings {
  int updates = 500;  // of the models
  int seed = 1;
};

// A learner with the agent's policy, which stays fixed, and with hindsight models trained on its
// options, starting from the weights of the agent's own models. Throws what `step` throws.
std::unique_ptr<Learner> train_bounds(const Agent& agent, const BoundSettings& settings,
                                      const Step& step = {});

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
  SampleMean D, N;  // in expectation lower bounds of D and N
};

struct BoundsWorkspace {
  Scores scores;
  ModelWorkspace rho_q;
};

// Adds the options of a batch sampled from the policy; `models` are those of train_bounds.
void add_bounds(Bounds& bounds, BoundsWorkspace& work, const Agent& models, const Batch& batch);

}  // namespace vic
