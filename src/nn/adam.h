// Adam (Kingma and Ba, 2015) over one flat block of parameters.
#pragma once

#include <cstdint>

#include "base/matrix.h"

namespace vic {

struct AdamSettings {
  double learning_rate = 1e-3;
  double beta_1 = 0.9;
  double beta_2 = 0.999;
  double epsilon = 1e-8;
};

// What a checkpoint must save besides the parameters.
template <class Real>
struct AdamState {
  explicit AdamState(std::size_t size = 0) : mean(size, Real{0}), square(size, Real{0}) {}

  Block<Real> mean;    // (size): running mean of the gradient
  Block<Real> square;  // (size): running mean of its square
  std::int64_t steps = 0;
};

// One step down the gradient, with bias correction. The three blocks have the same length.
template <class Real>
void adam_step(Block<Real>& values, AdamState<Real>& state, const Block<Real>& gradients,
               const AdamSettings& settings);

}  // namespace vic
